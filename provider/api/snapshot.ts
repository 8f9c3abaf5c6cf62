import type { Clock, Until } from "../clock";
import type { Collection } from "./collection";

const gatherMs = 20;
const freshMs = 15_000;
const idsPerList = 100;
const fewPages = 5;

/**
 * Reads that are asked for together, as a refresh asks for them: from two on they are served from lists. All of a front door's
 * entries are listed first; where that turns out to be more pages than reads, only those asked for. What was listed serves
 * those who ask soon after.
 */
export class Snapshot<Wire extends { id: string; status: string }> {
  private asking: { id: string; resolve: (entry: Promise<Wire | undefined>) => void }[] = [];
  private entries = new Map<string, Wire>();
  private takenMs = -Infinity;
  private isWhole = false;
  private writes = 0;
  private last: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly calls: Pick<Collection<Wire>, "list" | "writes">,
    private readonly clock: Clock,
  ) {}

  /** The entry, or undefined where no list tells and it has to be read by its id. */
  read(id: string, until: Until): Promise<Wire | undefined> {
    return new Promise((resolve) => {
      this.asking.push({ id, resolve });
      if (this.asking.length === 1) void this.gather(until);
    });
  }

  private async gather(until: Until): Promise<void> {
    await this.clock.sleep(gatherMs);
    const asking = this.asking;
    this.asking = [];
    const ids = asking.map(({ id }) => id);
    // One after the other: the later ones find what the earlier ones have listed.
    const listing = this.last.then(() => this.list(ids, until));
    this.last = listing.catch(() => undefined);
    for (const { id, resolve } of asking) resolve(this.last.then(() => this.entries.get(id)));
  }

  private async list(ids: string[], until: Until): Promise<void> {
    if (this.clock.now() - this.takenMs > freshMs || this.writes !== this.calls.writes) {
      this.entries = new Map();
      this.writes = this.calls.writes;
      if (ids.length < 2) return;
      const all = await this.calls.list([], until, { mostPages: Math.max(fewPages, ids.length) });
      this.takenMs = this.clock.now();
      this.isWhole = all.isWhole;
      this.add(all.entries);
    }
    const missing = this.isWhole ? [] : ids.filter((id) => !this.entries.has(id));
    for (let from = 0; from < missing.length; from += idsPerList) {
      const asked = missing.slice(from, from + idsPerList).map((id): [string, string] => ["id", id]);
      this.add((await this.calls.list(asked, until, { mostPages: Math.max(fewPages, asked.length) })).entries);
    }
  }

  private add(entries: Wire[]): void {
    for (const entry of entries) this.entries.set(entry.id, entry);
  }
}
