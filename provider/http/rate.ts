/** A call that was sent. */
export interface Slot {
  sentMs: number;
  /** The time at which the call was answered or given up. Infinity until then. */
  endedMs: number;
  isRefused: boolean;
}

/** The calls that count, and the limit in calls per second that the last 429 has set. */
export interface Rate {
  /** The configured limit, in calls per second. */
  readonly ceiling: number;
  limit: number;
  refusedMs: number;
  slots: Slot[];
}

export const newRate = (ceiling: number): Rate => ({ ceiling, limit: ceiling, refusedMs: -Infinity, slots: [] });

/** Returns how many more calls stay within the limit now. */
export function roomIn(rate: Rate, now: number): number {
  rate.slots = counting(rate, now);
  return Math.max(1, Math.floor(limitAt(rate, now))) - rate.slots.length;
}

/** Records a call that is sent now. */
export function newSlot({ slots }: Rate, now: number): Slot {
  const slot = { sentMs: now, endedMs: Infinity, isRefused: false };
  slots.push(slot);
  return slot;
}

/** Cuts the limit after a 429 to the calls that count and were not refused. A 429 to the only call that counts says nothing. */
export function cut(rate: Rate, refused: Slot, now: number): void {
  refused.isRefused = true;
  const sent = counting(rate, now);
  const accepted = sent.length > 1 ? sent.filter(({ isRefused }) => !isRefused).length : Infinity;
  rate.limit = Math.max(1, Math.min(limitAt(rate, now), accepted));
  rate.refusedMs = now;
}

/** Returns the limit. It grows by a tenth each second once no 429 has come for 30 s, as a run's creates can pause that long. */
function limitAt({ ceiling, limit, refusedMs }: Rate, now: number): number {
  const growingMs = Math.max(0, now - refusedMs - 30_000);
  return Math.min(ceiling, limit * 1.1 ** (growingMs / 1000));
}

/**
 * A call counts until a second after its answer, but for at most two seconds. The service gets the call before it answers. So it never
 * sees more than the limit in a second, if no call takes longer than a second to arrive. Under a ceiling of less than one call per
 * second, a call counts longer.
 */
function counting({ ceiling, slots }: Rate, now: number): Slot[] {
  const countsMs = 1000 / Math.min(1, ceiling);
  return slots.filter(({ sentMs, endedMs }) => Math.min(endedMs, sentMs + 1000) + countsMs > now);
}
