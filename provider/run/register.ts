import { lagMs, startsWithinMs } from "../consistency";
import { locationOf, sameSpelling } from "../fields/values";
import { type Clock, inTime, isOver, type Until } from "../time";
import { End, type Fate, fateAfter, type FateEvent, isPending, type Place, type ReplaceOrder } from "./fate";

/** What this run knows about one id. */
interface IdEntry {
  fate: Fate;
  place: Place;
  /** The origin of the resource that adopts the id, or that has it in the state. */
  origin?: string;
  /** The state has the id, under a resource that check has seen. */
  isInState?: boolean;
  /** The order in which this run replaces the tunnel. */
  order?: ReplaceOrder;
  /** The share goes before its tunnel, which this run replaces. */
  goesWithTunnel?: boolean;
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
  /** The last create or update has ended, and the resource was not ready. */
  isUnfinished?: boolean;
  /** The tunnels that the last write of this run to the share was about. */
  tunnelIds?: readonly string[];
  freedMs?: number;
  deployedMs?: number;
}

/** A resource of the program, with all that only one resource of a front door can have. */
export interface Declared {
  /** The organization and the URN: no other resource has this origin. */
  origin: string;
  name: string;
  /** The id of the share's tunnel, or the URN of one that does not exist yet. */
  tunnelId?: string | undefined;
  ingressPort?: number | undefined;
  locationId?: string | undefined;
  /** The id that the resource adopts. */
  adopt?: string | undefined;
  /** The state holds the resource. */
  isInState: boolean;
  /** The program puts the share on a tunnel that does not exist yet. */
  hasUnknownTunnel: boolean;
  /** The program gives the option `retainOnDelete`. */
  isRetained: boolean;
  /** The tunnel names no location, so the service chooses one. */
  isAnywhere: boolean;
}

/** What check got and returned. */
interface Checked {
  inputs: object;
  /** The inputs in the state, if later calls do not tell them. */
  oldInputs?: object | undefined;
  /** The URN of the tunnel from which `ipsecTunnelId` comes, as far as check is told. */
  tunnel?: string | undefined;
}

/** What this run knows about one origin. */
interface OriginEntry {
  declared?: Declared;
  checked?: Checked;
  /** The id that a create of this run has got. */
  createdId?: string;
  /** The id in the state, if the last diff does not replace it. */
  keptId?: string | undefined;
}

/** Another resource of the program has what only one can have. */
export interface Conflict {
  what: "name" | "port" | "location" | "id";
  /** The origin of that resource. */
  other: string;
}

/** What a diff answers about an id. */
interface Verdict {
  what: "same" | "update" | "moves" | "replace";
  /** What the id has, and frees if it moves or goes. */
  place: Place;
  /** The order in which Pulumi replaces a tunnel. */
  order?: ReplaceOrder;
  /** The share goes before its tunnel. */
  goesWithTunnel?: boolean;
}

/** A move or a delete under way. */
export interface Work {
  /** Notes the end: without an error, the place is free. Those who wait for it go on. */
  ends: (error?: Error) => void;
}

/**
 * The register of a run: the resources of the program by their origins, the ids of the state and of the service, and who has which place. Check,
 * diff and the operations tell it what happens, in the order in which Pulumi calls, and nobody else remembers it. In a refresh or a destroy,
 * Pulumi also compares what it has not checked. The rules are in `fateAfter`.
 */
export class Register {
  private readonly byId = new Map<string, IdEntry>();
  /** The origins by what only one resource can have, such as `port 443 of tnl-1`. */
  private readonly byPlace = new Map<string, string>();

  constructor(
    private readonly clock: Clock,
    private readonly byOrigin = new Map<string, OriginEntry>(),
  ) {}

  /** Returns a register of other ids and places, for resources of the same program. */
  beside(): Register {
    return new Register(this.clock, this.byOrigin);
  }

  // What happens

  /** Check has seen a resource of the program. Returns what other resources have of that which it declares. */
  declares(declared: Declared): Conflict[] {
    const { origin, name, tunnelId, ingressPort, locationId, adopt } = declared;
    const isAgain = this.byPlace.get(`name ${name}`) === origin;
    const namesake = this.claim(`name ${name}`, origin);
    const entry = this.originEntry(origin);
    // What this run deletes to create it again is also in the state.
    const isInState = this.pendingAt({ name }).length > 0 || (isAgain && entry.declared?.isInState === true);
    if (namesake === undefined) entry.declared = { ...declared, isInState: declared.isInState || isInState };
    const hasPort = tunnelId !== undefined && tunnelId !== "" && ingressPort !== undefined;
    const others = {
      name: namesake,
      port: hasPort ? this.claim(`port ${ingressPort} of ${tunnelId}`, origin) : undefined,
      location: locationId === undefined ? undefined : this.claim(`location ${locationOf(locationId)}`, origin),
      id: adopt === undefined ? undefined : this.claimId(adopt, origin, "adopt"),
    };
    return Object.entries(others).flatMap(([what, other]) =>
      other === undefined ? [] : [{ what: what as Conflict["what"], other }],
    );
  }

