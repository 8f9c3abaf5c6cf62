import { lagMs, startsWithinMs } from "../consistency";
import { sameSpelling } from "../fields/values";
import { type Clock, inTime, isOver, persist, type Until } from "../time";

/** What becomes of an id in this run. `stays`: the program keeps it. `moves`: an update takes the share to another tunnel or port. `goes`: Pulumi deletes it. */
export type Fate = "unknown" | "stays" | "moves" | "goes";

/** An event about an id, as Pulumi's calls show it. */
type FateEvent =
  /** A resource of the program has it: a diff finds no change, an update begins, or a create or an adoption gets the id. */
  | "stays"
  /** The diff of a share has another known tunnel, or another port. */
  | "moves"
  /** A diff answers "replace", or Pulumi asks to delete the id. */
  | "goes"
  /** The move or the delete has ended, even with an error. */
  | "ended";

/** The fate of an id after an event: one row per event, one column per fate before. */
const fateAfter: Record<FateEvent, Record<Fate, Fate>> = {
  stays: { unknown: "stays", stays: "stays", moves: "moves", goes: "stays" },
  moves: { unknown: "moves", stays: "stays", moves: "moves", goes: "goes" },
  goes: { unknown: "goes", stays: "goes", moves: "goes", goes: "goes" },
  ended: { unknown: "unknown", stays: "stays", moves: "stays", goes: "goes" },
};

/** What a resource has that another one can need. A delete frees all of it, and the move of a share its port. */
export interface Place {
  name?: string;
  /** The name that the program gives, if an adopted resource has another one in the service. */
  checkedName?: string;
  tunnelId?: string | undefined;
  ingressPort?: number | undefined;
  locationId?: string | undefined;
}

/** The order of Pulumi's steps when it replaces a tunnel. Its shares leave with it only if that is "delete first". */
type ReplaceOrder = "create first" | "delete first";

interface Tracked {
  fate: Fate;
  place: Place;
  /** Set for a tunnel that this run replaces, and for a share that leaves with its tunnel. */
  order?: ReplaceOrder;
  /** The end of the move or the delete that is to come, for which others wait. */
  end?: End;
  /** The error of the last move or delete. */
  error?: Error | undefined;
  /** True while Pulumi moves or deletes it. */
  isUnderWay?: boolean;
  /** The id whose move or delete it waits for. */
  waitsFor?: string;
  freedMs?: number;
  deployedMs?: number;
}

/** Records what this run knows about each id of one kind on one front door. The rules are in `fateAfter`. */
export class Ledger {
  private readonly entries = new Map<string, Tracked>();
  /** The ids that a create of this run has adopted because of `takeOver: alike`. */
  readonly adoptedAlike = new Set<string>();
  private readonly created = new Map<string, string>();

  constructor(private readonly clock: Clock) {}

  /** Records that a create of this origin has the id. An error hook (`onError`) can make Pulumi call the create again in this run. */
  ownCreated(id: string, origin: string): void {
    this.own(id);
    this.created.set(origin, id);
  }

  /** Returns the id that an earlier create of this origin has got in this run, unless it is gone. */
  createdFor(origin: string): string | undefined {
    const id = this.created.get(origin);
    return id === undefined || this.isFreed(id) ? undefined : id;
  }

  fateOf(id: string): Fate {
    return this.entries.get(id)?.fate ?? "unknown";
  }

  /** Records that a resource of the program has the id. */
  own(id: string): void {
    const { fate, end } = this.enter("stays", id);
    if (fate === "stays") end?.resolve({});
  }

  /** Records that the id will free its place. */
  willFree(id: string, how: "moves" | "goes", place: Place, order?: ReplaceOrder): void {
    const entry = this.enter(how, id);
    Object.assign(entry.place, place);
    if (order) entry.order = order;
  }

  /** Does the move or the delete of the id, if it has one. Then the waits for its end are over. */
  async freeing<Result>(
    id: string,
    work: () => Promise<Result>,
    errorOf: (result: Result) => Error | undefined = () => undefined,
  ): Promise<Result> {
    const entry = this.entryOf(id);
    // An error hook can make Pulumi repeat a move or a delete that has failed.
    if (!isPending(entry.fate) && entry.error === undefined) return work();
    entry.end ??= new End();
    entry.isUnderWay = true;
    let error: Error | undefined;
    try {
      const result = await work();
      error = errorOf(result);
      return result;
    } catch (thrown) {
      error = thrown as Error;
      throw thrown;
    } finally {
      entry.isUnderWay = false;
      this.ended(id, error);
    }
  }

  /** Records that the place is free. The service need not show it for 30 s. */
  freed(id: string, place: Place): void {
    Object.assign(this.entryOf(id).place, place);
    this.ended(id);
  }

