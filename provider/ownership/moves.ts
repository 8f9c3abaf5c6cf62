import type { Clock, Until } from "../time/clock";
import { Ending } from "./ending";

/** Shares that this run takes from one tunnel to another. */
export class Moves {
  private readonly moving = new Map<string, Ending>();
  private readonly planned = new Set<unknown>();

  constructor(private readonly clock: Clock) {}

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
  during<Made extends { unfinished?: Error }>(id: string, move: () => Promise<Made>): Promise<Made> {
    return this.moving.get(id)?.during(move, ({ unfinished }) => unfinished) ?? move();
  }

  /** Returns once it has ended; the error where it failed or does not begin. */
  async awaitEnd(id: string, until: Until): Promise<Error | undefined> {
    return this.moving.get(id)?.within(this.clock, until);
  }
}
