import type { Reads } from "./reads";

/** Makes equal reads once. A read that failed is made again. */
export class ReadCache {
  private readonly made = new Map<string, Promise<unknown>>();

  constructor(private readonly reads: Reads) {}

  read(name: keyof Reads, args: object): Promise<unknown> {
    const key = `${name} ${JSON.stringify(Object.entries(args).sort(([a], [b]) => (a < b ? -1 : 1)))}`;
    const known = this.made.get(key);
    if (known) return known;
    const reading: Promise<unknown> = this.reads[name](args);
    this.made.set(key, reading);
    reading.catch(() => this.made.delete(key));
    return reading;
  }

  /** Forgets every result: a write can have changed it. */
  forget(): void {
    this.made.clear();
  }
}