  /**
   * Waits for the move or the delete of the id, so that `by` can take its place. Returns undefined once the place is worth a try: the id has
   * left, or is owned after all. Else the reason.
   */
  async awaitFreed(id: string, until: Until, by?: string): Promise<Error | undefined> {
    const { clock } = this;
    const { end, error, place } = this.entries.get(id) ?? {};
    if (!end) return error;
    for (let next: string | undefined = id; next !== undefined; next = this.entries.get(next)?.waitsFor)
      if (next === by) return new Error("the two changes wait for each other");
    if (by !== undefined) this.entryOf(by).waitsFor = id;
    // In rounds of 30 s: a step that Pulumi has not begun may wait for another step of the tunnel.
    const isWorking = ({ isUnderWay, waitsFor }: Tracked) => isUnderWay === true && waitsFor === undefined;
    const isAnyUnderWay = () =>
      [...this.entries.values()].some((each) => isWorking(each) && each.place.tunnelId === place?.tunnelId);
    const ended = await persist(
      clock,
      until,
      () => (isAnyUnderWay() ? 0 : undefined),
      () => {
        const deadlineMs = Math.min(clock.now() + startsWithinMs, until.deadlineMs);
        return inTime(clock, { ...until, deadlineMs }, end.promise);
      },
    );
    if (by !== undefined) delete this.entryOf(by).waitsFor;
    if (ended) return ended.error;
    return new Error(
      isOver(clock, until) ? "its change or delete did not end in time" : "Pulumi has not started its change or delete",
    );
  }

  /** True if this run moves or deletes the id. */
  isPending(id: string): boolean {
    return isPending(this.fateOf(id));
  }

  /** True if this run moves or deletes the id, and has not freed its place yet. */
  isLeaving(id: string): boolean {
    return this.isPending(id) && !this.isFreed(id);
  }

  /** Returns the ids that free this name, or this port of this tunnel. */
  pendingAt({ name, tunnelId, ingressPort }: Place & { name: string }): string[] {
    const hasPort = (place: Place) =>
      ingressPort !== undefined && place.tunnelId === tunnelId && place.ingressPort === ingressPort;
    const frees = ({ fate, place }: Tracked) =>
      isPending(fate) && (hasPort(place) || (fate === "goes" && [place.name, place.checkedName].includes(name)));
    return [...this.entries].flatMap(([id, entry]) => (frees(entry) ? [id] : []));
  }

  /** True if this run has deleted or moved the id, at any time. */
  isFreed(id: string): boolean {
    return this.entries.get(id)?.freedMs !== undefined;
  }

  /**
   * True if this run has freed a place with all these values in the last 30 s: the service need not show it yet. A value that is left out
   * matches every place.
   */
  hasJustFreed({ id, tunnelId, ingressPort, locationId }: Place & { id?: string }): boolean {
    const isMeant = (of: string, place: Place) =>
      (id ?? of) === of &&
      (tunnelId ?? place.tunnelId) === place.tunnelId &&
      (ingressPort ?? place.ingressPort) === place.ingressPort &&
      (locationId === undefined || sameSpelling(locationId, place.locationId));
    return [...this.entries].some(([of, { freedMs, place }]) => this.isRecent(freedMs) && isMeant(of, place));
  }

  /** Records that this run has seen the tunnel become DEPLOYED. */
  deployed(id: string): void {
    this.entryOf(id).deployedMs = this.clock.now();
  }

  /** True if this run has seen the tunnel become DEPLOYED in the last 30 s: the service need not show it yet. */
  isJustDeployed(id: string): boolean {
    return this.isRecent(this.entries.get(id)?.deployedMs);
  }

  /** For the ledger of tunnels: true if this run replaces any tunnel. */
  get isReplacing(): boolean {
    return [...this.entries.values()].some(({ fate, order }) => fate === "goes" && order !== undefined);
  }

  /** Returns the order in which this run replaces a tunnel, or the tunnel of the share; undefined if it does not replace the tunnel. */
  orderOf(id: string): ReplaceOrder | undefined {
    const entry = this.entries.get(id);
    return entry?.fate === "goes" ? entry.order : undefined;
  }

  private isRecent(atMs = -Infinity): boolean {
    return this.clock.now() - atMs < lagMs;
  }

  private entryOf(id: string): Tracked {
    const entry = this.entries.get(id) ?? { fate: "unknown", place: {} };
    this.entries.set(id, entry);
    return entry;
  }

  private ended(id: string, error?: Error): void {
    const entry = this.enter("ended", id);
    entry.end?.resolve({ error });
    delete entry.end;
    entry.error = error;
    if (!error) entry.freedMs = this.clock.now();
  }

  /** Applies the table to an event about an id. */
  private enter(event: FateEvent, id: string): Tracked {
    const entry = this.entryOf(id);
    const wasPending = isPending(entry.fate);
    entry.fate = fateAfter[event][entry.fate];
    // If a move becomes a delete, those who wait for the end of the move wait for the end of the delete.
    if (isPending(entry.fate) && !wasPending) entry.end = new End();
    return entry;
  }
}

