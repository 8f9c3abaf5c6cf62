import { type Clock, inTime, type Until } from "../time/clock";

/** Lets those who wait for the same go on one after the other. */
export class Turns {
  private readonly last = new Map<string, Promise<void>>();
  private readonly waiting = new Map<string, number>();

  constructor(private readonly clock: Clock) {}

  /** Resolves when all who came before have left, or at the deadline; the answer is called to leave. */
  async take(key: string, until: Until): Promise<() => void> {
    const before = this.last.get(key) ?? Promise.resolve();
    let leave = (): void => undefined;
    const stay = new Promise<void>((resolve) => (leave = resolve));
    this.last.set(
      key,
      before.then(() => stay),
    );
    this.count(key, 1);
    await inTime(this.clock, until, before);
    this.count(key, -1);
    return leave;
  }

  isAwaited(key: string): boolean {
    return (this.waiting.get(key) ?? 0) > 0;
  }

  /** Works when all who came before have left. */
  async during<T>(key: string, until: Until, work: () => Promise<T>): Promise<T> {
    const leave = await this.take(key, until);
    try {
      return await work();
    } finally {
      leave();
    }
  }

  private count(key: string, by: number): void {
    this.waiting.set(key, (this.waiting.get(key) ?? 0) + by);
  }
}
