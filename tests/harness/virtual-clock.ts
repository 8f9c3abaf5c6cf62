import { setImmediate as turn } from "node:timers/promises";
import type { Clock } from "../../provider/time";
import { Random } from "./random";

interface Sleeper {
  atMs: number;
  wake: () => void;
}

/**
 * Time that passes only while everyone sleeps: once no request is under way and nothing else happens,
 * it jumps to the earliest sleeper.
 */
export class VirtualClock implements Clock {
  private readonly begunAtMs = Date.now();
  private timeMs = 0;
  private setBackMs = 0;
  private readonly sleepers = new Set<Sleeper>();
  private busy = 0;
  private turning = false;

  private readonly chance: Random;

  constructor(
    private readonly onAdvance: (ms: number) => void,
    seed = 1,
  ) {
    this.chance = new Random(seed);
  }

  now = (): number => this.timeMs;
  wall = (): number => this.begunAtMs + this.timeMs - this.setBackMs;
  random = (): number => this.chance.next();

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const sleeper = {
        atMs: this.timeMs + Math.max(ms, 0),
        wake: () => {
          this.sleepers.delete(sleeper);
          signal?.removeEventListener("abort", sleeper.wake);
          resolve();
        },
      };
      this.sleepers.add(sleeper);
      signal?.addEventListener("abort", sleeper.wake, { once: true });
      void this.run();
    });
  }

  /** Sets the wall clock back. */
  setBack(ms: number): void {
    this.setBackMs += ms;
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

  private async run(): Promise<void> {
    if (this.turning) return;
    this.turning = true;
    while (this.sleepers.size > 0) {
      for (let turns = 0; turns < 3; turns++) await turn();
      if (this.busy > 0) continue;
      let next: Sleeper | undefined;
      for (const sleeper of this.sleepers) if (!next || sleeper.atMs < next.atMs) next = sleeper;
      if (!next) break;
      this.onAdvance(next.atMs - this.timeMs);
      this.timeMs = next.atMs;
      next.wake();
    }
    this.turning = false;
  }
}
