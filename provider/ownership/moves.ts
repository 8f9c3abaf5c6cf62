import type { Clock, Until } from "../time/clock";
import { Ending } from "./ending";

/** Shares that this run takes from one tunnel to another. */
export class Moves {
  private readonly moving = new Map<string, Ending>();
  private readonly planned = new Set<unknown>();

  /** Told by a preview that the program puts the share of this name on a tunnel that is not there yet. */
  plan(name: unknown): void {
    this.planned.add(name);
  }

  isPlanned(name: unknown): boolean {
    return this.planned.has(name);
  }

  expect(id: string): void {
    if (!this.moving.has(id)) this.moving.set(id, new Ending());
  }

  isExpected(id: string): boolean {
    return this.moving.has(id);
  }

  /** Moves it, and tells those who wait for that how it ended. */
  async during<Made extends { unfinished?: Error }>(id: string, move: () => Promise<Made>): Promise<Made> {
    const ending = this.moving.get(id);
    if (ending) ending.hasBegun = true;
    try {
      const made = await move();
      ending?.end(made.unfinished);
      return made;
    } catch (error) {
      ending?.end(error as Error);
      throw error;
    }
  }

  /** Returns once it has ended; the error where it failed or does not begin. */
  async awaitEnd(id: string, clock: Clock, until: Until): Promise<Error | undefined> {
    return this.moving.get(id)?.within(clock, until);
  }
}
