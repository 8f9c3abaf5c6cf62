import { type Clock, inTime, type Until } from "../time/clock";

/** Lets those who wait for the same go on one after the other. */
export class Turns {
  private readonly last = new Map<string, Promise<void>>();

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
    await inTime(this.clock, until, before);
    return leave;
  }
}
