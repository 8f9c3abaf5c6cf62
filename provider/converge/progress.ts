import { isBusy, isFailed } from "../api/wire";
import { lagMs, settlesAfterMs, statusLagMs } from "../consistency";
import { safeText } from "../errors";
import { has, valueOf } from "../fields/field";
import { differing, isShown } from "../fields/rules";
import { sameSpelling } from "../fields/values";
import type { Clock } from "../time";
import type { Acceptance, Judge } from "../view/waits";

/** What a resource has to show. */
export interface Goal {
  /** The arguments that were sent, or that it is gone. */
  want: object | "gone";
  /** The values, before the write, of the arguments that it changes or clears: in place of a cleared one, Frontdoor can put its own. */
  before?: object;
}

/** The last write of a resource, on the monotonic clock. */
export interface LastWrite {
  atMs: number;
  /** From then on, a reading is the truth. Before, only a reading that shows what was sent is. */
  settlesAtMs: number;
  /** The status before the write. A create has none. */
  statusBefore?: string | undefined;
  /** True if its answer was lost, so that nobody knows if it took effect. */
  isLost?: boolean;
  /** Before then, a reading of what was sent can be from before the write before this one. */
  provesFromMs?: number;
}

/** What the readings since the last write have shown. */
export interface Past {
  isSettled: boolean;
  sinceWriteMs: number;
  statusBefore?: string | undefined;
  isLost?: boolean;
  /** True if a reading of what was sent can be from before the write before this one. */
  isTooEarly?: boolean;
  /** Those of all readings since the write, this one included. */
  statuses: ReadonlySet<string>;
}

export type Progress =
  | { now: "done" | "gone" }
  | { now: "wait"; for: string }
  | { now: "differs"; fields: string[] }
  | { now: "failed"; reason: string };

export const notYetShown = "not shown by Frontdoor";

/** A resource that nobody has written for long. */
export const neverWritten: LastWrite = { atMs: -Infinity, settlesAtMs: -Infinity };

/** Returns a write that the service accepts now: a reading can lag behind it. */
export const acceptedNow = (clock: Clock, statusBefore?: string): LastWrite => {
  const atMs = clock.now();
  return { atMs, settlesAtMs: atMs + lagMs, statusBefore };
};

/** Returns a write that is sent now and whose answer is not known: it can still take effect, and a reading can lag behind that. */
export const sentNow = (clock: Clock, requestTimeoutMs: number, statusBefore?: string): LastWrite => {
  const atMs = clock.now();
  return { atMs, settlesAtMs: atMs + settlesAfterMs(requestTimeoutMs), statusBefore, isLost: true };
};

/** Returns the note of a write for the state, in wall-clock time; undefined if a reading is the truth by now. */
export const settlesAtOf = (clock: Clock, { settlesAtMs }: LastWrite): number | undefined =>
  settlesAtMs > clock.now() ? Math.ceil(clock.wall() + settlesAtMs - clock.now()) : undefined;

/** Returns the last write of a state. A wall clock that was changed costs at most the longest wait after a write. */
export function lastWriteIn(
  clock: Clock,
  { __settlesAt }: { __settlesAt?: number | undefined },
  requestTimeoutMs: number,
): LastWrite {
  const remainingMs = Math.min((__settlesAt ?? -Infinity) - clock.wall(), settlesAfterMs(requestTimeoutMs));
  return remainingMs > 0 ? { atMs: -Infinity, settlesAtMs: clock.now() + remainingMs } : neverWritten;
}

/**
 * Returns the arguments of which an entry does not show what was sent, those included that it lacks, or shows as before the write. After
 * `Web` was changed to `web`, an entry with `Web` does not show it, and one with `WEB` does: it is a spelling of both.
 */
export const lacking = (
  seen: object,
  { want, before = {} }: { want: object; before?: object | undefined },
): string[] => [
  ...Object.keys(want).filter((name) => has(want, name) && !isShown(seen, name)),
  ...differing(seen, want),
  ...Object.keys(before).filter((name) => {
    const [shown, old] = [valueOf(seen, name), valueOf(before, name)];
    return has(want, name) ? shown === old : sameSpelling(shown, old);
  }),
];

