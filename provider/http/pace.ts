import type { Clock, Until } from "../time/clock";
import { FrontdoorError } from "../errors";
import { cut, newRate, newSlot, roomIn, type Slot } from "./rate";
import { retryAfterMs } from "./retry-after";
import type { Received } from "./send";

/** Calls that wait are considered this often. */
const napMs = 50;

/** While writes wait, at most one of this many calls is a poll. */
const pollEvery = 20;

/** Returns how many writes per second the ceiling allows while written shares are polled. */
export const writesPerSecond = (ceiling: number): number => ceiling * (1 - 1 / pollEvery);

/** A call that asks to be sent. */
interface Turn {
  label: string;
  isRead: boolean;
  /** A read that a wait repeats. Pending writes go first. */
  isPoll?: boolean;
  until: Until;
}

interface Waiting extends Turn {
  begin: (slot: Slot) => void;
  giveUp: (error: FrontdoorError) => void;
}

/**
 * Decides when calls are sent: never more than the limit in any second, reads and writes alternately while both wait, none in a pause.
 * The `Retry-After` of a 429 or 503 is a pause for all calls.
 */
export class Pace {
  private readonly rate;
  private waiting: Waiting[] = [];
  /** The calls that were sent last: whether the last one was a read, and how many followed the last poll. */
  private last = { isRead: false, sincePoll: 0 };
  private pausedUntilMs = 0;

  constructor(
    ceiling: number,
    private readonly clock: Clock,
  ) {
    this.rate = newRate(ceiling);
  }

  /** Sends when it is the call's turn. @throws FrontdoorError `unreachable` if the call is stopped before, or a pause outlasts its deadline. */
  async send(turn: Turn, send: () => Promise<Received>): Promise<Received> {
    const slot = await new Promise<Slot>((begin, giveUp) => {
      if (this.waiting.push({ ...turn, begin, giveUp }) === 1) void this.run();
    });
    try {
      const { status, headers, text } = await send();
      const now = this.clock.now();
      if (status === 429) cut(this.rate, slot, now);
      if (status === 429 || status === 503)
        this.pausedUntilMs = Math.max(this.pausedUntilMs, now + (retryAfterMs(headers, this.clock.wall()) ?? 0));
      return { status, headers, text };
    } finally {
      slot.endedMs = this.clock.now();
    }
  }

  /** Returns how many milliseconds remain of a pause that the service asked for. */
  pauseMs(): number {
    return Math.max(0, this.pausedUntilMs - this.clock.now());
  }

  /** Sends calls until none waits. */
  private async run(): Promise<void> {
    for (;;) {
      const isPaused = this.pauseMs() > 0;
      const pausedUntilMs = isPaused ? this.pausedUntilMs : -Infinity;
      this.waiting = this.waiting.filter((waiting) => !giveUpIfOver(waiting, pausedUntilMs));
      const room = isPaused ? 0 : roomIn(this.rate, this.clock.now());
      for (let sent = 0; sent < room; sent++) {
        const [next] = this.waiting.splice(nextOf(this.waiting, this.last), 1);
        if (!next) return;
        this.last = { isRead: next.isRead, sincePoll: next.isPoll ? 1 : this.last.sincePoll + 1 };
        next.begin(newSlot(this.rate, this.clock.now()));
      }
      if (this.waiting.length === 0) return;
      await this.clock.sleep(napMs);
    }
  }
}

/** Returns the index of the call whose turn it is. */
function nextOf(waiting: Waiting[], last: { isRead: boolean; sincePoll: number }): number {
  const write = waiting.findIndex(({ isRead }) => !isRead);
  if (write >= 0 && last.isRead) return write;
  const mayPoll = write < 0 || last.sincePoll >= pollEvery;
  const read = waiting.findIndex(({ isRead, isPoll }) => isRead && (!isPoll || mayPoll));
  return read < 0 ? write : read;
}

/** Ends a call that was stopped, or whose deadline passes before the pause ends. Returns true if it has ended the call. */
function giveUpIfOver({ label, until, giveUp }: Waiting, pausedUntilMs: number): boolean {
  const isOutlasted = pausedUntilMs > until.deadlineMs;
  if (!until.signal?.aborted && !isOutlasted) return false;
  const reason = isOutlasted
    ? "the service accepts no more requests before the deadline. Nothing was sent. Try again later. [long-pause]"
    : "the run was stopped before the request was sent. Run the command again. [stopped]";
  giveUp(new FrontdoorError(`${label}: ${reason}`, { kind: "unreachable", mayHaveRun: false }));
  return true;
}
