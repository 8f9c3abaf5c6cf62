/** What was read: equal reads are made once, and one that failed is made again. */
export class Once {
  private readonly made = new Map<string, Promise<unknown>>();

  read(name: string, args: object, make: () => Promise<unknown>): Promise<unknown> {
    const key = `${name} ${JSON.stringify(Object.entries(args).sort(([a], [b]) => (a < b ? -1 : 1)))}`;
    const known = this.made.get(key);
    if (known) return known;
    const reading = make();
    this.made.set(key, reading);
    reading.catch(() => this.made.delete(key));
    return reading;
  }

  /** From now on everything is read anew. */
  forget(): void {
    this.made.clear();
  }
}
