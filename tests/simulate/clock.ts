import { setImmediate as turn } from "node:timers/promises";
import type { Clock } from "../../provider/time/clock";
import { Random } from "../harness/random";

interface Sleeper {
  atMs: number;
  /** Of those that wake at the same moment the first to sleep wakes first. */
  number: number;
  wake: () => void;
}

/** With nothing under way and nobody asleep, work that has not ended after so many turns of the event loop never will. */
const stuckTurns = 1000;

/** Where all runs begin, so that nothing depends on the day. */
const begunAtMs = Date.UTC(2030, 0, 1);

/** The time of a simulation: it jumps to the earliest sleeper as soon as nothing is under way. Made for thousands of them. */
export class EventClock implements Clock {
  private timeMs = 0;
  private count = 0;
  private busy = 0;
  /** The earliest is the last one. */
  private readonly sleepers: Sleeper[] = [];
  private readonly chance: Random;

  constructor(seed: number) {
    this.chance = new Random(seed);
  }

  now = (): number => this.timeMs;
  wall = (): number => begunAtMs + this.timeMs;
  random = (): number => this.chance.next();

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const sleeper = { atMs: this.timeMs + Math.max(ms, 0), number: this.count++, wake: resolve };
      this.sleepers.splice(this.placeOf(sleeper), 0, sleeper);
      signal?.addEventListener(
        "abort",
        () => {
          const place = this.placeOf(sleeper);
          if (this.sleepers[place] === sleeper) this.sleepers.splice(place, 1);
          resolve();
        },
        { once: true },
      );
    });
  }

  /** Time stands still while this runs. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    this.busy += 1;
    try {
      return await work();
    } finally {
      this.busy -= 1;
    }
  }

  /** Lets time pass until the work has ended. */
  async run<T>(work: Promise<T>): Promise<T> {
    const end = { isHere: false };
    const ended = work.finally(() => (end.isHere = true));
    for (let idle = 0; !end.isHere;) {
      await turn();
      if (idle > stuckTurns) throw new Error("the simulation waits for what never comes");
      if (this.busy > 0) continue;
      const next = this.sleepers.pop();
      idle = next ? 0 : idle + 1;
      if (!next) continue;
      this.timeMs = next.atMs;
      next.wake();
    }
    return ended;
  }

  /** Where it stands in the row, or would. */
  private placeOf({ atMs, number }: Sleeper): number {
    let [low, high] = [0, this.sleepers.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      const other = this.sleepers[middle];
      const isLater = other && (other.atMs > atMs || (other.atMs === atMs && other.number > number));
      if (isLater) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
