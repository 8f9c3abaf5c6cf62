import { mayHaveRun } from "../api/collection";
import type { Kind } from "../api/service";
import type { Clock, Until } from "../clock";
import { FrontdoorError, isRefused } from "../errors";
import { type Judge, pauseAfter } from "../wait";
import { lostAnswerMs } from "./create";
import { judgeDeleted, judgeSettled, settledMs } from "./judge";

const mostTries = 5;

interface Named {
  id: string;
  status: string;
  name: string;
}

/**
 * Sends a write; where the service refuses it because the resource is still being provisioned or torn down
 * (spec: the states from which delete and update are accepted are not shown), waits for the end of that and sends it again.
 */
async function whenAccepted<T, Wire extends Named>(
  kind: Kind<Wire>,
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
export interface Subject<Wire extends Named> {
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
export async function find<Wire extends Named>(
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

/**
 * Sends a PUT or PATCH so that it happens once: where its answer was lost, it is sent again only after a while in which
 * nothing shows that it has happened (each one accepted recreates the share, which is an outage).
 * @throws FrontdoorError.
 */
export async function writeOnce<Wire extends Named>(
  { kind, id }: Subject<Wire>,
  send: () => Promise<void>,
  hasHappened: Judge<Wire, unknown>,
  clock: Clock,
  until: Until,
): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await whenAccepted(kind, id, until, send);
      return;
    } catch (error) {
      if (!mayHaveRun(error) || tries >= mostTries) throw error;
      const deadlineMs = Math.min(until.deadlineMs, clock.now() + lostAnswerMs);
      const ended = await kind.poller.wait(id, hasHappened, { ...until, deadlineMs });
      if (ended.now === "done") return;
      if (clock.now() >= until.deadlineMs || until.signal?.aborted) throw error;
    }
  }
}

/** Deletes and waits until it is gone; already gone is success. @throws FrontdoorError. */
export async function remove<Wire extends Named>(subject: Subject<Wire>, clock: Clock, until: Until): Promise<void> {
  const { kind, id, label } = subject;
  const isNotFound = await whenAccepted(kind, id, until, () => kind.calls.remove(id, until));
  if (isNotFound && (await find(subject, clock, until)) === undefined) return;
  const ended = await kind.poller.wait(id, judgeDeleted, until);
  if (ended.now === "done") return;
  const next =
    'it stays in the state; run "pulumi up" or "pulumi destroy" again (a delete takes the customTimeouts of the last create or update)';
  throw new FrontdoorError(`${label}: delete: ${ended.reason}; ${next}`, { kind: ended.why });
}
