import type { Collection } from "../api/collection";
import { batches, type Listed, present } from "../api/lists";
import type { Named } from "../api/wire";
import { sameSpelling } from "../fields/values";
import type { Clock, Until } from "../time";
import { type Ask, Batcher, Poller, pollTogether } from "./poller";

/** The resources of one kind of one front door, as shared lists and one poller show them. */
export class Inventory<Wire extends Named> {
  private readonly poller: Poller<Wire>;
  private readonly lists: SharedLists<Wire>;
  /** The names asked for in this run. */
  private readonly askedNames = new Set<string>();
  private all: { atMs: number; listed: Promise<Listed<Wire>> } | undefined;
  /** The tunnels that the last write of this run to each share was about. */
  private readonly tunnelsOf = new Map<string, readonly string[]>();

  constructor(
    private readonly calls: Pick<Collection<Wire>, "list" | "listWhole" | "get" | "changeCount">,
    private readonly clock: Clock,
    /** True if a list entry shows every field. The poller reads any other entry by its id. */
    isComplete: (entry: Wire) => boolean,
    /** True if the service promises that a repeated filter matches any of its values. */
    matchesAny: boolean,
  ) {
    this.poller = new Poller(pollTogether(calls, isComplete, matchesAny, clock), clock);
    this.lists = new SharedLists(calls, clock);
  }

  /** Polls until the acceptor says done or failed, the deadline passes or the signal aborts; never rejects. */
  readonly wait: Poller<Wire>["wait"] = (...asked) => this.poller.wait(...asked);

  /** Records that the service has accepted a write to a share on these tunnels. */
  noteWrite(id: string, tunnelIds: readonly string[]): void {
    this.tunnelsOf.set(id, tunnelIds);
  }

  /** True if this process waits for a share that it has written on one of these tunnels. */
  isWaitingOn(tunnelIds: readonly string[]): boolean {
    const isOn = (id: string) => this.tunnelsOf.get(id)?.some((each) => tunnelIds.includes(each)) === true;
    return this.poller.awaited.some(isOn);
  }

  /** Returns the entry, at most three seconds old, or undefined if the caller has to read it by id; never rejects. */
  async entry(id: string, until: Until): Promise<Wire | undefined> {
    const listed = await this.lists.find(id, until).catch(() => undefined);
    return listed?.byId.get(id);
  }

  /**
   * Returns every entry of this name, in whatever spelling, that is not DELETING or DELETED. Only the first question for a name may get a
   * shared list. Later ones come after a POST, so they get a new list. A filter cannot find a name that the service shows in another
   * spelling, so the last question before another POST gets the list of all entries, begun at `wholeListFromMs` or later.
   * @throws FrontdoorError.
   */
  async named(name: string, until: Until, wholeListFromMs?: number): Promise<Wire[]> {
    const isFirst = !this.askedNames.has(name);
    this.askedNames.add(name);
    const isLast = wholeListFromMs !== undefined;
    const shared = isLast
      ? this.everything(until, wholeListFromMs)
      : isFirst
        ? this.lists.find(undefined, until)
        : undefined;
    const listed = (await shared) ?? (await this.calls.listWhole([["name", name]], until));
    return present(this.calls, listed, (other) => sameSpelling(other, name), until);
  }

  /** Returns the list of all entries, begun at `fromMs` or later and at most three seconds ago. @throws FrontdoorError. */
  private everything(until: Until, fromMs: number): Promise<Listed<Wire>> {
    const atMs = this.clock.now();
    if (this.all && this.all.atMs >= fromMs && atMs - this.all.atMs <= freshMs) return this.all.listed;
    const all = (this.all = { atMs, listed: this.calls.listWhole([], until) });
    all.listed.catch(() => {
      if (this.all === all) this.all = undefined;
    });
    return all.listed;
  }
}

/** The time in which questions are gathered. Pulumi asks about parallel resources within some milliseconds. */
const batchMs = 20;

interface Question {
  /** Undefined if only the list of all entries answers it. */
  id: string | undefined;
  until: Until;
}

/** An older list may lack entries that others have created. */
const freshMs = 3_000;
/** A longer list is never read whole. */
const mostPages = 50;

/**
 * Lists that many questions about ids and names share. The list of all entries counts for three seconds, or until this process changes an
 * entry. A question costs one request without that list, and each of its pages costs one. So it is read once it has no more pages than
 * there were questions.
 */
class SharedLists<Wire extends { id: string; status: string }> {
  private readonly batcher: Batcher<Question, Listed<Wire> | undefined>;
  private last: { listed: Listed<Wire>; atMs: number } | undefined;
  /** The number of this process's changes when the list was read. */
  private changeCount = 0;
  /** The questions since the last read. A run alternates reads and writes: after a change, one batch of questions does not pay for a list. */
  private questions = 0;
  /** The pages of the last list. */
  private pages = 2;
  /** The last read: reads come one after the other. */
  private turn: Promise<Listed<Wire> | undefined> = Promise.resolve(undefined);

  constructor(
    private readonly calls: Pick<Collection<Wire>, "list" | "changeCount">,
    private readonly clock: Clock,
  ) {
    this.batcher = new Batcher((asks) => this.answer(asks), clock);
  }

  /** Returns the list of all entries, or one that shows this id. Undefined if a question of its own costs no more. @throws FrontdoorError. */
  async find(id: string | undefined, until: Until): Promise<Listed<Wire> | undefined> {
    return this.current ?? this.batcher.ask({ id, until }, batchMs, until.signal);
  }

  /** The list of all entries, if it still counts. */
  private get current(): Listed<Wire> | undefined {
    const { last, clock, calls } = this;
    return last && clock.now() - last.atMs <= freshMs && this.changeCount === calls.changeCount
      ? last.listed
      : undefined;
  }

  private async answer(asks: Ask<Question, Listed<Wire> | undefined>[]): Promise<void> {
    const until = { deadlineMs: Math.max(...asks.map(({ question }) => question.until.deadlineMs)) };
    const all = await (this.turn = this.turn.then(() => this.current ?? this.readAll(asks.length, until)));
    for (const batch of batches(asks, ({ question }) => question.id ?? "")) {
      const query = [...new Set(batch.flatMap(({ question }) => question.id ?? []))].map((id): [string, string] => [
        "id",
        id,
      ]);
      const options = { isPoll: true, mostPages: query.length } as const;
      const listed = all ?? (query.length > 1 ? this.calls.list(query, until, options) : undefined);
      for (const { question, answer } of batch) answer(question.id === undefined ? all : listed);
    }
  }

  /** Reads the list of all entries if that saves requests, or else returns undefined; never rejects. */
  private async readAll(questions: number, until: Until): Promise<Listed<Wire> | undefined> {
    const { changeCount } = this.calls;
    this.last = undefined;
    this.questions = changeCount === this.changeCount ? this.questions + questions : 0;
    this.changeCount = changeCount;
    const options = { isPoll: true, mostPages: Math.min(this.questions, mostPages) } as const;
    if (this.pages > options.mostPages) return undefined;
    const atMs = this.clock.now();
    const listed = await this.calls.list([], until, options).catch(() => undefined);
    this.questions = 0;
    this.pages = Math.max(listed?.pageCount ?? 0, 2);
    if (!listed?.isWhole) return undefined;
    this.last = { listed, atMs };
    return listed;
  }
}
