import type { Kind } from "../api/service";
import type { Clock, Until } from "../clock";
import { FrontdoorError, isRefused } from "../errors";
import { pauseAfter } from "../wait";
import { judgeDeleted, judgeSettled, settledMs } from "./judge";

const mostTries = 5;

/**
 * Sends a write; where the service refuses it because the resource is still being provisioned or torn down
 * (spec: the states from which delete and update are accepted are not shown), waits for the end of that and sends it again.
 */
export async function whenAccepted<T>(
  kind: Kind<{ id: string; status: string }>,
  id: string,
  until: Until,
  write: () => Promise<T>,
): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await write();
    } catch (error) {
      const seen = isRefused(error, 400, 409) && tries < mostTries ? await kind.calls.get(id, until) : undefined;
      if (!seen || judgeSettled(seen, { waitedMs: 0, statuses: new Set() }).now === "done") throw error;
      await kind.poller.wait(id, judgeSettled, until);
    }
  }
}

/** Which resource a step is about, and what is known of it. */
export interface Subject<Wire extends { id: string; status: string }> {
  kind: Kind<Wire>;
  id: string;
  /** How messages call it. */
  label: string;
  /** Status in the state: a NEW one may not be shown yet, so its absence has to last before it counts. */
  status: string;
}

/**
 * The resource as the service shows it now; undefined only when it is proven to be gone: the service's own not-found,
 * and a list of a front door that answers and does not hold it either (it may lag behind, so a few looks are taken).
 * @throws FrontdoorError `failed` when the two keep disagreeing.
 */
export async function find<Wire extends { id: string; status: string }>(
  { kind, id, label, status }: Subject<Wire>,
  clock: Clock,
  until: Until,
): Promise<Wire | undefined> {
  const startedMs = clock.now();
  for (let tries = 1; ; tries++) {
    const wire = await kind.calls.get(id, until);
    if (wire) return wire.status === "DELETED" ? undefined : wire;
    const isGone = await kind.calls.isGone(id, until);
    const waitedMs = clock.now() - startedMs;
    if (isGone && (status !== "NEW" || waitedMs > settledMs)) return undefined;
    if (!isGone && tries >= mostTries) break;
    await clock.sleep(pauseAfter(waitedMs, Math.random()), until.signal);
    if (clock.now() >= until.deadlineMs || until.signal?.aborted) break;
  }
  const what = "the service does not show it, but has not proven that it is gone";
  throw new FrontdoorError(`${label}: ${what}; nothing was changed, try again later`, { kind: "failed" });
}

/** Creates and answers the id. @throws FrontdoorError. */
export async function make(
  kind: Kind<{ id: string; status: string }>,
  body: { name: string },
  until: Until,
): Promise<string> {
  const id = await kind.calls.create(body, until);
  if (id !== undefined) return id;
  const { entries } = await kind.calls.list([["name", body.name]], until);
  const made = entries.find((entry) => isAlike(entry, body));
  if (made) return made.id;
  throw new FrontdoorError(`create of "${body.name}": the service accepted it but its answer names no id`, {
    kind: "failed",
  });
}

/** True when every field of the body shows in the entry. */
const isAlike = (entry: object, body: object): boolean =>
  Object.entries(body).every(([key, value]) => (entry as Record<string, unknown>)[key] === value);

/** Deletes and waits until it is gone; already gone is success. @throws FrontdoorError. */
export async function remove(
  subject: Subject<{ id: string; status: string }>,
  clock: Clock,
  until: Until,
): Promise<void> {
  const { kind, id, label } = subject;
  const isNotFound = await whenAccepted(kind, id, until, () => kind.calls.remove(id, until));
  if (isNotFound && (await find(subject, clock, until)) === undefined) return;
  const ended = await kind.poller.wait(id, judgeDeleted, until);
  if (ended.now === "done") return;
  const next =
    'it stays in the state; run "pulumi up" or "pulumi destroy" again (raise customTimeouts.delete if the service needs longer)';
  throw new FrontdoorError(`${label}: delete: ${ended.reason}; ${next}`, { kind: ended.why });
}
