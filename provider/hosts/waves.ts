import type { Clock } from "../clock";

/** Shorter operations gain nothing from more at a time. */
const longMs = 1_000;
const soonMs = 500;
const fewest = 4;
const enoughWaves = 2;
/** From here on more would not be worth a word. */
const plenty = 256;

/** Notices, and says once, that operations wait for one another since the engine runs only so many at a time. */
export class Waves {
  private running = 0;
  private most = 0;
  /** Operations that began as soon as another one made room. */
  private followers = 0;
  private longEndedMs = -Infinity;
  private isSaid = false;

  constructor(
    private readonly clock: Clock,
    private readonly say: (line: string) => void,
  ) {}

  async during<Result>(operation: () => Promise<Result>): Promise<Result> {
    const startedMs = this.clock.now();
    this.began(startedMs);
    try {
      return await operation();
    } finally {
      this.running -= 1;
      const now = this.clock.now();
      if (now - startedMs >= longMs) this.longEndedMs = now;
    }
  }

  private began(now: number): void {
    this.running += 1;
    if (this.running > this.most) {
      this.most = this.running;
      this.followers = 0;
      return;
    }
    if (this.running === this.most && now - this.longEndedMs <= soonMs) this.followers += 1;
    if (this.isSaid || this.most < fewest || this.most >= plenty || this.followers < enoughWaves * this.most) return;
    this.isSaid = true;
    this.say(
      `frontdoor: this run works on ${this.most} resources at a time, others may be waiting for them; with --parallel ${plenty} they wait at the same time`,
    );
  }
}
