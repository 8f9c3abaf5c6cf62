import type { Kind } from "../api/service";
import type { Clock, Until } from "../clock";
import { FrontdoorError, isRefused } from "../errors";
import { judgeDeleted, judgeSettled } from "./judge";

const mostTries = 5;
const lookAgainMs = 2_000;

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

/**
 * Whether the service has proven that an id which it answered with not-found is gone: its list does not hold it either.
 * Looks a few times, since a list may lag behind.
 * @throws FrontdoorError `failed` when the two keep disagreeing.
 */
export async function proveGone(
  kind: Kind<{ id: string; status: string }>,
  id: string,
  label: string,
  clock: Clock,
  until: Until,
): Promise<void> {
  for (let tries = 1; tries <= mostTries; tries++) {
    if (await kind.calls.isGone(id, until)) return;
    await clock.sleep(lookAgainMs, until.signal);
  }
  throw new FrontdoorError(
    `${label}: the service says it does not exist and lists it all the same; nothing was changed, try again later`,
    {
      kind: "failed",
    },
  );
}

/** The resource as the service shows it now; undefined only when it is proven to be gone. @throws FrontdoorError. */
export async function find<Wire extends { id: string; status: string }>(
  kind: Kind<Wire>,
  id: string,
  label: string,
  clock: Clock,
  until: Until,
): Promise<Wire | undefined> {
  const wire = await kind.calls.get(id, until);
  if (!wire) await proveGone(kind, id, label, clock, until);
  return wire?.status === "DELETED" ? undefined : wire;
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
  kind: Kind<{ id: string; status: string }>,
  id: string,
  label: string,
  clock: Clock,
  until: Until,
): Promise<void> {
  const isNotFound = await whenAccepted(kind, id, until, () => kind.calls.remove(id, until));
  if (isNotFound) {
    await proveGone(kind, id, label, clock, until);
    return;
  }
  const ended = await kind.poller.wait(id, judgeDeleted, until);
  if (ended.now === "done") return;
  const next =
    'it stays in the state; run "pulumi up" or "pulumi destroy" again (raise customTimeouts.delete if the service needs longer)';
  throw new FrontdoorError(`${label}: delete: ${ended.reason}; ${next}`, { kind: ended.why });
}
