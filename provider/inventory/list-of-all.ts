import type { Clock } from "../time/clock";
import type { Collection } from "../api/collection";
import type { Listed } from "../api/listing";

/** Whoever asks again later wants to see what has come since, such as what an interrupted run has left and lists show late. */
const freshMs = 3_000;
/** Where a front door has more pages, lists of what is asked for are better, however many ask. */
const mostPages = 20;

/**
 * The list of all entries of one kind, which serves all who ask within three seconds, and is forgotten with every change of this
 * process. It is asked for where it has no more pages than there were asks in that time, and one page while this process changes
 * entries: lists never cost more than reads one by one.
 */
export class ListOfAll<Wire extends { id: string; status: string }> {
  private whole: { atMs: number; changes: number; listed: Listed<Wire>; byId: Map<string, Wire> } | undefined;
  /** What was asked for, and the list requests spent on that, since the last change, for three seconds at the most. */
  private since = { atMs: -Infinity, changes: 0, asks: 0, lists: 0 };
  private changedMs = -Infinity;
  /** Its pages, as the last one has told. */
  private length = 1;

  constructor(
    private readonly calls: Pick<Collection<Wire>, "changes">,
    private readonly clock: Pick<Clock, "now">,
  ) {}

  /** The list where it is known and whole, and its entries by id. */
  known(): { listed: Listed<Wire>; byId: Map<string, Wire> } | undefined {
    return this.whole && this.isFresh(this.whole) ? this.whole : undefined;
  }

  /** The list, as far as so many asks more are worth it; undefined where they are not. @throws what `list` throws. */
  async take(
    asks: number,
    list: (options: { mostPages: number }) => Promise<Listed<Wire> | undefined>,
  ): Promise<Listed<Wire> | undefined> {
    const known = this.known()?.listed;
    if (known) return known;
    const now = { atMs: this.clock.now(), changes: this.calls.changes };
    if (now.changes !== this.since.changes) this.changedMs = now.atMs;
    if (!this.isFresh(this.since)) this.since = { ...now, asks: 0, lists: 0 };
    this.since.asks += asks;
    const paidPages = Math.min(this.paid, now.atMs - this.changedMs <= freshMs ? 1 : mostPages);
    if (this.since.asks < 2 || this.length > paidPages) return undefined;
    const listed = await list({ mostPages: paidPages });
    if (!listed) return undefined;
    this.spend(listed.pages);
    this.length = listed.length;
    if (listed.isWhole)
      this.whole = { ...now, listed, byId: new Map(listed.entries.map((entry) => [entry.id, entry])) };
    return listed;
  }

  /** For how many list requests more the asks are worth. */
  get paid(): number {
    return this.since.asks - this.since.lists;
  }

  /** Told that list requests were spent on asks. */
  spend(lists: number): void {
    this.since.lists += lists;
  }

  private isFresh({ atMs, changes }: { atMs: number; changes: number }): boolean {
    return this.clock.now() - atMs <= freshMs && changes === this.calls.changes;
  }
}
