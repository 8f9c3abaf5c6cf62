import { seconds } from "../errors";
import type { Operation } from "../time/ticks";

/** One wait of those that a poller looks at together. */
export interface Waiter<Seen> {
  id: string;
  operation: Operation | undefined;
  /** How many waits have begun before it. */
  order: number;
  /** It was not known at its begin how long it would take. */
  isEarly: boolean;
  startedMs: number;
  /** When the whole operation began, of which the wait is a part. */
  beganMs: number;
  deadlineMs: number;
  nextMs: number;
  /** The last look at which it was under way, from the start of the wait. */
  underWayMs: number;
  statuses: Set<string>;
  last: Seen | undefined;
  seen: string;
  troubles: Map<string, number>;
  judge(seen: Seen | undefined): boolean;
  stop(why: "failed" | "timed-out", reason: string): void;
}

/** Why a wait ended without an end, with the trouble on the way. */
export function stillWaiting(waiter: Waiter<unknown>, now: number): string {
  const troubles = [...waiter.troubles].map(([message, times]) => `${times} × ${message}`).join("; ");
  const waited = `still ${waiter.seen} after ${seconds(now - waiter.beganMs)}`;
  return troubles === "" ? waited : `${waited} (trouble on the way: ${troubles})`;
}
