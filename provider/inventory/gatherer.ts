import type { Clock } from "../time/clock";
import { FrontdoorError } from "../errors";

/** One who asks, what for, and how to answer. */
export interface Ask<What, Answer> {
  what: What;
  tell: (answer: Answer | Promise<Answer>) => void;
  fail: (error: unknown) => void;
}

/** Gathers single asks: each is answered when it is due, and with it all others that may be answered by then. */
export class Gatherer<What, Answer> {
  private readonly pending = new Map<Ask<What, Answer>, { fromMs: number; dueMs: number }>();
  /** One for all, until the first of them is due. */
  private nap = { endsMs: Infinity, control: new AbortController() };

  constructor(
    /** Never rejects. */
    private readonly answer: (asks: Ask<What, Answer>[]) => unknown,
    private readonly clock: Pick<Clock, "now" | "sleep">,
  ) {}

  /**
   * The answer to what is due after this pause, and may be answered with others earlier, but not before the shortest one.
   * @throws what the answer throws; FrontdoorError `timed-out` as soon as the signal aborts.
   */
  async ask(what: What, pauseMs: number, signal?: AbortSignal, shortestMs = 0): Promise<Answer> {
    let stop = (): void => undefined;
    try {
      return await new Promise<Answer>((tell, fail) => {
        const ask = { what, tell, fail };
        stop = () => {
          this.pending.delete(ask);
          if (this.pending.size === 0) this.endNap();
          fail(new FrontdoorError("stopped before the service had answered", { kind: "timed-out" }));
        };
        signal?.addEventListener("abort", stop);
        if (signal?.aborted) stop();
        else this.add(ask, pauseMs, shortestMs);
      });
    } finally {
      signal?.removeEventListener("abort", stop);
    }
  }

  private add(ask: Ask<What, Answer>, pauseMs: number, shortestMs: number): void {
    const now = this.clock.now();
    const dueMs = now + pauseMs;
    this.pending.set(ask, { fromMs: now + shortestMs, dueMs });
    if (dueMs < this.nap.endsMs) void this.answerAt(dueMs);
  }

  private async answerAt(endsMs: number): Promise<void> {
    this.endNap();
    const control = new AbortController();
    this.nap = { endsMs, control };
    await this.clock.sleep(endsMs - this.clock.now(), control.signal);
    if (control.signal.aborted) return;
    this.nap.endsMs = Infinity;
    const now = this.clock.now();
    const due = [...this.pending].filter(([, { dueMs, fromMs }]) => Math.min(dueMs, fromMs) <= now).map(([ask]) => ask);
    for (const ask of due) this.pending.delete(ask);
    const nextMs = [...this.pending.values()].reduce((earliest, { dueMs }) => Math.min(earliest, dueMs), Infinity);
    if (nextMs < Infinity) void this.answerAt(nextMs);
    if (due.length > 0) this.answer(due);
  }

  private endNap(): void {
    // A reason of our own, as the default one is an error with a stack.
    this.nap.control.abort("woken");
    this.nap.endsMs = Infinity;
  }
}