  /** Check has returned. */
  checked(origin: string, checked: Checked): void {
    this.originEntry(origin).checked = checked;
  }

  /** Calls that tell no origin can find the resource by this text. */
  identifies(identity: string, origin: string): void {
    this.byPlace.set(identity, origin);
  }

  /**
   * A diff has compared an id of the state. `origin` is that of a resource which check has seen. Returns the origin of another resource that has
   * the id. What stays the same is kept only once `keeps` says so: a set that changes keeps nothing before its update.
   */
  compared(
    origin: string | undefined,
    id: string,
    { what, place, order, goesWithTunnel }: Verdict,
  ): string | undefined {
    const other = origin === undefined ? undefined : this.claimId(id, origin, "state");
    if (other !== undefined) return other;
    if (origin !== undefined) this.originEntry(origin).keptId = what === "replace" ? undefined : id;
    if (what !== "moves" && what !== "replace") return undefined;
    const entry = this.enter(what === "moves" ? "moving" : "leaving", id);
    Object.assign(entry.place, place);
    if (order) entry.order = order;
    if (goesWithTunnel) entry.goesWithTunnel = true;
    return undefined;
  }

  /** The resource of this name still says that it adopts the id, which it had before. The id counts as one that the state has. */
  hasAdopted(name: unknown, id: string): void {
    const { origin } = this.named(name) ?? {};
    if (origin !== undefined) this.claimId(id, origin, "state");
  }

  /** A create of this origin has got the id. An error hook (`onError`) can make Pulumi call the create again in this run. */
  created(origin: string, id: string): void {
    this.keeps(id);
    if (origin !== "") this.originEntry(origin).createdId = id;
  }

  /** A create has adopted the id because of `takeOver: alike`: what Pulumi then deletes is the same resource. */
  adoptedAlike(id: string): void {
    this.idEntry(id).isAdoptedAlike = true;
  }

  /** A resource of the program has the id. */
  keeps(id: string): void {
    const { fate, end } = this.enter("kept", id);
    if (fate === "stays") end?.resolve({});
  }

  /** Frontdoor has accepted a write to the share, on these tunnels. */
  wrote(id: string, tunnelIds: readonly string[]): void {
    this.idEntry(id).tunnelIds = tunnelIds;
  }

  /** Pulumi has begun the update or the delete of the id. */
  begins(id: string, what: "update" | "delete", place: Place = {}): Work {
    if (what === "update") this.keeps(id);
    else this.enter("leaving", id);
    const entry = this.idEntry(id);
    Object.assign(entry.place, place);
    // An error hook can make Pulumi repeat a move or a delete that has failed.
    if (!isPending(entry.fate) && entry.error === undefined) return { ends: () => undefined };
    entry.end ??= new End();
    entry.isUnderWay = true;
    return {
      ends: (error) => {
        entry.isUnderWay = false;
        this.ended(id, error);
      },
    };
  }

  /** A create or an update of the id has ended. */
  made(id: string, isUnfinished: boolean): void {
    if (isUnfinished || this.byId.has(id)) this.idEntry(id).isUnfinished = isUnfinished;
  }

  /** The place is free. The service need not show it for 30 s. */
  freed(id: string, place: Place): void {
    Object.assign(this.idEntry(id).place, place);
    this.ended(id);
  }

  /** The tunnel has become DEPLOYED. */
  deployed(id: string): void {
    this.idEntry(id).deployedMs = this.clock.now();
  }

  // What follows

  /**
   * Waits for the move or the delete of the id, so that `by` can take its place: for 30 s, and until its end if Pulumi has begun it by then.
   * Returns undefined once the place is worth a try: the id has left, or is kept after all. Else the reason.
   */
  async awaitFreed(id: string, until: Until, by?: string): Promise<Error | undefined> {
    const { clock } = this;
    const entry = this.idEntry(id);
    const { end } = entry;
    if (!end) return entry.error;
    if (by !== undefined && this.isWaitingFor(id, by)) return new Error("the two changes wait for each other");
    const waiting = by === undefined ? undefined : this.idEntry(by);
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
    for (let next: string | undefined = id; next !== undefined; next = this.id(next).waitsFor)
      if (next === by) return true;
    return false;
  }

  /** Returns what is known about an id. */
  id(id: string): Readonly<IdEntry> {
    return this.byId.get(id) ?? { fate: "unknown", place: {} };
  }

  fateOf(id: string): Fate {
    return this.id(id).fate;
  }

  /** Returns the origin of the resource with this identity. */
  identified = (identity: string): string | undefined => this.byPlace.get(identity);

  /** Returns what is known about an origin. */
  resource(origin = ""): Readonly<OriginEntry> {
    return this.byOrigin.get(origin) ?? {};
  }

  /** Returns the resource of this name, or undefined if check has not seen one. */
  named(name: unknown): Declared | undefined {
    const origin = typeof name === "string" ? this.byPlace.get(`name ${name}`) : undefined;
    return this.resource(origin).declared;
  }

  /** The origins of the resources that check has seen. */
  get origins(): Iterable<string> {
    return this.byOrigin.keys();
  }

