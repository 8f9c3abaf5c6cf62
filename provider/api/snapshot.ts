import type { Clock, Until } from "../clock";
import { batches } from "./batches";
import type { Collection } from "./collection";
import type { Recent } from "./recent";

const gatherMs = 20;
/** What a refresh has listed serves those of its reads that come later. */
const freshMs = 15_000;
/** Where the service ignores the filter, no more than so many pages are read to find an id. */
const fewPages = 5;

/**
 * Reads that are asked for together, as a refresh asks for them, are served from lists: of all entries from two reads on,
 * where the front door has not too many, else of those asked for.
 */
export class Snapshot<Wire extends { id: string; status: string }> {
  private asking: { id: string; resolve: (entry: Promise<Wire | undefined>) => void }[] = [];
  private last: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly calls: Pick<Collection<Wire>, "list">,
    private readonly recent: Recent<Wire>,
    private readonly clock: Clock,
  ) {}

  /** The entry, or undefined where no list tells and it has to be read by its id. */
  async read(id: string, until: Until): Promise<Wire | undefined> {
    const known = await this.recent.known(freshMs);
    const entry = known?.entries.find((each) => each.id === id);
    if (entry) return entry;
    return new Promise((resolve) => {
      this.asking.push({ id, resolve });
      if (this.asking.length === 1) void this.gather(until);
    });
  }

  private async gather(until: Until): Promise<void> {
    await this.clock.sleep(gatherMs);
    const asking = this.asking;
    this.asking = [];
    // One after the other: the later ones find what the earlier ones have listed.
    const listing = this.last.then(() =>
      this.list(
        asking.map(({ id }) => id),
        until,
      ),
    );
    // Who reads by id says what is wrong.
    const found = listing.catch(() => new Map<string, Wire>());
    this.last = found;
    for (const { id, resolve } of asking) resolve(found.then((entries) => entries.get(id)));
  }

  private async list(ids: string[], until: Until): Promise<Map<string, Wire>> {
    const all = this.recent.isWorth(ids.length)
      ? await this.recent.take(freshMs, until)
      : await this.recent.known(freshMs);
    const found = new Map(all?.entries.map((entry) => [entry.id, entry]));
    const missing = ids.filter((id) => !found.has(id));
    for (const portion of batches(missing, (id) => id)) {
      const { entries } = await this.calls.list(
        portion.map((id) => ["id", id]),
        until,
        { mostPages: Math.max(fewPages, portion.length) },
      );
      for (const entry of entries) found.set(entry.id, entry);
    }
    return found;
  }
}