/** Tells what a reading shows of a goal: the table "The truth" of docs/how-it-works.md. */
export function progressOf({ want, before }: Goal, seen: { status: string } | undefined, past: Past): Progress {
  const { isSettled, sinceWriteMs, statusBefore, isLost, isTooEarly, statuses } = past;
  // Work that was under way before the write can end after it, so its statuses prove nothing.
  const hasMovedOn =
    statusBefore === undefined ||
    (!isBusy({ status: statusBefore }) && [...statuses].some((each) => each !== statusBefore));
  const status = safeText(seen?.status ?? "", 60);
  if (want === "gone") {
    if (!seen || seen.status === "DELETED") return { now: "done" };
    if (isLost && isSettled && seen.status !== "DELETING") return { now: "differs", fields: [] };
    // A failure that the resource had before the delete can still show long after it.
    const hasFailed = isFailed(seen) && isSettled && (hasMovedOn || !isFailed({ status: statusBefore }));
    return hasFailed ? { now: "failed", reason: `Frontdoor reports ${status}` } : { now: "wait", for: status };
  }
  if (!seen) return isSettled ? { now: "gone" } : { now: "wait", for: notYetShown };
  if (["DELETING", "DELETED"].includes(seen.status))
    return { now: "failed", reason: `the status is ${status}, so someone else deletes the resource` };
  // An ERROR that still shows as before a write that was lost needs that write.
  if (isFailed(seen) && isLost && isSettled && seen.status === statusBefore && statuses.size === 1)
    return { now: "differs", fields: [] };
  // The state need not know the status before the write: that of a failure can be older.
  if (isFailed(seen))
    return isSettled || statusBefore === undefined || statuses.size > 1
      ? { now: "failed", reason: `Frontdoor reports ${status}` }
      : { now: "wait", for: `${status}, not yet updated` };
  if (seen.status !== "DEPLOYED") return { now: "wait", for: status };
  const missing = lacking(seen, { want, before });
  // After a lost answer, only a reading that shows all of it proves that the write took effect.
  const fields = isLost ? missing : differing(seen, want);
  const isProved = isSettled || (!isTooEarly && (hasMovedOn || (sinceWriteMs >= statusLagMs && missing.length === 0)));
  if (fields.length === 0 && isProved) return { now: "done" };
  if (isSettled) return { now: "differs", fields };
  return { now: "wait", for: fields.length > 0 ? "DEPLOYED, with other values" : "DEPLOYED, as before the update" };
}

/** Tells what a reading shows since a write. It is judged by the time at which it was asked for: the service can have made it then. */
export const progressSince = (
  goal: Goal,
  { atMs, settlesAtMs, statusBefore, isLost = false, provesFromMs = -Infinity }: LastWrite,
  seen: { status: string } | undefined,
  statuses: ReadonlySet<string>,
  askedMs: number,
): Progress =>
  progressOf(goal, seen, {
    isSettled: askedMs >= settlesAtMs,
    sinceWriteMs: askedMs - atMs,
    isTooEarly: askedMs < provesFromMs,
    ...{ statusBefore, isLost, statuses },
  });

/** Returns what a wait makes of the progress. A reading that differs also ends it: the caller compares. */
export function acceptanceOf<Wire>(
  { want }: Goal,
  progress: Progress,
  seen: Wire | undefined,
  statuses: ReadonlySet<string>,
): Acceptance<Wire | undefined> {
  if (progress.now === "wait") return { now: "waiting", seen: progress.for };
  if (progress.now === "failed") return progress;
  if (seen || want === "gone") return { now: "done", value: seen };
  const reason = statuses.size === 0 ? notYetShown : "Frontdoor no longer shows the resource";
  return { now: "failed", reason };
}

/** Returns the judge of a wait until a resource is gone that is being deleted. */
export function judgeOfGone<Wire extends { status: string }>(clock: Clock): Judge<Wire, Wire | undefined> {
  const write = acceptedNow(clock);
  const goal: Goal = { want: "gone" };
  return (seen, statuses, askedMs) =>
    acceptanceOf(goal, progressSince(goal, write, seen, statuses, askedMs), seen, statuses);
}