  /** Returns another tunnel of which the service chooses the location, if this one or that one is new. */
  otherAnywhere({ origin, isInState }: Declared): Declared | undefined {
    for (const each of new Set(this.byPlace.values())) {
      const other = each === origin ? undefined : this.resource(each).declared;
      if (other?.isAnywhere && !(other.isInState && isInState)) return other;
    }
    return undefined;
  }

  /** Returns the id that an earlier create of this origin has got in this run, unless it is gone. */
  createdFor(origin: string): string | undefined {
    const id = this.resource(origin).createdId;
    return id === undefined || this.isFreed(id) ? undefined : id;
  }

  /** Returns the origin of the resource that adopts this id from another one. */
  adopterOf(id: string): string | undefined {
    const { isInState = false, origin } = this.id(id);
    return isInState ? undefined : origin;
  }

  /** Returns the ids that the state has for this resource: more than one during a replacement. */
  idsOf(origin: string): string[] {
    return [...this.byId].flatMap(([id, entry]) => (entry.isInState && entry.origin === origin ? [id] : []));
  }

  /** True if one of these ids is a share that this run has written on one of these tunnels. */
  isAnyOn(tunnelIds: readonly string[], ids: readonly string[]): boolean {
    return ids.some((id) => this.id(id).tunnelIds?.some((each) => tunnelIds.includes(each)) === true);
  }

  /** True if the program or its state has the resource. `wantedBy` is the name of another resource that needs its place. */
  isOfProgram({ id, name }: { id: string; name: string }, wantedBy?: string): boolean {
    const isNamed = name !== wantedBy && this.named(name) !== undefined;
    const { fate, isInState = false } = this.id(id);
    return fate !== "unknown" || isInState || isNamed;
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
    const frees = ({ fate, place }: IdEntry) =>
      isPending(fate) && (hasPort(place) || (fate === "goes" && [place.name, place.checkedName].includes(name)));
    return [...this.byId].flatMap(([id, entry]) => (frees(entry) ? [id] : []));
  }

  /** True if this run has deleted or moved the id, at any time. */
  isFreed(id: string): boolean {
    return this.id(id).freedMs !== undefined;
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
    return this.isRecent(this.id(id).deployedMs);
  }

  /** Of tunnels: true if this run replaces any tunnel. */
  get isReplacing(): boolean {
    return [...this.byId.values()].some(({ fate, order }) => fate === "goes" && order !== undefined);
  }

  /**
   * Of shares: decides what becomes of a share whose tunnel has no id yet. `isSeen` is true if check has seen that: the program puts the share on
   * a new tunnel, and only a tunnel that is deleted first takes the share with it. Without a check, Pulumi asks because it replaces the share's
   * tunnel delete first, and deletes those shares before that have to be replaced. `isReplacing` is true if this run replaces any tunnel: if it is
   * another one, the program has moved the share to that.
   */
  fateWithTunnel(
    id: string,
    { tunnelId, isSeen }: { tunnelId: string; isSeen: boolean },
    { tunnels, isReplacing }: { tunnels: Register; isReplacing: boolean },
  ): "stays" | "moves" | "goes" {
    if (isSeen) return tunnels.orderOf(tunnelId) === "delete first" ? "goes" : "moves";
    const tunnel = tunnels.fateOf(tunnelId);
    const isTunnelStaying = tunnel === "stays" || (tunnel === "unknown" && isReplacing);
    return isTunnelStaying || ["stays", "moves"].includes(this.fateOf(id)) ? "stays" : "goes";
  }

  /** Of tunnels: returns the order in which this run replaces the tunnel; undefined if it does not. */
  orderOf(id: string): ReplaceOrder | undefined {
    const entry = this.byId.get(id);
    return entry?.fate === "goes" ? entry.order : undefined;
  }

  /** Notes that a resource has what only one can have. Returns the origin of another resource that already has it. */
  private claim(place: string, origin: string): string | undefined {
    const first = this.byPlace.get(place) ?? origin;
    this.byPlace.set(place, first);
    return first === origin ? undefined : first;
  }

  /** Notes that a resource has the id, in the state or by `adopt`. Returns the origin of another resource that already has it. */
  private claimId(id: string, origin: string, where: "state" | "adopt"): string | undefined {
    const entry = this.idEntry(id);
    entry.origin ??= origin;
    if (entry.origin !== origin) return entry.origin;
    if (where === "state") entry.isInState = true;
    return undefined;
  }

  private isRecent(atMs = -Infinity): boolean {
    return this.clock.now() - atMs < lagMs;
  }

  private originEntry(origin: string): OriginEntry {
    const entry = this.byOrigin.get(origin) ?? {};
    this.byOrigin.set(origin, entry);
    return entry;
  }

  private idEntry(id: string): IdEntry {
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
  private enter(event: FateEvent, id: string): IdEntry {
    const entry = this.idEntry(id);
    const wasPending = isPending(entry.fate);
    entry.fate = fateAfter[event][entry.fate];
    // If a move becomes a delete, those who wait for the end of the move wait for the end of the delete.
    if (isPending(entry.fate) && !wasPending) entry.end = new End();
    return entry;
  }
}
