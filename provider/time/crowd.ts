import type { Clock } from "./clock";

const fewest = 4;
const patienceSeconds = 30;

/** Says once, when at least four operations have been under way together for 30 seconds, how more of them can be. */
export class Crowd {
  private size = 0;
  private isSaid = false;
  private nap = new AbortController();

  constructor(
    private readonly clock: Clock,
    private readonly say: (line: string) => void,
  ) {}

  async during<Result>(operation: () => Promise<Result>): Promise<Result> {
    this.size += 1;
    if (this.size === fewest && !this.isSaid) void this.watch();
    try {
      return await operation();
    } finally {
      this.size -= 1;
      if (this.size < fewest) this.nap.abort("fewer wait");
    }
  }

  private async watch(): Promise<void> {
    const { signal } = (this.nap = new AbortController());
    await this.clock.sleep(patienceSeconds * 1000, signal);
    if (signal.aborted) return;
    this.isSaid = true;
    const remedy = "--parallel 256 (or PULUMI_PARALLEL=256) lets more wait at once";
    this.say(`frontdoor: ${this.size} resources have been waiting together for ${patienceSeconds} s; ${remedy}`);
  }
}