/** The end of a move or a delete. Only the first resolve counts. */
class End {
  resolve: (end: { error?: Error | undefined }) => void = () => undefined;
  readonly promise = new Promise<{ error?: Error | undefined }>((resolve) => (this.resolve = resolve));
}

/** True if the id will free its port. */
const isPending = (fate: Fate): boolean => fate === "moves" || fate === "goes";

/** A resource of the program. */
interface Declared {
  /** The organization and the URN: no other resource has this origin. */
  origin: string;
  /** The state holds the resource. */
  isInState: boolean;
  /** The program puts the share on a tunnel that does not exist yet. */
  hasUnknownTunnel: boolean;
  /** The program gives the option `retainOnDelete`. */
  isRetained: boolean;
  /** The tunnel names no location, so the service chooses one. */
  isAnywhere: boolean;
  /** The resource is to get a name that it does not have yet. */
  wantsName: boolean;
}

/**
 * Records the resources of one kind on one front door that the program declares, as soon as check sees them. In a refresh or a destroy,
 * diff is also called for resources that check has not seen.
 */
export class Declarations {
  private readonly byName = new Map<string, Declared>();
  /** The names, by origin: a lookup for each check must not search them all. */
  private readonly names = new Map<string, string>();
  /** The origins of resources by the name that they have in the service, and keep: not the one of check if they were adopted. */
  private readonly byNameInState = new Map<string, string>();
  private readonly claims = new Map<string, string>();
  private readonly idsInState = new Set<string>();

  /** Records the resource of this name. Returns the origin of another resource that already has the name. */
  declare(name: string, declared: Declared): string | undefined {
    const first = this.byName.get(name) ?? declared;
    if (first.origin !== declared.origin) return first.origin;
    this.byName.set(name, { ...declared, isInState: declared.isInState || first.isInState });
    this.names.set(declared.origin, name);
    return declared.wantsName ? this.otherNamed(name, declared.origin) : undefined;
  }

  /** Returns the name of the resource of this origin, if check has seen it in this run. */
  nameOf(origin: string): string | undefined {
    return this.names.get(origin);
  }

  /** Returns the resource of this name, or undefined if check has not seen one. */
  named(name: unknown): Declared | undefined {
    return typeof name === "string" ? this.byName.get(name) : undefined;
  }

  /** Records that a resource in the state keeps its name. Returns the origin of a resource that is to get that name. */
  keepName(name: string, origin: string): string | undefined {
    this.byNameInState.set(name, origin);
    const other = this.byName.get(name);
    return other?.wantsName === true && other.origin !== origin ? other.origin : undefined;
  }

  /** Returns the origin of another resource of the program that has the name, in the program or in the service. */
  otherNamed(name: string, origin: string): string | undefined {
    const holders = [this.byName.get(name)?.origin, this.byNameInState.get(name)];
    return holders.find((holder) => holder !== undefined && holder !== origin);
  }

  /** Returns another tunnel of which the service chooses the location, if this one or that one is new. */
  otherAnywhere({ origin, isInState }: Declared): Declared | undefined {
    return [...this.byName.values()].find(
      (other) => other.isAnywhere && other.origin !== origin && !(other.isInState && isInState),
    );
  }

  /**
   * Records that a resource has something that only one resource can have: an id, a port or a location. Returns the origin of another
   * resource that already has it.
   */
  claim(what: string, origin: string): string | undefined {
    const first = this.claims.get(what) ?? origin;
    this.claims.set(what, first);
    return first === origin ? undefined : first;
  }

  /** Returns the origin of the resource that adopts this id from another one. */
  adopterOf(id: string): string | undefined {
    return this.idsInState.has(id) ? undefined : this.claims.get(id);
  }

  /** Records that the state has the id, under a resource that check has seen. Returns the origin of another resource with the id. */
  claimInState(id: string, origin: string): string | undefined {
    const other = this.claim(id, origin);
    if (other === undefined) this.idsInState.add(id);
    return other;
  }

  hasIdInState(id: string): boolean {
    return this.idsInState.has(id);
  }

  /** Returns the ids that the state has for this resource: more than one during a replacement. */
  idsOf(origin: string): string[] {
    return [...this.idsInState].filter((id) => this.claims.get(id) === origin);
  }
}

/** True if the program or its state has the resource. `wantedBy` is the name of another resource that needs its place. */
export const isOfProgram = (
  { ledger, declarations }: { ledger: Ledger; declarations: Declarations },
  { id, name }: { id: string; name: string },
  wantedBy?: string,
): boolean =>
  ledger.fateOf(id) !== "unknown" ||
  declarations.hasIdInState(id) ||
  (name !== wantedBy && declarations.named(name) !== undefined);
