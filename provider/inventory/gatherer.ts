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
  private readonly pending = new Map<Ask<What, Answer>, { fromMs: number; nap: AbortController }>();

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
          this.drop(ask);
          fail(new FrontdoorError("stopped before the service had answered", { kind: "timed-out" }));
        };
        signal?.addEventListener("abort", stop);
        if (signal?.aborted) stop();
        else void this.add(ask, pauseMs, shortestMs);
      });
    } finally {
      signal?.removeEventListener("abort", stop);
    }
  }

  private async add(ask: Ask<What, Answer>, pauseMs: number, shortestMs: number): Promise<void> {
    const nap = new AbortController();
    this.pending.set(ask, { fromMs: this.clock.now() + shortestMs, nap });
    await this.clock.sleep(pauseMs, nap.signal);
    if (!this.pending.has(ask)) return;
    const now = this.clock.now();
    const due = [...this.pending].filter(([each, { fromMs }]) => each === ask || fromMs <= now).map(([each]) => each);
    due.forEach((each) => {
      this.drop(each);
    });
    this.answer(due);
  }

  private drop(ask: Ask<What, Answer>): void {
    // A reason of our own, as the default one is an error with a stack.
    this.pending.get(ask)?.nap.abort("taken");
    this.pending.delete(ask);
  }
}
