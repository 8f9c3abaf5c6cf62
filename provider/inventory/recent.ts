import type { Clock, Until } from "../time/clock";
import type { Collection } from "../api/collection";
import type { Listed } from "../api/listing";

/** Where a front door has more, those who ask are better served by filters. */
const fewPages = 10;

/** All entries of a front door, listed once for all who ask within a while, as long as nothing of theirs is changed. */
export class Recent<Wire extends { id: string; status: string }> {
  private taken: { atMs: number; changes: number; listed: Promise<Listed<Wire> | undefined> } | undefined;
  private isLong = false;
  /** Of the last whole list; 1 while that is not known. */
  private pages = 1;

  constructor(
    private readonly calls: Pick<Collection<Wire>, "listWhole" | "changes">,
    private readonly clock: Clock,
  ) {}

  /** The list where it is known already and no older than that, else undefined; never rejects. */
  known(longestMs: number): Promise<Listed<Wire> | undefined> {
    const { atMs = -Infinity, changes, listed } = this.taken ?? {};
    const isFresh = this.clock.now() - atMs <= longestMs && changes === this.calls.changes;
    return isFresh && listed ? listed.catch(() => undefined) : Promise.resolve(undefined);
  }

  /** Whether so many who ask are better served by all entries than by filters. */
  isWorth(askers: number): boolean {
    return !this.isLong && askers > 1 && (this.pages === 1 || askers >= 5 * this.pages);
  }

  /** The list, asked for where it is not known; undefined where it is too long for that. @throws FrontdoorError. */
  async take(longestMs: number, until: Until): Promise<Listed<Wire> | undefined> {
    const known = await this.known(longestMs);
    return known ?? (this.isLong ? undefined : this.list(until));
  }

  private async list(until: Until): Promise<Listed<Wire> | undefined> {
    const listing = this.calls.listWhole([], until, { mostPages: fewPages });
    const listed = listing.then((all) => (all.isWhole ? all : undefined));
    const taken = { atMs: this.clock.now(), changes: this.calls.changes, listed };
    this.taken = taken;
    try {
      const all = await listed;
      this.isLong ||= (await listing).rest !== undefined;
      this.pages = all?.pages ?? this.pages;
      return all;
    } catch (error) {
      if (this.taken === taken) this.taken = undefined;
      throw error;
    }
  }
}
