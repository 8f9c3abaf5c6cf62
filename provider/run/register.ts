import { lagMs, startsWithinMs } from "../consistency";
import { sameSpelling } from "../fields/values";
import { type Clock, inTime, isOver, type Until } from "../time";

/** What becomes of an id in this run. `stays`: the program keeps it. `moves`: an update takes the share to another tunnel or port. `goes`: Pulumi deletes it. */
export type Fate = "unknown" | "stays" | "moves" | "goes";

/** An event about an id, as Pulumi's calls show it. */
type FateEvent =
  /** A resource of the program has it: a diff finds no change, an update begins, or a create or an adoption gets the id. */
  | "kept"
  /** The diff of a share has another known tunnel, or another port. */
  | "moving"
  /** A diff answers "replace", or Pulumi asks to delete the id. */
  | "leaving"
  /** The move or the delete has ended, even with an error. */
  | "ended";

/** The fate of an id after an event: one row per event, one column per fate before. */
const fateAfter: Record<FateEvent, Record<Fate, Fate>> = {
  kept: { unknown: "stays", stays: "stays", moves: "moves", goes: "stays" },
  moving: { unknown: "moves", stays: "stays", moves: "moves", goes: "goes" },
  leaving: { unknown: "goes", stays: "goes", moves: "goes", goes: "goes" },
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

/** What this run knows about one id. */
interface Tracked {
  fate: Fate;
  place: Place;
  /** The origin of the resource that adopts the id, or that has it in the state. */
  origin?: string;
  /** The state has the id, under a resource that check has seen. */
  isInState?: boolean;
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
  /** A create of this run has adopted it because of `takeOver: alike`. */
  isAdoptedAlike?: boolean;
  freedMs?: number;
  deployedMs?: number;
}

/** A resource of the program. */
interface Declared {
  /** The organization and the URN: no other resource has this origin. */
  origin: string;
  name: string;
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
  /** The id that a create of this run has got. */
  createdId?: string;
}

/**
 * Records what this run knows about the tunnels or the shares of one front door: the resources of the program by their origins, what the state
 * and the service have by their ids, and who has which place. Check, diff and the operations tell it what happens, in the order in which Pulumi
 * calls; in a refresh or a destroy, Pulumi also compares resources that it has not checked. The rules are in `fateAfter`.
 */
export class Register {
  private readonly byOrigin = new Map<string, Declared>();
  private readonly byId = new Map<string, Tracked>();
  /** The origins by what only one resource can have: a name, a port of a tunnel, or a location. */
  private readonly byPlace = new Map<string, string>();
  /** The origins of resources by the name that they have in the service, and keep: not the one of check if they were adopted. */
  private readonly byNameInState = new Map<string, string>();

  constructor(private readonly clock: Clock) {}

  /** Records a resource of the program. Returns the origin of another resource that already has its name. */
  declare(declared: Declared): string | undefined {
    const { name, origin } = declared;
    const other = this.claim(`name ${name}`, origin);
    if (other !== undefined) return other;
    const before = this.byOrigin.get(origin);
    this.byOrigin.set(origin, { ...before, ...declared, isInState: declared.isInState || before?.isInState === true });
    const namesake = this.byNameInState.get(name);
    return declared.wantsName && namesake !== origin ? namesake : undefined;
  }

  /**
   * Records that a resource has something that only one resource can have: a name, a port or a location. Returns the origin of another
   * resource that already has it.
   */
  claim(place: string, origin: string): string | undefined {
    const first = this.byPlace.get(place) ?? origin;
    this.byPlace.set(place, first);
    return first === origin ? undefined : first;
  }

  /** Records that a resource of the program adopts the id. Returns the origin of another resource that has it. */
  claimId(id: string, origin: string): string | undefined {
    const entry = this.entryOf(id);
    entry.origin ??= origin;
    return entry.origin === origin ? undefined : entry.origin;
  }

  /** Records that the state has the id, under a resource that check has seen. Returns the origin of another resource with the id. */
  claimInState(id: string, origin: string): string | undefined {
    const other = this.claimId(id, origin);
    if (other === undefined) this.entryOf(id).isInState = true;
    return other;
  }

  /** Records that a resource in the state keeps its name. Returns the origin of a resource that is to get that name. */
  keepName(name: string, origin: string): string | undefined {
    this.byNameInState.set(name, origin);
    const other = this.named(name);
    return other?.wantsName === true && other.origin !== origin ? other.origin : undefined;
  }

  /** Records that a create of this origin has the id. An error hook (`onError`) can make Pulumi call the create again in this run. */
  created(origin: string, id: string): void {
    this.keeps(id);
    const declared = this.byOrigin.get(origin);
    if (declared) declared.createdId = id;
  }

  /** Records that a create has adopted the id because of `takeOver: alike`: what Pulumi then deletes is the same resource. */
  adoptedAlike(id: string): void {
    this.entryOf(id).isAdoptedAlike = true;
  }

  /** Records that a resource of the program has the id. */
  keeps(id: string): void {
    const { fate, end } = this.enter("kept", id);
    if (fate === "stays") end?.resolve({});
  }

  /** Records that a share will move to another tunnel or port, and free its place. */
  willMove(id: string, place: Place): void {
    Object.assign(this.enter("moving", id).place, place);
  }

  /** Records that Pulumi will delete the id, and free its place. `order` is that in which this run replaces the tunnel. */
  willGo(id: string, place: Place, order?: ReplaceOrder): void {
    const entry = this.enter("leaving", id);
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

  /** Records that this run has seen the tunnel become DEPLOYED. */
  deployed(id: string): void {
    this.entryOf(id).deployedMs = this.clock.now();
  }

  /**
   * Waits for the move or the delete of the id, so that `by` can take its place: for 30 s, and until its end if Pulumi has begun it by then.
   * Returns undefined once the place is worth a try: the id has left, or is kept after all. Else the reason.
   */
  async awaitFreed(id: string, until: Until, by?: string): Promise<Error | undefined> {
    const { clock } = this;
    const entry = this.entryOf(id);
    const { end } = entry;
    if (!end) return entry.error;
    if (by !== undefined && this.isWaitingFor(id, by)) return new Error("the two changes wait for each other");
    const waiting = by === undefined ? undefined : this.entryOf(by);
    if (waiting) waiting.waitsFor = id;
    const startsBefore = { ...until, deadlineMs: Math.min(clock.now() + startsWithinMs, until.deadlineMs) };
    const early = await inTime(clock, startsBefore, end.promise);
    const ended = early ?? (entry.isUnderWay ? await inTime(clock, until, end.promise) : undefined);
    delete waiting?.waitsFor;
    if (ended) return ended.error;
    return new Error(
      isOver(clock, until) ? "its change or delete did not end in time" : "Pulumi has not started its change or delete",
    );
  }

  private isWaitingFor(id: string, by: string): boolean {
    for (let next: string | undefined = id; next !== undefined; next = this.byId.get(next)?.waitsFor)
      if (next === by) return true;
    return false;
  }

  fateOf(id: string): Fate {
    return this.byId.get(id)?.fate ?? "unknown";
  }

  /** Returns the resource of this origin, or undefined if check has not seen one. */
  resource(origin: string): Declared | undefined {
    return this.byOrigin.get(origin);
  }

  /** Returns the resource of this name, or undefined if check has not seen one. */
  named(name: unknown): Declared | undefined {
    const origin = typeof name === "string" ? this.byPlace.get(`name ${name}`) : undefined;
    return origin === undefined ? undefined : this.byOrigin.get(origin);
  }

  /** Returns another tunnel of which the service chooses the location, if this one or that one is new. */
  otherAnywhere({ origin, isInState }: Declared): Declared | undefined {
    return [...this.byOrigin.values()].find(
      (other) => other.isAnywhere && other.origin !== origin && !(other.isInState && isInState),
    );
  }

  /** Returns the id that an earlier create of this origin has got in this run, unless it is gone. */
  createdFor(origin: string): string | undefined {
    const id = this.byOrigin.get(origin)?.createdId;
    return id === undefined || this.isFreed(id) ? undefined : id;
  }

  /** Returns the origin of the resource that adopts this id from another one. */
  adopterOf(id: string): string | undefined {
    const { isInState = false, origin } = this.byId.get(id) ?? {};
    return isInState ? undefined : origin;
  }

  hasIdInState(id: string): boolean {
    return this.byId.get(id)?.isInState === true;
  }

  /** Returns the ids that the state has for this resource: more than one during a replacement. */
  idsOf(origin: string): string[] {
    return [...this.byId].flatMap(([id, entry]) => (entry.isInState && entry.origin === origin ? [id] : []));
  }

  /** True if a create of this run has adopted the id because of `takeOver: alike`. */
  isAdoptedAlike(id: string): boolean {
    return this.byId.get(id)?.isAdoptedAlike === true;
  }

  /** True if the program or its state has the resource. `wantedBy` is the name of another resource that needs its place. */
  isOfProgram({ id, name }: { id: string; name: string }, wantedBy?: string): boolean {
    const isNamed = name !== wantedBy && this.named(name) !== undefined;
    return this.fateOf(id) !== "unknown" || this.hasIdInState(id) || isNamed;
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
    return [...this.byId].flatMap(([id, entry]) => (frees(entry) ? [id] : []));
  }

  /** True if this run has deleted or moved the id, at any time. */
  isFreed(id: string): boolean {
    return this.byId.get(id)?.freedMs !== undefined;
  }

  /**
   * True if this run has freed a place with all these values in the last 30 s: the service need not show it yet. A value that is left out
   * matches every place.
   */
  isJustFreed({ id, tunnelId, ingressPort, locationId }: Place & { id?: string }): boolean {
    const isMeant = (freedId: string, place: Place) =>
      (id ?? freedId) === freedId &&
      (tunnelId ?? place.tunnelId) === place.tunnelId &&
      (ingressPort ?? place.ingressPort) === place.ingressPort &&
      (locationId === undefined || sameSpelling(locationId, place.locationId));
    return [...this.byId].some(([freedId, { freedMs, place }]) => this.isRecent(freedMs) && isMeant(freedId, place));
  }

  /** True if this run has seen the tunnel become DEPLOYED in the last 30 s: the service need not show it yet. */
  isJustDeployed(id: string): boolean {
    return this.isRecent(this.byId.get(id)?.deployedMs);
  }

  /** Of tunnels: true if this run replaces any tunnel. */
  get isReplacing(): boolean {
    return [...this.byId.values()].some(({ fate, order }) => fate === "goes" && order !== undefined);
  }

  /** Returns the order in which this run replaces a tunnel, or the tunnel of the share; undefined if it does not replace the tunnel. */
  orderOf(id: string): ReplaceOrder | undefined {
    const entry = this.byId.get(id);
    return entry?.fate === "goes" ? entry.order : undefined;
  }

  private isRecent(atMs = -Infinity): boolean {
    return this.clock.now() - atMs < lagMs;
  }

  private entryOf(id: string): Tracked {
    const entry = this.byId.get(id) ?? { fate: "unknown", place: {} };
    this.byId.set(id, entry);
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
