import type { Clock, Until } from "../time/clock";
import { FrontdoorError } from "../errors";
import { retryAfterMs } from "./retry-after";
import type { Received } from "./send";

/** So often a call that has to wait looks whether it is its turn. */
const napMs = 50;

/** While writes wait, the looks of waits get one call of so many. */
const lookEvery = 20;

/** How many writes a second the ceiling lets through while shares that were written are waited for. */
export const writesPerSecond = (ceiling: number): number => ceiling * (1 - 1 / lookEvery);

/** A call that wants to be sent. */
interface Turn {
  label: string;
  isRead: boolean;
  /** A read that is made again and again: what waits for a write is worth more. */
  isLook?: boolean;
  until: Until;
}
interface Waiting extends Turn {
  begin: (slot: Slot) => void;
  giveUp: (error: FrontdoorError) => void;
}

/** A call that was sent. */
interface Slot {
  sentMs: number;
  /** When it was answered or given up, until then Infinity. */
  endedMs: number;
  isRefused: boolean;
}

/**
 * When calls are sent: no more than the limit in any second, reads and writes in turn while both wait, none in a pause.
 *
 * - A look of a wait is a read, but while writes wait each twentieth call at the most is one.
 * - A call counts until a second after its answer, at most two after it was sent: so the service never sees more than the limit in
 *   a second of its own, however long a call is on its way.
 * - The limit is the configured ceiling. A 429 cuts it to the calls that count and were not refused, where more than one counts;
 *   once no 429 has come for 30 s, as long as the creates of a run may take that has met it, it grows by a tenth each second.
 * - The `Retry-After` of a 429 or 503 is a pause for all calls; one whose deadline ends before the pause does is told at once.
 */
export class Pace {
  private reads: Waiting[] = [];
  private writes: Waiting[] = [];
  private wasRead = false;
  private sinceLook = 0;
  private slots: Slot[] = [];
  private limit: number;
  private refusedMs = -Infinity;
  private pausedUntilMs = 0;
  private isRunning = false;

  constructor(
    private readonly ceiling: number,
    private readonly clock: Clock,
  ) {
    this.limit = ceiling;
  }

  /** Sends when the turn has come. @throws FrontdoorError `unreachable` where it is stopped before, or a pause outlasts its deadline. */
  async send(turn: Turn, send: () => Promise<Received>): Promise<Received> {
    const slot = await new Promise<Slot>((begin, giveUp) => {
      (turn.isRead ? this.reads : this.writes).push({ ...turn, begin, giveUp });
      if (!this.isRunning) void this.run();
    });
    try {
      const received = await send();
      this.heed(slot, received);
      return received;
    } finally {
      slot.endedMs = this.clock.now();
    }
  }

  /** How much is left of a pause that the service asked for. */
  pauseLeftMs(): number {
    return Math.max(0, this.pausedUntilMs - this.clock.now());
  }

  private heed(slot: Slot, { status, headers }: Received): void {
    const now = this.clock.now();
    if (status === 429) {
      slot.isRefused = true;
      const counting = this.slots.filter((each) => this.countsUntilMs(each) > now);
      const taken = counting.length > 1 ? counting.filter(({ isRefused }) => !isRefused).length : Infinity;
      this.limit = Math.max(1, Math.min(this.limitAt(now), taken));
      this.refusedMs = now;
    }
    if (status !== 429 && status !== 503) return;
    this.pausedUntilMs = Math.max(this.pausedUntilMs, now + (retryAfterMs(headers, this.clock.wall()) ?? 0));
  }

  private async run(): Promise<void> {
    this.isRunning = true;
    while (this.beginDue()) await this.clock.sleep(napMs);
    this.isRunning = false;
  }

  /** Begins those whose turn it is; true while others wait. */
  private beginDue(): boolean {
    this.reads = this.reads.filter((waiting) => this.mayWait(waiting));
    this.writes = this.writes.filter((waiting) => this.mayWait(waiting));
    for (let room = this.room(); room > 0; room--) {
      const next = this.next();
      if (!next) return false;
      this.wasRead = next.isRead;
      this.sinceLook = next.isLook ? 1 : this.sinceLook + 1;
      const slot = { sentMs: this.clock.now(), endedMs: Infinity, isRefused: false };
      this.slots.push(slot);
      next.begin(slot);
    }
    return this.reads.length + this.writes.length > 0;
  }

  private next(): Waiting | undefined {
    const mayLook = this.writes.length === 0 || this.sinceLook >= lookEvery;
    const at = this.wasRead && this.writes.length > 0 ? -1 : this.reads.findIndex(({ isLook }) => !isLook || mayLook);
    return at < 0 ? this.writes.shift() : this.reads.splice(at, 1)[0];
  }

  /** Where a call need not wait any longer it is told so. */
  private mayWait({ label, until, giveUp }: Waiting): boolean {
    const isOutlasted = this.pauseLeftMs() > 0 && this.pausedUntilMs > until.deadlineMs;
    if (!until.signal?.aborted && !isOutlasted) return true;
    const reason = isOutlasted
      ? "the service asks for a longer pause than the deadline leaves: nothing was sent, try again later"
      : "stopped before it was sent";
    giveUp(new FrontdoorError(`${label}: ${reason}`, { kind: "unreachable", mayHaveRun: false }));
    return false;
  }

  /** How many more calls stay within the limit now. */
  private room(): number {
    if (this.pauseLeftMs() > 0) return 0;
    const now = this.clock.now();
    const most = Math.max(1, Math.floor(this.limitAt(now)));
    if (this.slots.length >= most) this.slots = this.slots.filter((slot) => this.countsUntilMs(slot) > now);
    return most - this.slots.length;
  }

  private limitAt(now: number): number {
    const growingMs = Math.max(0, now - this.refusedMs - 30_000);
    return Math.min(this.ceiling, this.limit * 1.1 ** (growingMs / 1000));
  }

  /** Under a ceiling of less than one a second a call counts longer. */
  private countsUntilMs({ sentMs, endedMs }: Slot): number {
    return Math.min(endedMs, sentMs + 1000) + 1000 / Math.min(1, this.ceiling);
  }
}
