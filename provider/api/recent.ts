import type { Clock, Until } from "../clock";
import type { Collection } from "./collection";
import type { Listed } from "./pages";

const freshMs = 15_000;
/** Where a front door has more, those who ask are better served by filters. */
const fewPages = 10;

/** All entries of a front door, listed once for all who ask within a while, as long as nothing of theirs is changed. */
export class Recent<Wire extends { id: string; status: string }> {
  private taken: { atMs: number; changes: number; listed: Promise<Listed<Wire> | undefined> } | undefined;
  private isLong = false;

  constructor(
    private readonly calls: Pick<Collection<Wire>, "list" | "changes">,
    private readonly clock: Clock,
  ) {}

  /** The list where it is known already and still holds, else undefined. @throws FrontdoorError where it is being asked for in vain. */
  known(): Promise<Listed<Wire> | undefined> {
    const { atMs = -Infinity, changes, listed } = this.taken ?? {};
    const isFresh = this.clock.now() - atMs <= freshMs && changes === this.calls.changes;
    return Promise.resolve(isFresh ? listed : undefined);
  }

  /** The list, asked for where it is not known; undefined where it is too long for that. @throws FrontdoorError. */
  async take(until: Until): Promise<Listed<Wire> | undefined> {
    if (this.isLong) return undefined;
    return (await this.known()) ?? this.list(until);
  }

  private async list(until: Until): Promise<Listed<Wire> | undefined> {
    const listing = this.calls.list([], until, { mostPages: fewPages });
    const listed = listing.then((all) => (all.isWhole ? all : undefined));
    const taken = { atMs: this.clock.now(), changes: this.calls.changes, listed };
    this.taken = taken;
    try {
      const all = await listed;
      this.isLong ||= all === undefined;
      return all;
    } catch (error) {
      if (this.taken === taken) this.taken = undefined;
      throw error;
    }
  }
}
