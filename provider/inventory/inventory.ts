import type { Clock, Until } from "../time/clock";
import type { Operation } from "../time/ticks";
import { batches, type Query } from "../api/batches";
import type { Collection } from "../api/collection";
import type { Listed, Odd } from "../api/listing";
import { present, readOdd } from "../api/named";
import type { Named } from "../api/types";
import { type Ask, Gatherer } from "./gatherer";
import { ListOfAll } from "./list-of-all";
import { ListTrouble } from "./list-trouble";
import { lookTogether } from "./look";
import { type Ended, type Acceptor, Poller } from "./poller";

/** The engine asks for what it does in parallel within some milliseconds. */
const gatherMs = 20;

interface Wanted {
  until: Until;
  id: string;
}

interface WantedName {
  until: Until;
  name: string;
  /** Asked for before: what is listed since then counts. */
  isAgain: boolean;
}

type NameAsk<Wire> = Ask<WantedName, Wire[]>;

/**
 * What is known of all resources of one kind of one front door. Asks made together share their lists: the list of all where that
 * costs no more requests than there are asks, else lists of what is asked for.
 */
export class Inventory<Wire extends Named> {
  private readonly poller: Poller<Wire>;
  private readonly trouble = new ListTrouble();
  private readonly all: ListOfAll<Wire>;
  private readonly entries: Gatherer<Wanted, Wire | undefined>;
  private readonly names: Gatherer<WantedName, Wire[]>;
  private readonly everAsked = new Set<string>();
  /** What was read by its id since a list did not show it whole: once for all who share the list. */
  private readonly odd = new WeakMap<Odd, Promise<Wire | undefined>>();

  constructor(
    private readonly calls: Pick<Collection<Wire>, "list" | "listWhole" | "get" | "changes">,
    private readonly clock: Clock,
    /** Whether a list entry shows all there is; what does not is read by its id. */
    isComplete: (entry: Wire) => boolean,
    /** Whether the service promises that a repeated filter matches any of its values: else lists are asked for one name each. */
    private readonly matchesAny: boolean,
  ) {
    this.poller = new Poller(lookTogether(calls, isComplete, clock, this.trouble), clock);
    this.all = new ListOfAll(calls, clock);
    this.entries = new Gatherer(
      inTurn((asks) => this.answerEntries(asks)),
      clock,
    );
    this.names = new Gatherer(
      inTurn((asks) => this.answerNames(asks)),
      clock,
    );
  }

  /** Waits until the acceptor says done or failed, the deadline passes or the signal aborts; never rejects. */
  wait<T>(id: string, acceptor: Acceptor<Wire, T>, until: Until, operation?: Operation): Promise<Ended<Wire, T>> {
    return this.poller.wait(id, acceptor, until, operation);
  }

  /** True if this process waits for any resource of this kind. */
  get isWaiting(): boolean {
    return this.poller.isWaiting;
  }

  /** The entry as lists show it, three seconds old at the most; undefined where none does: a read by id tells. Never rejects. */
  async entry(id: string, until: Until): Promise<Wire | undefined> {
    const known = this.all.known()?.byId.get(id);
    return known ?? this.entries.ask({ until, id }, gatherMs, until.signal).catch(() => undefined);
  }

  /** Every resource of this name that is not deleted or being deleted; asked for again, as a new list shows them. @throws FrontdoorError. */
  async named(name: string, until: Until): Promise<Wire[]> {
    const isAgain = this.everAsked.has(name);
    this.everAsked.add(name);
    const known = isAgain ? undefined : this.all.known()?.listed;
    if (known) return this.present(known, name, until);
    return this.names.ask({ until, name, isAgain }, gatherMs, until.signal);
  }

  /** Those that neither the list of all nor one of several ids shows are left to reads by id. */
  private async answerEntries(asks: Ask<Wanted, Wire | undefined>[]): Promise<void> {
    const until = latest(asks);
    const found = new Map<string, Wire>();
    const list = async (query: Query, options: { mostPages: number }) => {
      const listed = await this.trouble
        .ask(() => this.calls.list(query, until, { ...options, once: true }))
        // The reads by id say what is wrong.
        .catch(() => undefined);
      for (const entry of listed?.entries ?? []) found.set(entry.id, entry);
      return listed;
    };
    const ids = [...new Set(asks.map(({ what }) => what.id))];
    const all = await this.all.take(ids.length, (options) => list([], options));
    for (const entry of all?.entries ?? []) found.set(entry.id, entry);
    const missing = all?.isWhole ? [] : ids.filter((id) => !found.has(id));
    for (const portion of missing.length > 1 ? batches(missing, (id) => id) : []) {
      if (this.all.paid < 1) break;
      const query = portion.map((id): [string, string] => ["id", id]);
      this.all.spend((await list(query, { mostPages: portion.length }))?.pages ?? 1);
    }
    for (const { what, tell } of asks) tell(found.get(what.id));
  }

  private async answerNames(asks: NameAsk<Wire>[]): Promise<void> {
    try {
      const first = asks.filter(({ what }) => !what.isAgain);
      const list = (options: { mostPages: number }) => this.calls.listWhole([], latest(first), options);
      const all = first.length > 0 ? await this.all.take(first.length, list) : undefined;
      if (all?.isWhole) this.tell(first, all);
      const others = all?.isWhole ? asks.filter(({ what }) => what.isAgain) : asks;
      for (const portion of batches(others, ({ what }) => what.name, this.matchesAny ? undefined : 1)) {
        const names = [...new Set(portion.map(({ what }) => what.name))];
        const query = names.map((name): [string, string] => ["name", name]);
        const listed = await this.calls.listWhole(query, latest(portion));
        this.all.spend(listed.pages);
        this.tell(portion, listed);
      }
    } catch (error) {
      // Those who have their answer are not concerned.
      for (const { fail } of asks) fail(error);
    }
  }

  private tell(asks: NameAsk<Wire>[], listed: Listed<Wire>): void {
    for (const { what, tell } of asks) tell(this.present(listed, what.name, what.until));
  }

  private present(listed: Listed<Wire>, name: string, until: Until): Promise<Wire[]> {
    return present(listed, name, (odd) => {
      const reading = this.odd.get(odd) ?? readOdd(this.calls, odd, until);
      this.odd.set(odd, reading);
      return reading;
    });
  }
}

/** One gathering after the other: the later ones find what the earlier ones have listed. */
function inTurn<Each>(answer: (asks: Each[]) => Promise<void>): (asks: Each[]) => void {
  let last: Promise<unknown> = Promise.resolve();
  return (asks) => {
    last = last.then(() => answer(asks));
  };
}

const latest = (asks: { what: { until: Until } }[]): Until => ({
  deadlineMs: Math.max(...asks.map(({ what }) => what.until.deadlineMs)),
});
