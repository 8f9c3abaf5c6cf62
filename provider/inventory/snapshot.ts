import type { Clock, Until } from "../time/clock";
import { batches, idsPerLook } from "../api/batches";
import type { Collection } from "../api/collection";
import { ListTrouble } from "./list-trouble";
import type { Listed, Listing } from "../api/listing";

const gatherMs = 20;
/** What a refresh has listed serves those of its reads that come later. */
const freshMs = 15_000;

/**
 * Reads of a refresh are served from lists, whether they are asked for together or one after the other: from the second one on
 * from the list of all, read on page by page while they keep coming, as long as it is not far longer than what is asked for;
 * else from lists of their ids. There are never more lists than reads. A list that fails is not repeated: reads by id go on without.
 */
export class Snapshot<Wire extends { id: string; status: string }> {
  private asking: { id: string; resolve: (entry: Promise<Wire | undefined>) => void }[] = [];
  private last: Promise<unknown> = Promise.resolve();
  private round = new Round<Wire>(-Infinity, 0);
  /** Of the list of all, as far as that is known. */
  private pages = 1;
  private ignoresFilter = false;

  constructor(
    private readonly calls: Pick<Collection<Wire>, "list" | "changes">,
    private readonly clock: Clock,
    private readonly trouble = new ListTrouble(),
  ) {}

  /** The entry, or undefined where no list tells and it has to be read by its id. */
  async read(id: string, until: Until): Promise<Wire | undefined> {
    const round = this.current();
    const entry = round.found.get(id);
    if (entry) {
      round.asked += 1;
      this.readAhead(round, id, until);
      return entry;
    }
    return new Promise((resolve) => {
      this.asking.push({ id, resolve });
      if (this.asking.length === 1) void this.gather(until);
    });
  }

  /** Where half of a page has served reads, the next one is asked for before it is needed. */
  private readAhead(round: Round<Wire>, id: string, until: Until): void {
    if (!round.page.delete(id) || round.page.size > round.pageSize / 2) return;
    round.page.clear();
    const listing = this.last.then(() => (this.isWorthReadingOn(round, 1) ? this.readOn(round, until) : undefined));
    this.last = listing.catch(() => undefined);
  }

  private async gather(until: Until): Promise<void> {
    await this.clock.sleep(gatherMs);
    const asking = this.asking;
    this.asking = [];
    // One after the other: the later ones find what the earlier ones have listed.
    const listing = this.last.then(() =>
      this.trouble.isWorthATry() ? this.look([...new Set(asking.map(({ id }) => id))], until) : new Map<string, Wire>(),
    );
    this.last = listing.catch(() => undefined);
    // Who reads by id says what is wrong.
    const found = listing.catch(() => new Map<string, Wire>());
    for (const { id, resolve } of asking) resolve(found.then((entries) => entries.get(id)));
  }

  private async look(ids: string[], until: Until): Promise<Map<string, Wire>> {
    const round = this.current();
    const missing = () => ids.filter((id) => !round.ids.has(id));
    const readOn = async () => {
      while (missing().length > 0 && this.isWorthReadingOn(round, missing().length)) await this.readOn(round, until);
    };
    round.asked += ids.length;
    round.missed += missing().length;
    round.looks += Math.ceil(missing().length / idsPerLook);
    await readOn();
    // What a whole list lacks, and what it shows in another shape, a read by id tells.
    for (const portion of round.isWhole ? [] : batches(missing(), (id) => id)) {
      if (this.ignoresFilter || round.lists >= round.asked) break;
      await this.filter(round, portion, until);
    }
    if (this.ignoresFilter) await readOn();
    return round.found;
  }

  private isWorthReadingOn(round: Round<Wire>, missing: number): boolean {
    // A list of their ids serves several at once, so one is kept for that.
    const kept = missing > 1 && !this.ignoresFilter ? 1 : 0;
    if (round.asked < 2 || round.lists + kept >= round.asked) return false;
    const pagesLeft = round.pagesLeft ?? this.pages;
    return pagesLeft > 0 && pagesLeft <= Math.max(worthPages(round), this.ignoresFilter ? round.asked : 0);
  }

  private async readOn(round: Round<Wire>, until: Until): Promise<void> {
    round.lists += 1;
    const atMs = this.clock.now();
    const options = { once: true, mostPages: 1, readOn: round.rest } as const;
    const listed = await this.trouble.note(this.calls.list([], until, options));
    const { rest, isWhole, pages, pagesLeft = 0 } = listed;
    Object.assign(round, { atMs, rest, isWhole, pagesLeft });
    round.take(listed);
    round.page = new Set(listed.ids);
    round.pageSize = round.page.size;
    this.pages = pages + pagesLeft;
  }

  private async filter(round: Round<Wire>, ids: string[], until: Until): Promise<void> {
    round.lists += 1;
    const query = ids.map((id): [string, string] => ["id", id]);
    // Pages of ten are the shortest that are reckoned with.
    const options = { once: true, mostPages: Math.ceil(ids.length / 10) } as const;
    const listed = await this.trouble.note(this.calls.list(query, until, options));
    round.lists += listed.pages - 1;
    round.take(listed);
    this.ignoresFilter ||= [...listed.ids].some((id) => !ids.includes(id));
  }

  private current(): Round<Wire> {
    const { atMs, changes } = this.round;
    const now = this.clock.now();
    if (now - atMs > freshMs || changes !== this.calls.changes) this.round = new Round(now, this.calls.changes);
    return this.round;
  }
}

/**
 * How many pages more the list of all is worth, on the guess that reads go on as they came: the more often they have come, and
 * the fewer of them a list of ids has served each time.
 */
const worthPages = ({ looks, missed }: { looks: number; missed: number }): number =>
  1 + (looks - 1) * Math.min(10, (idsPerLook * looks) / missed);

/** Reads that come while nothing of theirs is changed, and what has been listed for them. */
class Round<Wire extends { id: string }> {
  readonly found = new Map<string, Wire>();
  /** Those listed in a shape that can't be read included. */
  readonly ids = new Set<string>();
  /** Reads. */
  asked = 0;
  /** Those that what was there did not serve, and how many lists of ids would have. */
  missed = 0;
  looks = 0;
  lists = 0;
  /** What the list of all is read on from. */
  rest: Listing<Wire> | undefined;
  /** Undefined while nothing of the list of all has been read. */
  pagesLeft: number | undefined;
  isWhole = false;
  /** Of the last page of the list of all those that have served no read, while no page more is asked for. */
  page = new Set<string>();
  pageSize = 0;

  constructor(
    /** When its last page was asked for. */
    public atMs: number,
    readonly changes: number,
  ) {}

  take({ entries, ids }: Pick<Listed<Wire>, "entries" | "ids">): void {
    for (const entry of entries) if (!this.found.has(entry.id)) this.found.set(entry.id, entry);
    for (const id of ids) this.ids.add(id);
  }
}
