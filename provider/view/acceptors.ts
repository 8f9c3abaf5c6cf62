import { isFailed, isPresent } from "../api/wire";
import { lagMs, statusLagMs } from "../consistency";
import { safeText } from "../errors";
import type { TunnelConfigEntry } from "../fields/types";

/** The decision about one read of a resource: the wait is done, continues or has failed. */
export type Acceptance<T> =
  { now: "done"; value: T } | { now: "waiting"; seen: string } | { now: "failed"; reason: string };

/** The past of a wait: the time since it began, and every status since. */
interface History {
  waitedMs: number;
  statuses: ReadonlySet<string>;
}

/** Decides if one read ends a wait. `seen` is undefined while the service does not show the id. */
export type Acceptor<Seen, T> = (seen: Seen | undefined, history: History) => Acceptance<T>;

/** Accepts DEPLOYED (spec: States and transitions). A new id may not show for a while. */
export const acceptDeployed: <Seen extends { status: string }>(seen: Seen | undefined) => Acceptance<Seen> = (seen) => {
  if (!seen) return { now: "waiting", seen: "not shown by Frontdoor" };
  switch (seen.status) {
    case "DEPLOYED":
      return { now: "done", value: seen };
    case "DELETING":
    case "DELETED":
      return { now: "failed", reason: `the status is ${seen.status}, so someone else deletes the resource` };
    default:
      if (isFailed(seen)) return { now: "failed", reason: `Frontdoor reports ${seen.status}` };
      return { now: "waiting", seen: safeText(seen.status, 60) };
  }
};

/** One read of a tunnel's VPN connection. The service shows its entries only while the tunnel is DEPLOYED. */
export interface SeenConnection {
  /** Status of the tunnel. */
  status: string;
  entries: TunnelConfigEntry[];
}

/** The specification shows only `UP`, in capital letters. */
export const isUp = ({ status = "" }: TunnelConfigEntry): boolean => status.trim().toUpperCase() === "UP";

/** Accepts a connection with an entry that is UP. Fails if the tunnel is in ERROR, is being deleted or no longer exists. */
export const acceptUp: (seen: SeenConnection | undefined) => Acceptance<TunnelConfigEntry[]> = (seen) => {
  if (!seen) return { now: "failed", reason: "the tunnel no longer exists" };
  const { status, entries } = seen;
  if (entries.some(isUp)) return { now: "done", value: entries };
  const tunnel = acceptDeployed(seen);
  if (tunnel.now === "failed") return { now: "failed", reason: `the tunnel is ${status}` };
  if (tunnel.now === "waiting")
    return { now: "waiting", seen: `without a connection, as the tunnel is ${tunnel.seen}` };
  return { now: "waiting", seen: entries[0] ? connectionWords(entries[0]) : "not shown by Frontdoor" };
};

function connectionWords({ status, statusMessage }: TunnelConfigEntry): string {
  const message = statusMessage === undefined ? "" : ` (${safeText(statusMessage, 120)})`;
  return `${status === undefined ? "without a status" : safeText(status, 30)}${message}`;
}

/** Accepts DELETED or absence. An ERROR fails the wait only after 30 s: before, it can belong to an earlier operation. */
export const acceptDeleted: Acceptor<{ status: string }, undefined> = (seen, { waitedMs }) => {
  if (!seen || seen.status === "DELETED") return { now: "done", value: undefined };
  if (isFailed(seen) && waitedMs > lagMs) return { now: "failed", reason: `Frontdoor reports ${seen.status}` };
  return { now: "waiting", seen: safeText(seen.status, 60) };
};

/** The evidence that a PUT or PATCH has taken effect. Both parts have to hold. */
export interface Evidence<Seen> {
  /** True if the written values show. */
  isVisible: (seen: Seen) => boolean;
  /** Set if the values alone prove nothing. Then another status than `statusBefore` has to show, or `unless` has to be true. */
  needsNewStatus?: { statusBefore: string; unless?: (seen: Seen) => boolean } | undefined;
  /** True if the end of a field proves the write: a list entry can leave out the field, so the share is read by its id. */
  isById?: boolean;
}

const hasOtherStatus = (statuses: ReadonlySet<string>, before: string): boolean =>
  [...statuses].some((status) => status !== before);

