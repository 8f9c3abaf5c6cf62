const secondMs = 1_000;
/** Where no limit is known, fewer calls than this in one second tell nothing about a rate. */
const fewestCalls = 3;
/** A refusal of what kept to the learned limit may have another reason: it lowers the limit no further than to this part. */
const leastPart = 0.7;
const stepMs = 5_000;
/** How long none may be refused before the limit is tried again; a service that sends `Retry-After` means its limit. */
const quietMs = { usual: 10_000, firm: 60_000 };

/** One call that was let through. */
export interface Slot {
  /** About when it reached the service. */
  sentMs: number;
  /** When it was answered or given up, until then Infinity: the latest moment at which it can have reached the service. */
  endedMs: number;
  isRefused: boolean;
}

/** What the service's 429s tell about how many calls it takes in a second. */
export class LearnedLimit {
  private learned: { perSecond: number; least: number; sinceMs: number; quietMs: number } | undefined;

  /** Calls a second that are known to be taken, more with every few seconds without a refusal; Infinity where nothing is known. */
  perSecond(now: number): number {
    if (!this.learned) return Infinity;
    const { perSecond, sinceMs, quietMs } = this.learned;
    const steps = Math.max(0, Math.floor((now - sinceMs - quietMs) / stepMs) + 1);
    return Math.max(perSecond + steps, perSecond * 1.1 ** steps);
  }

  /** Told of a refused call, with the last calls that were sent: those not yet answered count as taken until they are refused too. */
  refused({ sentMs }: Slot, sent: Slot[], now: number, ceiling: number): void {
    const inSecond = sent.filter((each) => each.sentMs > sentMs - secondMs && each.sentMs <= sentMs);
    if (!this.learned && inSecond.length < fewestCalls) return;
    const taken = inSecond.filter(({ isRefused }) => !isRefused).length;
    const before = this.learned;
    // What was sent before the limit was learned tells more about the same moment.
    const isSameMoment = before !== undefined && sentMs <= before.sinceMs;
    const current = isSameMoment ? before.perSecond : Math.min(this.perSecond(now), ceiling);
    const least = isSameMoment ? before.least : before ? Math.max(1, Math.floor(current * leastPart)) : 1;
    this.learned = {
      perSecond: Math.max(least, Math.min(taken, current)),
      least,
      sinceMs: now,
      quietMs: quietMs.usual,
    };
  }

  /** Told that the service asks for a pause. */
  firm(): void {
    if (this.learned) this.learned.quietMs = quietMs.firm;
  }
}
