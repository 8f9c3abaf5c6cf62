import type { Clock } from "../../time/clock";

/** As many running for so long without a begin: more could not begin, or there were none. */
const stillMs = 1_000;
/** What waits for room begins as soon as there is some, one after the other. */
const soonMs = 500;
const fewest = 2;
/** Few at a time may as well follow from one another: the fewer, the more of them have to. */
const enough = 40;
/** From here on more would not be worth a word. */
const plenty = 256;

/** Notices, and says once, that operations wait for one another since the engine runs only so many at a time. */
export class Waves {
  private running = 0;
  private most = 0;
  /** When the last one began or ended. */
  private changedMs = -Infinity;
  /** For a while as many as ever were running, and none began until some ended. */
  private isFull = false;
  /** Operations that began as soon as others had made room. */
  private followers = 0;
  private isSaid = false;

  constructor(
    private readonly clock: Clock,
    private readonly say: (line: string) => void,
  ) {}

  async during<Result>(operation: () => Promise<Result>): Promise<Result> {
    this.began(this.clock.now());
    try {
      return await operation();
    } finally {
      this.ended(this.clock.now());
    }
  }

  private began(now: number): void {
    const isSoon = now - this.changedMs <= soonMs;
    this.running += 1;
    this.changedMs = now;
    if (this.running > this.most || !isSoon) {
      this.most = Math.max(this.running, this.most);
      this.isFull = false;
      this.followers = 0;
    } else if (this.isFull) this.followers += 1;
    const isEnough = this.followers >= Math.max(this.most, enough / this.most);
    if (this.isSaid || !isEnough || this.most < fewest || this.most >= plenty) return;
    this.isSaid = true;
    this.say(
      `frontdoor: this run works on ${this.most} resources at a time, others may be waiting for them; with --parallel ${plenty} they wait at the same time`,
    );
  }

  private ended(now: number): void {
    this.isFull ||= this.running === this.most && now - this.changedMs >= stillMs;
    this.running -= 1;
    this.changedMs = now;
  }
}
