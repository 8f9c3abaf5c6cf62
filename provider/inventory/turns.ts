import type { Clock, Until } from "../time/clock";

/** Lets those who wait for the same go on one after the other. */
export class Turns {
  private readonly last = new Map<string, Promise<void>>();

  /** Resolves when all who came before have left, or at the deadline; the answer is called to leave. */
  async take(key: string, clock: Clock, { deadlineMs, signal }: Until): Promise<() => void> {
    const before = this.last.get(key) ?? Promise.resolve();
    let leave = (): void => undefined;
    const stay = new Promise<void>((resolve) => {
      leave = resolve;
    });
    this.last.set(
      key,
      before.then(() => stay),
    );
    const nap = new AbortController();
    const isOver = AbortSignal.any(signal ? [nap.signal, signal] : [nap.signal]);
    await Promise.race([before, clock.sleep(deadlineMs - clock.now(), isOver)]);
    nap.abort("woken");
    return leave;
  }
}
