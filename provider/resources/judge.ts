import type { Verdict, Judge } from "../wait";

/** Eventual consistency is taken to be over after this: an old status that still shows is then the true one. */
export const settledMs = 30_000;

/** Waits for DEPLOYED (spec: States and transitions); a just-created id may not be shown for a while. */
export const judgeDeployed: <Seen extends { status: string }>(seen: Seen | undefined) => Verdict<Seen> = (seen) => {
  if (!seen) return { now: "waiting", seen: "not shown by the service" };
  if (seen.status === "DEPLOYED") return { now: "done", value: seen };
  return whileUnready(seen.status);
};

/** What a status other than DEPLOYED means to one who waits for DEPLOYED; an unknown one is no reason to give up. */
export function whileUnready(status: string): Verdict<never> {
  if (status === "ERROR") return { now: "failed", reason: "the service reports ERROR" };
  if (status === "DELETING" || status === "DELETED")
    return { now: "failed", reason: `it is ${status}: someone else deletes it` };
  return { now: "waiting", seen: status };
}

/** Waits until it is DELETED or no longer shown; an ERROR counts once the teardown has been seen to begin. */
export const judgeDeleted: Judge<{ status: string }, undefined> = (seen, { statuses, waitedMs }) => {
  if (!seen || seen.status === "DELETED") return { now: "done", value: undefined };
  if (seen.status === "ERROR" && (statuses.has("DELETING") || waitedMs > settledMs)) {
    return { now: "failed", reason: "the service reports ERROR instead of deleting it" };
  }
  return { now: "waiting", seen: seen.status };
};

/** Waits until provisioning or teardown that is under way has ended, whatever its end. */
export const judgeSettled: Judge<{ status: string }, undefined> = (seen) =>
  seen && ["NEW", "DELETING"].includes(seen.status)
    ? { now: "waiting", seen: seen.status }
    : { now: "done", value: undefined };

/** Waits until the wanted values show, whatever the status. */
export const judgeShown =
  <Seen extends { status: string }>(isShown: (seen: Seen) => boolean): Judge<Seen, Seen> =>
  (seen) =>
    seen && isShown(seen)
      ? { now: "done", value: seen }
      : { now: "waiting", seen: seen ? `${seen.status}, not yet updated` : "not shown by the service" };

/**
 * Waits until it shows that an update has happened: the wanted values, or, where they were wanted and shown `before` already
 * and so prove nothing, another status than then or another location.
 */
export const judgeHappened =
  <Seen extends { status: string; locationId?: string | undefined }>(
    isShown: (seen: Seen) => boolean,
    before?: { status: string; locationId?: string | undefined },
  ): Judge<Seen, Seen> =>
  (seen, history) => {
    const shown = judgeShown(isShown)(seen, history);
    if (!seen || shown.now !== "done" || !before) return shown;
    const isOther =
      [...history.statuses].some((status) => status !== before.status) || seen.locationId !== before.locationId;
    return isOther ? shown : { now: "waiting", seen: `${seen.status}, not yet updated` };
  };

/**
 * Waits for the end of an update. No status counts until it shows that the update has happened: right after the write
 * the old DEPLOYED (or ERROR) can still be shown. What can't be told by its values counts once eventual consistency is over.
 */
export const judgeApplied =
  <Seen extends { status: string; locationId?: string | undefined }>(
    ...happened: Parameters<typeof judgeHappened<Seen>>
  ): Judge<Seen, Seen> =>
  (seen, history) => {
    const isOver = happened[1] !== undefined && history.waitedMs >= settledMs;
    const shown = (isOver ? judgeShown(happened[0]) : judgeHappened(...happened))(seen, history);
    return seen && shown.now === "done" ? judgeDeployed(seen) : shown;
  };
