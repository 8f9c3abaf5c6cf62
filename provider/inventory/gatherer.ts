import type { Clock } from "../time/clock";
import { FrontdoorError } from "../errors";

/** One question, with the function that answers it. */
export interface Ask<Question, Answer> {
  question: Question;
  answer: (answer: Answer | Promise<Answer>) => void;
}

/** Gathers single questions. When one must be asked, all others that may be asked at that time are answered together with it. */
export class Gatherer<Question, Answer> {
  /** The questions that wait, each with the times from which it may be asked and at which it must be asked. */
  private readonly pending = new Map<Ask<Question, Answer>, { fromMs: number; dueMs: number }>();
  /** The only timer: thousands of waits need no timer each. */
  private timer = { endsMs: Infinity, control: new AbortController() };

  constructor(
    /** Answers all of them; never rejects. */
    private readonly answerAll: (asks: Ask<Question, Answer>[]) => unknown,
    private readonly clock: Pick<Clock, "now" | "sleep">,
  ) {}

  /**
   * Asks after this pause, or earlier together with another question, but not before the shortest pause. Returns the answer.
   * @throws FrontdoorError `timed-out` as soon as the signal aborts, or the error of the answer.
   */
  ask(question: Question, pauseMs: number, signal?: AbortSignal, shortestMs = 0): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const answer = (given: Answer | Promise<Answer>) => {
        const answered = Promise.resolve(given).then(resolve, reject);
        void answered.then(() => signal?.removeEventListener("abort", stop));
      };
      const ask = { question, answer };
      const stop = () => {
        this.pending.delete(ask);
        if (this.pending.size === 0) this.stopTimer();
        reject(
          new FrontdoorError("the run was stopped before the service had answered. Run the command again. [stopped]", {
            kind: "timed-out",
          }),
        );
      };
      signal?.addEventListener("abort", stop, { once: true });
      if (signal?.aborted) {
        stop();
        return;
      }
      const now = this.clock.now();
      this.pending.set(ask, { fromMs: now + Math.min(shortestMs, pauseMs), dueMs: now + pauseMs });
      if (now + pauseMs < this.timer.endsMs) void this.answerAt(now + pauseMs);
    });
  }

  private async answerAt(endsMs: number): Promise<void> {
    this.stopTimer();
    const control = new AbortController();
    this.timer = { endsMs, control };
    await this.clock.sleep(endsMs - this.clock.now(), control.signal);
    if (control.signal.aborted) return;
    this.timer.endsMs = Infinity;
    const now = this.clock.now();
    const due = [...this.pending].filter(([, { fromMs }]) => fromMs <= now).map(([ask]) => ask);
    for (const ask of due) this.pending.delete(ask);
    const nextMs = [...this.pending.values()].reduce((earliest, { dueMs }) => Math.min(earliest, dueMs), Infinity);
    if (nextMs < Infinity) void this.answerAt(nextMs);
    if (due.length > 0) this.answerAll(due);
  }

  private stopTimer(): void {
    // The default reason would be an error with a stack.
    this.timer.control.abort("stopped");
    this.timer.endsMs = Infinity;
  }
}
