import { type Collection, present } from "../api/collection";
import { batches, type Listed, type Query } from "../api/lists";
import type { Named } from "../api/wire";
import { freshMs, gatherMs, lagMs, lastPollMs, listsOnlyMs } from "../consistency";
import { isRefused, isTransient } from "../errors";
import { sameSpelling } from "../fields/values";
import type { Clock, Until } from "../time";
import { type Found, type Poll, type Polled, Waits } from "./waits";

/** The parts from which the view of one kind is opened. */
interface Parts<Wire extends Named> {
  calls: Pick<Collection<Wire>, "list" | "listWhole" | "get" | "changeCount">;
  clock: Clock;
  /** Waits until the rate limiter lets the next poll go. Never rejects. */
  turn: (until: Until) => Promise<void>;
  /** True if a list entry shows every field. A wait reads any other entry by its id. */
  isComplete: (entry: Wire) => boolean;
  /** True if the service promises that a repeated filter matches any of its values. */
  matchesAny: boolean;
}

/** A list of all entries, as of the time and of this process's changes when it was asked for. */
interface Whole<Wire extends Named> {
  atMs: number;
  changeCount: number;
  listed: Promise<Listed<Wire> | undefined>;
}

/** A longer list is never read whole for questions about ids. */
const mostPages = 50;

/** Shows the resources of one kind of one front door. Waits, and questions about ids and names, share their requests. */
export class View<Wire extends Named> {
  private readonly waits: Waits<Wire>;
  /** The last list of all entries. */
  private whole: Whole<Wire> | undefined;
  /** The number of pages of the last whole list, and of the questions since then without a change by this process. */
  private cost = { pages: 2, questions: 0, changeCount: 0 };
  /** The ids of the questions that are gathered now; undefined stands for a question that only the list of all entries answers. */
  private gathered: (string | undefined)[] = [];
  private gathering: Promise<(id: string | undefined) => Promise<Listed<Wire> | undefined>> | undefined;
  /** The last answer. The next gathering begins after it. */
  private answered: Promise<unknown> = Promise.resolve();

  constructor(private readonly parts: Parts<Wire>) {
    this.waits = new Waits(pollOf(parts), parts.clock, parts.turn);
  }

  /** Polls until the judge says done or failed, the deadline passes or the signal aborts; never rejects. */
  readonly wait: Waits<Wire>["wait"] = (...asked) => this.waits.wait(...asked);

  /** The ids for which this process waits. */
  get waitingIds(): readonly string[] {
    return this.waits.ids;
  }

  /** Returns the entry, at most three seconds old, or undefined if the caller has to read it by id; never rejects. */
  async entry(id: string, until: Until): Promise<Wire | undefined> {
    const listed = await this.shared(id, until).catch(() => undefined);
    return listed?.byId.get(id);
  }

  /**
   * Returns every entry of this name, in whatever spelling, that is not DELETING or DELETED. The first question of a create may get a shared
   * list, and later ones, which come after a POST, a new list of the name. With `wholeListFromMs`, it is the list of all entries, begun then
   * or later: a filter cannot find a name that the service shows in another spelling.
   * @throws FrontdoorError.
   */
  async named(
    name: string,
    until: Until,
    { isFirst, wholeListFromMs }: { isFirst: boolean; wholeListFromMs?: number | undefined },
  ): Promise<Wire[]> {
    const { calls } = this.parts;
    let listed: Listed<Wire> | undefined;
    if (wholeListFromMs !== undefined) listed = await this.everything(until, wholeListFromMs);
    else if (isFirst) listed = await this.shared(undefined, until);
    listed ??= await calls.listWhole([["name", name]], until);
    return present(calls, listed, (other) => sameSpelling(other, name), until);
  }

