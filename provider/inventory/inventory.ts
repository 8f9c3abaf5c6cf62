import type { Collection } from "../api/collection";
import { type Listed, type Odd, present, readOdd } from "../api/lists";
import type { Named } from "../api/types";
import { sameSpelling } from "../fields/values";
import type { Clock, Until } from "../time/clock";
import type { Keep, Operation } from "../time/ticks";
import { pollTogether } from "./poll";
import { type Acceptor, type Waited, Poller } from "./poller";
import { SharedLists } from "./shared-lists";
import { freshMs } from "./whole-list";

/** The resources of one kind of one front door, as shared lists and one poller show them. */
export class Inventory<Wire extends Named> {
  private readonly poller: Poller<Wire>;
  private readonly lists: SharedLists<Wire>;
  /** The names asked for in this run. */
  private readonly askedNames = new Set<string>();
  private all: { atMs: number; listed: Promise<Listed<Wire>> } | undefined;
  /** The reads by id of entries that lack fields in a list. Those who share the list share the read. */
  private readonly reads = new WeakMap<Odd, Promise<Wire | undefined>>();
  /** The tunnels that the last write of this run to each share was about. */
  private readonly tunnelsOf = new Map<string, readonly string[]>();

  constructor(
    private readonly calls: Pick<Collection<Wire>, "list" | "listWhole" | "get" | "changes">,
    private readonly clock: Clock,
    /** True if a list entry shows every field. The poller reads any other entry by its id. */
    isComplete: (entry: Wire) => boolean,
    /** True if the service promises that a repeated filter matches any of its values. */
    matchesAny: boolean,
    /** Called with the time that a wait for an operation has taken. */
    keep?: Keep,
  ) {
    this.poller = new Poller(pollTogether(calls, isComplete, clock), clock, keep);
    this.lists = new SharedLists(calls, clock, matchesAny);
  }

  /** Polls until the acceptor says done or failed, the deadline passes or the signal aborts; never rejects. */
  wait<T>(id: string, acceptor: Acceptor<Wire, T>, until: Until, operation?: Operation): Promise<Waited<Wire, T>> {
    return this.poller.wait(id, acceptor, until, operation);
  }

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
    const listed = await this.lists.find("id", id, until).catch(() => undefined);
    return listed?.byId.get(id);
  }

  /**
   * Returns every entry of this name, in whatever spelling, that is not DELETING or DELETED. Only the first question for a name may get a
   * shared list. Later ones come after a POST, so they get a new list. A filter cannot find a name that the service shows in another
   * spelling, so the last question before another POST gets the list of all entries. @throws FrontdoorError.
   */
  async named(name: string, until: Until, isLast = false): Promise<Wire[]> {
    const isFirst = !this.askedNames.has(name);
    this.askedNames.add(name);
    const shared = isLast ? this.everything(until) : isFirst ? this.lists.find("name", name, until) : undefined;
    const listed = (await shared) ?? (await this.calls.listWhole([["name", name]], until));
    return present(
      listed,
      (other) => sameSpelling(other, name),
      (odd) => {
        const read = this.reads.get(odd) ?? readOdd(this.calls, odd, until);
        this.reads.set(odd, read);
        return read;
      },
    );
  }

  /** Returns the list of all entries, at most three seconds old. @throws FrontdoorError. */
  private everything(until: Until): Promise<Listed<Wire>> {
    const nowMs = this.clock.now();
    const isFresh = this.all !== undefined && nowMs - this.all.atMs <= freshMs;
    this.all = isFresh && this.all ? this.all : { atMs: nowMs, listed: this.calls.listWhole([], until) };
    return this.all.listed;
  }
}