/** Accepts as soon as the write is proved, with any status. */
export const acceptWritten =
  <Seen extends { status: string }>({ isVisible, needsNewStatus }: Evidence<Seen>): Acceptor<Seen, Seen> =>
  (seen, { statuses }) => {
    if (!seen) return { now: "waiting", seen: "not shown by Frontdoor" };
    const isProved =
      !needsNewStatus ||
      needsNewStatus.unless?.(seen) === true ||
      hasOtherStatus(statuses, needsNewStatus.statusBefore);
    return isVisible(seen) && isProved
      ? { now: "done", value: seen }
      : { now: "waiting", seen: `${safeText(seen.status, 60)}, not yet updated` };
  };

/**
 * Accepts a read that can be believed although a write before it is not proved: it shows the evidence, or the same other values as for the
 * last 30 s. Also accepts a resource that does not show or is being deleted.
 */
export function acceptSettled<Seen extends { status: string }>(
  evidence: Evidence<Seen>,
): Acceptor<Seen, Seen | undefined> {
  const isUnchanging = unchanging();
  return (seen, history) => {
    const isSettled = isUnchanging({ ...seen, status: "" }, history);
    const written = acceptWritten(evidence)(seen, history);
    return !isPresent(seen) || written.now === "done" || isSettled ? { now: "done", value: seen } : written;
  };
}

/** Returns a check that a read shows the same as all reads of the last 30 s. */
function unchanging(): (seen: unknown, history: History) => boolean {
  let last = { text: "", sinceMs: 0 };
  return (seen, { waitedMs }) => {
    const text = JSON.stringify(seen ?? "");
    if (text !== last.text) last = { text, sinceMs: waitedMs };
    return waitedMs - last.sinceMs >= lagMs;
  };
}

const goneMeanwhile = { now: "failed", reason: "Frontdoor has not shown the resource for 30 s" } as const;

/**
 * Accepts DEPLOYED once the values that were sent show. Other values have to show with DEPLOYED for 30 s: the caller compares. Fails if the
 * resource has shown, and is absent for 30 s.
 */
export function acceptShown<Seen extends { status: string }>(isVisible: (seen: Seen) => boolean): Acceptor<Seen, Seen> {
  const isUnchanging = unchanging();
  return (seen, history) => {
    const isSettled = isUnchanging(seen, history);
    if (!seen && isSettled && history.statuses.size > 0) return goneMeanwhile;
    const accepted = acceptDeployed(seen);
    if (accepted.now !== "done" || isVisible(accepted.value) || isSettled) return accepted;
    return { now: "waiting", seen: "DEPLOYED, with other values" };
  };
}

/**
 * Accepts DEPLOYED once the write is proved: right after the write, the service can still show the status from before it. After 30 s the
 * written values are enough proof. Other values have to show with DEPLOYED for 30 s: the caller compares. Fails if they show with ERROR, or
 * the resource is absent, for 30 s.
 */
export function acceptUpdated<Seen extends { status: string }>({
  isVisible,
  needsNewStatus,
}: Evidence<Seen>): Acceptor<Seen, Seen> {
  const isUnchanging = unchanging();
  return (seen, history) => {
    const isSettled = isUnchanging(seen, history);
    const isConsistent = history.waitedMs >= lagMs;
    const evidence = { isVisible, needsNewStatus: isConsistent ? undefined : needsNewStatus };
    const written = acceptWritten(evidence)(seen, history);
    if (!seen) return isSettled ? goneMeanwhile : written;
    const deployed = acceptDeployed(seen);
    if (written.now !== "done" && !(isSettled && deployed.now !== "waiting")) return written;
    const isOldStatus = needsNewStatus && !hasOtherStatus(history.statuses, needsNewStatus.statusBefore);
    if (isOldStatus && seen.status === "DEPLOYED" && history.waitedMs < statusLagMs)
      return { now: "waiting", seen: "DEPLOYED, as before the update" };
    // An ERROR that shows from the start can belong to an earlier update.
    const isOldError = isFailed(seen) && history.statuses.size === 1 && !isConsistent;
    return isOldError ? { now: "waiting", seen: `${seen.status}, not yet updated` } : deployed;
  };
}
