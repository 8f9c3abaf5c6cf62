import { shown } from "../errors";
import type { Acceptance as Verdict, Acceptor as Judge } from "../inventory/poller";

/** Eventual consistency is taken to be over after this: an old status that still shows is then the true one. */
export const consistencyMs = 30_000;

/** Waits for DEPLOYED (spec: States and transitions); a just-created id may not be shown for a while. */
export const judgeDeployed: <Seen extends { status: string }>(seen: Seen | undefined) => Verdict<Seen> = (seen) => {
  if (!seen) return { now: "waiting", seen: "not shown by the service" };
  if (seen.status === "DEPLOYED") return { now: "done", value: seen };
  return whileUnready(seen.status);
};

/** What a status other than DEPLOYED means to one who waits for DEPLOYED; an unknown one is no reason to give up. */
function whileUnready(status: string): Verdict<never> {
  if (status === "ERROR") return { now: "failed", reason: "the service reports ERROR" };
  if (status === "DELETING" || status === "DELETED")
    return { now: "failed", reason: `it is ${status}: someone else deletes it` };
  return { now: "waiting", seen: shown(status, 60) };
}

/** Waits until it is DELETED or no longer shown; an ERROR counts once eventual consistency is over: it can be that of an earlier try. */
export const judgeDeleted: Judge<{ status: string }, undefined> = (seen, { waitedMs }) => {
  if (!seen || seen.status === "DELETED") return { now: "done", value: undefined };
  if (seen.status === "ERROR" && waitedMs > consistencyMs) {
    return { now: "failed", reason: "the service reports ERROR instead of deleting it" };
  }
  return { now: "waiting", seen: shown(seen.status, 60) };
};

/** Waits until what is under way has ended, whatever its end; an unknown status is taken as under way. */
export const judgeIdle: Judge<{ status: string }, undefined> = (seen) =>
  seen && !["DEPLOYED", "ERROR", "DELETED"].includes(seen.status)
    ? { now: "waiting", seen: shown(seen.status, 60) }
    : { now: "done", value: undefined };

/** Waits until the wanted values show, whatever the status. */
export const judgeShown =
  <Seen extends { status: string }>(isShown: (seen: Seen) => boolean): Judge<Seen, Seen> =>
  (seen) =>
    seen && isShown(seen)
      ? { now: "done", value: seen }
      : { now: "waiting", seen: seen ? `${shown(seen.status, 60)}, not yet updated` : "not shown by the service" };

/** By what an update shows. */
export interface Sign<Seen> {
  /** The wanted values. */
  isShown: (seen: Seen) => boolean;
  /** Where those showed before it already, or can't be told, and so prove nothing: another status than then does, or what is named here. */
  before?: { status: string; isOther: (seen: Seen) => boolean } | undefined;
}

/** Waits until it shows that an update has happened. */
export const judgeHappened =
  <Seen extends { status: string }>({ isShown, before }: Sign<Seen>): Judge<Seen, Seen> =>
  (seen, history) => {
    const verdict = judgeShown(isShown)(seen, history);
    if (!seen || verdict.now !== "done" || !before) return verdict;
    const isOther = [...history.statuses].some((status) => status !== before.status) || before.isOther(seen);
    return isOther ? verdict : { now: "waiting", seen: `${shown(seen.status, 60)}, not yet updated` };
  };

/**
 * Waits for the end of an update. No status counts until it shows that the update has happened: right after the write
 * the old DEPLOYED (or ERROR) can still be shown. What can't be told by its values counts once eventual consistency is over.
 */
export const judgeApplied =
  <Seen extends { status: string }>({ isShown, before }: Sign<Seen>): Judge<Seen, Seen> =>
  (seen, history) => {
    const isConsistent = history.waitedMs >= consistencyMs;
    const verdict = judgeHappened({ isShown, before: isConsistent ? undefined : before })(seen, history);
    if (!seen || verdict.now !== "done") return verdict;
    // One that shows from the start can be the ERROR of an earlier update to the same values.
    const isOldError = seen.status === "ERROR" && history.statuses.size === 1 && !isConsistent;
    return isOldError ? { now: "waiting", seen: "ERROR, not yet updated" } : judgeDeployed(seen);
  };