  /** Returns the list of all entries, begun at `fromMs` or later. @throws FrontdoorError. */
  private everything(until: Until, fromMs: number): Whole<Wire>["listed"] {
    const { fresh } = this;
    return fresh && fresh.atMs >= fromMs ? fresh.listed : this.keep(this.parts.calls.listWhole([], until));
  }

  /** The last list of all entries, for three seconds, or until this process changes an entry. */
  private get fresh(): Whole<Wire> | undefined {
    const { whole, parts } = this;
    const isFresh = whole && parts.clock.now() - whole.atMs <= freshMs && whole.changeCount === parts.calls.changeCount;
    return isFresh ? whole : undefined;
  }

  /** Keeps a list of all entries that is asked for now. One that fails, or may lack entries, is forgotten. */
  private keep(listed: Whole<Wire>["listed"]): Whole<Wire>["listed"] {
    const { clock, calls } = this.parts;
    const whole = (this.whole = { atMs: clock.now(), changeCount: calls.changeCount, listed });
    const forget = () => {
      if (this.whole === whole) this.whole = undefined;
    };
    listed.then((done) => {
      if (!done) forget();
    }, forget);
    return listed;
  }

  /** Returns the list of all entries, or one that shows this id. Undefined if a question of its own costs no more; never rejects. */
  private async shared(id: string | undefined, until: Until): Promise<Listed<Wire> | undefined> {
    if (this.fresh) return this.fresh.listed;
    this.gathered.push(id);
    this.gathering ??= Promise.all([this.parts.clock.sleep(gatherMs, until.signal), this.answered]).then(() => {
      this.gathering = undefined;
      const answer = this.answer(this.gathered.splice(0), until);
      this.answered = answer;
      return answer;
    });
    return (await this.gathering)(id);
  }

  /** Answers questions about ids by the list of all entries, or else by one list for each hundred ids; never rejects. */
  private async answer(asked: (string | undefined)[], until: Until) {
    const fresh = await this.fresh?.listed.catch(() => undefined);
    const all = fresh ?? (await this.all(asked.length, until));
    const ids = [...new Set(asked)].filter((id) => id !== undefined);
    const listOf = new Map<string, Promise<Listed<Wire> | undefined>>();
    for (const batch of all ? [] : batches(ids, (id) => id)) {
      if (batch.length < 2) continue;
      const listed = this.list(batch, until);
      for (const id of batch) listOf.set(id, listed);
    }
    return async (id: string | undefined) => all ?? (id === undefined ? undefined : listOf.get(id));
  }

  /**
   * Returns the list of all entries if that saves requests, or else undefined; never rejects. A question costs one request without that
   * list, and each of its pages costs one. A run alternates reads and writes: after a change, one batch of questions does not pay for a list.
   */
  private async all(questions: number, until: Until): Promise<Listed<Wire> | undefined> {
    const { changeCount } = this.parts.calls;
    const { cost } = this;
    cost.questions = changeCount === cost.changeCount ? cost.questions + questions : 0;
    cost.changeCount = changeCount;
    const most = Math.min(cost.questions, mostPages);
    if (cost.pages > most) return undefined;
    const listing = this.list([], until, most);
    const whole = this.keep(listing.then((listed) => (listed?.isWhole ? listed : undefined)));
    cost.pages = Math.max((await listing)?.pageCount ?? 0, 2);
    cost.questions = 0;
    return whole;
  }

  /** Lists these ids, or all entries; undefined if that fails. */
  private list(ids: string[], until: Until, most = ids.length): Promise<Listed<Wire> | undefined> {
    return this.parts.calls.list(byIds(ids), until, { isPoll: true, mostPages: most }).catch(() => undefined);
  }
}

const byIds = (ids: string[]): Query => ids.map((id) => ["id", id]);

/** After so many failed lists in a row, each failed list is replaced by reads by id. */
const mostFailures = 3;

/**
 * Returns a poll that lists a hundred ids at a time and reads each id that the list cannot answer for. With `matchesAny` false, a list may
 * lack an id although the filter names it, and proves nothing.
 */
function pollOf<Wire extends Named>({ calls, clock, isComplete, matchesAny }: Parts<Wire>): Poll<Wire> {
  const proofs = new ProofsOfAbsence(calls);
  let failures = 0;
  const list = async (ids: string[], until: Until): Promise<Listed<Wire> | undefined> => {
    try {
      // If the service ignores the filter, a list of more pages than ids is not worth its requests.
      const listed = await calls.list(byIds(ids), until, { isPoll: true, mostPages: ids.length });
      failures = 0;
      return listed;
    } catch (error) {
      if (!isTransient(error) || isRefused(error, 429) || ++failures <= mostFailures) throw error;
      return undefined;
    }
  };
  return (asked) =>
    batches([...asked], ({ id }) => id).flatMap((batch) => {
      const earliestMs = Math.min(...batch.map(({ deadlineMs }) => deadlineMs));
      const until = { deadlineMs: Math.max(earliestMs, clock.now() + lastPollMs) };
      const listing = list([...new Set(batch.map(({ id }) => id))], until).then((listed) => ({
        listed,
        isGone: proofs.by(listed, batch, until),
      }));
      return batch.map(async (wait): Promise<Found<Wire>> => {
        const { id, startedMs, after, isById } = wait;
        const { listed, isGone } = await listing;
        const entry = listed?.byId.get(id);
        if (entry && isComplete(entry) && !isById) return entry;
        const isLacking = listed?.isWhole && !listed.ids.has(id);
        if (isLacking && matchesAny && (await isGone(wait))) return "absent";
        const newFromMs = after === "POST" ? startedMs : -Infinity;
        if (isLacking && clock.now() < newFromMs + listsOnlyMs) return "unclear";
        return (await calls.get(id, until, true).catch(unlessHidden(clock.now() - newFromMs))) ?? "absent";
      });
    });
}

/** What a list proves about resources that it lacks: the table "A delete" of docs/how-it-works.md. */
class ProofsOfAbsence<Wire extends Named> {
  /** The ids that a list has shown as DELETING. */
  private readonly deleting = new Set<string>();
  /** True once a list has lacked a deleted resource that a read still showed: it lags, or hides what leaves. */
  private isMisled = false;

  constructor(private readonly calls: Pick<Collection<Wire>, "get">) {}

  /** Notes what the list shows. Returns a function that tells if a resource that it lacks is gone; the first question can send a read. */
  by(listed: Listed<Wire> | undefined, batch: readonly Polled[], until: Until): (wait: Polled) => Promise<boolean> {
    const { deleting } = this;
    for (const { id, status } of listed?.entries ?? []) if (status === "DELETING") deleting.add(id);
    const isUnproved = ({ id, after }: Polled) =>
      after === "DELETE" && listed?.ids.has(id) === false && !deleting.has(id);
    let isLastGone: Promise<boolean> | undefined;
    return async (wait) =>
      deleting.has(wait.id) || (isUnproved(wait) && (isLastGone ??= this.isLastGone(batch.filter(isUnproved), until)));
  }

  /** True if a read proves that the resource that was deleted last is gone: then the list is right about the others too. */
  private async isLastGone(deleted: readonly Polled[], until: Until): Promise<boolean> {
    if (this.isMisled) return false;
    const { id } = deleted.reduce((last, each) => (each.startedMs > last.startedMs ? each : last));
    try {
      const seen = await this.calls.get(id, until, true);
      this.isMisled ||= seen !== undefined && seen.status !== "DELETED";
      return !this.isMisled;
    } catch {
      // The trouble can be that of this one resource.
      return false;
    }
  }
}

/** A service can answer 403 to a read of a new id that it does not show yet. Any other error is thrown. */
const unlessHidden = (newForMs: number) => (error: unknown) => {
  if (newForMs <= lagMs && isRefused(error, 403)) return "unclear" as const;
  throw error;
};
