import type { Collection } from "../api/collection";
import type { Query } from "../api/lists";
import { isBusy, isPresent, type Named, type WireShare, type WireTunnel } from "../api/wire";
import { failed, FrontdoorError, isConflict, isRefused, isUnknownPath, limit, seconds, serviceWords } from "../errors";
import { sameSpelling } from "../fields/values";
import { placePending, placeTaken, portInUse, tunnelGone, tunnelInUse } from "../messages";
import { isDerivedInStackOf, otherStackOf } from "../origin";
import type { Context, FrontDoor, Kind } from "../run/service";
import { backoff, isOver, type Until } from "../time";
import { judgeOfGone } from "./progress";

// What follows a refused write: the causes, the answers that they explain, and the message that names the cause. A location has one tunnel
// (spec: Tunnel rule), and a port of a tunnel one share. Check refuses two resources of a program, and the service refuses all others.

/** What the service's answer to a write says. */
export type Says =
  /** Another 400; 409, 412, 423, 425: the write can be refused because of a resource's present state. */
  | "conflict"
  /** 400 `Value for … must be of …` about the tunnel, the location or the port. */
  | "wrong destination"
  /** 404. */
  | "not found";

/** The cause of a refusal, as the readings show it. */
type Cause =
  /** In the last 30 s, this run has seen the tunnel become DEPLOYED, or has freed the port or the location, or a share of the tunnel to delete. */
  | { what: "not shown yet" }
  /** The resource itself or its own tunnel is busy, or another share on that tunnel. */
  | { what: "busy" }
  /** The tunnel of the share is missing, or is being deleted. */
  | { what: "tunnel gone"; message: string }
  /** Another resource has the port or the location. */
  | { what: "holder stays"; message: string }
  /** The holder is being deleted, or this run moves or deletes it. `awaitGone` throws a FrontdoorError if it stays. */
  | { what: "holder leaves"; awaitGone: () => Promise<void> };

/**
 * The answers that a cause explains: the table "A write that fails" of docs/how-it-works.md. Any other answer fails with the words of the
 * service. What follows otherwise is the cause's: a message, a wait for the holder, or another try after a pause.
 */
const explained: Record<Cause["what"], readonly Says[]> = {
  "not shown yet": ["conflict", "wrong destination", "not found"],
  busy: ["conflict"],
  "tunnel gone": ["conflict", "wrong destination", "not found"],
  "holder stays": ["conflict", "wrong destination"],
  "holder leaves": ["conflict", "wrong destination"],
};

/** The only form of a 400 that the specification shows, and the property that it names (spec: Errors). */
const form = /\bValue for \W?([\w.[\]-]+)\W? must be of\b/i;

/** Returns the property that a 400 of that form names. */
const propertyIn = (error: unknown): string | undefined =>
  isRefused(error, 400) ? form.exec(serviceWords(error))?.[1] : undefined;

/**
 * Returns what a refusal says; undefined if it is for good: 401, 403, 422, any other status, and such a 400 about another argument.
 * `destination` matches the properties that say where the resource is to be. Undefined for a DELETE: it sends no property, so each conflict
 * is about the present state.
 */
export function saysOf(error: unknown, destination: RegExp | undefined): Says | undefined {
  if (isRefused(error, 404) || isUnknownPath(error)) return "not found";
  if (!isConflict(error)) return undefined;
  const property = propertyIn(error);
  if (property === undefined || !destination) return "conflict";
  return destination.test(property) ? "wrong destination" : undefined;
}

/** The arguments that another resource can be in the way of. */
interface Wanted {
  name: string;
  frontdoorId: string;
  ipsecTunnelId?: string;
  ingressPort?: number;
  locationId?: string | undefined;
}

/** What a write is for. */
export interface WriteTarget<Wire extends Named> {
  kind: Kind<Wire>;
  /** Names the resource in messages. */
  label: string;
  /** Undefined for a create. */
  id?: string | undefined;
  /** The tunnels that a share is on now and will be on, the new one last: a tunnel may accept one change at a time. */
  tunnelIds?: string[];
  /** What the resource is to be: another one can have its port or its location. Undefined for a delete. */
  inputs?: Wanted;
  /** For the delete of a tunnel: the front door of the shares that use it. */
  usersOn?: FrontDoor;
}

/** True for a DELETE: it is for nothing that the resource is to be. */
export const isDelete = ({ id, inputs }: Pick<WriteTarget<Named>, "id" | "inputs">): boolean =>
  id !== undefined && inputs === undefined;

/** Reports the refusal instead of a status: the resource still has the status from before the write. */
function reportRefused({ report, startedMs, deadlineMs }: Until, nowMs: number, why: string): void {
  const begunMs = startedMs ?? nowMs;
  report?.(`refused for ${seconds(nowMs - begunMs)} while ${why}, limit ${limit(deadlineMs - begunMs)}`);
}

/** Reports a wait for another resource under the name of that one. */
const about = (what: string, until: Until): Until => ({
  ...until,
  report: until.report && ((progress) => until.report?.(`waits for ${what}: ${progress}`)),
});

const reasons = {
  "not shown yet": "Frontdoor may not show the last change yet",
  busy: "the tunnel is busy",
};

const isAtWork = (seen: Named | undefined): boolean => seen !== undefined && isPresent(seen) && isBusy(seen);

/** A read that fails says nothing about the write. */
const unread = () => undefined;

/** What a list shows of a share or a tunnel. */
type Entry = Named & { ipsecTunnelId?: string; ingressPort?: number; locationId?: string | undefined };

/** The refusals of one write, one after the other. */
export class Refusals<Wire extends Named> {
  /** The last refusal. */
  private error: unknown;
  /** True if work was under way at the last refusal. */
  private wasBusy = false;

  constructor(
    private readonly target: WriteTarget<Wire>,
    /** The time of the first of these writes, or of the end of the last wait for a holder: the pauses grow from here. */
    private sinceMs: number,
    private readonly until: Context,
  ) {}

  /**
   * Pauses as long as the table says: until work on the resource or its tunnel may have ended, until the service may show what this run has
   * just done, or until the holder of the place is gone. @throws FrontdoorError of the refusal, with its cause, if no other write can follow.
   */
  async pause(error: unknown): Promise<void> {
    const { until } = this;
    const { kind } = this.target;
    const { clock } = kind;
    this.error = error;
    const says = saysOf(error, isDelete(this.target) ? undefined : kind.destination);
    if (!says || isOver(clock, until)) throw error;
    const shown = await this.causeOf(says === "conflict");
    // If work that was under way at the last refusal has ended, one more try can succeed.
    const cause = shown ?? (this.wasBusy && says === "conflict" ? ({ what: "busy" } as const) : undefined);
    this.wasBusy = shown?.what === "busy";
    if (!cause || !explained[cause.what].includes(says)) throw error;
    if ("message" in cause) throw this.because(cause.message);
    if ("awaitGone" in cause) {
      await cause.awaitGone();
      this.sinceMs = clock.now();
    } else reportRefused(until, clock.now(), reasons[cause.what]);
    // What does not show yet shows within 30 s, so a few tries are enough: the pauses grow three times as fast.
    const waitedMs = (clock.now() - this.sinceMs) * (cause.what === "not shown yet" ? 3 : 1);
    const pauseMs = backoff(waitedMs, clock.random()) * (0.5 + clock.random());
    await clock.sleep(Math.min(pauseMs, until.deadlineMs - clock.now()), until.signal);
    if (isOver(clock, until)) throw error;
  }

  /** Returns the refusal with a message that names its cause. */
  private because(message: string): FrontdoorError {
    return new FrontdoorError(message, (this.error as FrontdoorError).trouble);
  }

  private get words(): string {
    return serviceWords(this.error);
  }

  /** Returns the first cause that the readings show. Only a conflict can come from work under way. */
  private async causeOf(isConflict: boolean): Promise<Cause | undefined> {
    const { kind, id, inputs, usersOn } = this.target;
    // No write is sent again without a read: of the resource itself, or of the list of its tunnel for a POST.
    const own = id === undefined ? undefined : await kind.calls.get(id, this.until).catch(unread);
    if (id !== undefined && !own) return undefined;
    // Only the kind of shares has tunnels.
    if (kind.tunnels) return this.causeForShare(kind.tunnels, own, isConflict);
    if (isConflict && isAtWork(own)) return { what: "busy" };
    if (inputs) return this.causeAtLocation(inputs);
    return usersOn && id !== undefined ? this.causeOfUsers(usersOn, id) : undefined;
  }

  /**
   * Looks in this order: a tunnel that has just been DEPLOYED; work on the share, its tunnel or another share on it; a tunnel that is gone; a
   * port that was just freed; the holder of the port.
   */
  private async causeForShare(
    tunnels: Kind<WireTunnel>,
    own: Wire | undefined,
    isConflict: boolean,
  ): Promise<Cause | undefined> {
    const { kind, id, tunnelIds = [], inputs } = this.target;
    // Known without a read, as lists can lag behind this run's own writes.
    const ofThisRun = (): Cause | undefined => {
      if (tunnels.register.isJustDeployed(tunnelIds.at(-1) ?? "")) return { what: "not shown yet" };
      const isWaiting = kind.register.isAnyOn(tunnelIds, kind.view.waitingIds) || isAtWork(own);
      return isConflict && isWaiting ? { what: "busy" } : undefined;
    };
    const before = own && ofThisRun();
    if (before) return before;
    // No write is sent again without a read: for a POST, that is the list of its tunnel.
    const entries = await this.listed(tunnelIds.map((tunnelId) => ["ipsecTunnelId", tunnelId]));
    if (!own && !entries) return undefined;
    // The run has gone on meanwhile.
    const after = ofThisRun();
    if (after) return after;
    // The entry of a share that is being deleted need not show its tunnel.
    const isOn = ({ ipsecTunnelId = "" }: Entry) => ipsecTunnelId === "" || tunnelIds.includes(ipsecTunnelId);
    if (isConflict && entries?.some((entry) => entry.id !== id && isOn(entry) && isBusy(entry)))
      return { what: "busy" };
    const read = (each: string) => tunnels.calls.get(each, this.until).then((tunnel) => tunnel ?? "missing", unread);
    const on = await Promise.all(tunnelIds.map(read));
    if (isConflict && on.some((tunnel) => tunnel !== "missing" && isAtWork(tunnel))) return { what: "busy" };
    return inputs && (this.causeAtTunnel(inputs, tunnels, on.at(-1)) ?? this.causeAtPort(inputs, entries));
  }

  private causeAtTunnel(
    { frontdoorId, ipsecTunnelId: tunnelId }: Wanted,
    { register }: Kind<WireTunnel>,
    tunnel: WireTunnel | "missing" | undefined,
  ): Cause | undefined {
    const status = typeof tunnel === "object" ? tunnel.status : tunnel;
    const isGone = status === "missing" || (status !== undefined && !isPresent({ status }));
    if (tunnelId === undefined || !isGone) return undefined;
    const { id, label } = this.target;
    const { words } = this;
    const facts = { isDeclared: register.id(tunnelId).isInState === true, isCreate: id === undefined };
    return { what: "tunnel gone", message: tunnelGone(label, { frontdoorId, tunnelId, status, words, ...facts }) };
  }

  private causeAtPort(inputs: Wanted, entries: Entry[] = []): Cause | undefined {
    const { kind, id, label } = this.target;
    const { name, ipsecTunnelId: tunnelId, ingressPort } = inputs;
    if (tunnelId === undefined || ingressPort === undefined) return undefined;
    const hasPort = (share: Entry) => share.ingressPort === ingressPort && sameSpelling(share.ipsecTunnelId, tunnelId);
    const holder = entries.find((share) => share.id !== id && isPresent(share) && hasPort(share));
    const named = propertyIn(this.error);
    if (named !== undefined && !/port/i.test(named)) return undefined;
    const { register } = kind;
    const freed = holder ? { id: holder.id, tunnelId } : { tunnelId, ingressPort };
    if (register.isJustFreed(freed)) return { what: "not shown yet" };
    if (!holder) return undefined;
    const message = portInUse(label, { ipsecTunnelId: tunnelId, ingressPort }, this.holderOf(holder, name), this.words);
    if (!register.isLeaving(holder.id)) return { what: "holder stays", message };
    const awaitGone = async () => {
      if (await register.awaitFreed(holder.id, this.until, id)) throw this.because(message);
    };
    return { what: "holder leaves", awaitGone };
  }

  /** Looks in this order: a location that was just freed; its holder; one that is DELETING. Without a `locationId`, the words can name the holder. */
  private async causeAtLocation({ locationId, name }: Wanted): Promise<Cause | undefined> {
    const { kind, label } = this.target;
    // A pause that the service asks for can make the read last long.
    const isJustFreed = kind.register.isJustFreed({ locationId });
    const there = await this.tunnelsAt(locationId);
    if (!there) return undefined;
    if (isJustFreed && (locationId === undefined || !there.some(isPresent))) return { what: "not shown yet" };
    const meant = there.filter((tunnel) => locationId !== undefined || isNamedIn(this.words, tunnel));
    const holder = meant.find(isPresent);
    const [leaving] = meant;
    const place = locationId ?? (holder ?? leaving)?.locationId ?? "";
    if (holder)
      return { what: "holder stays", message: placeTaken(label, place, this.holderOf(holder, name), this.words) };
    return leaving && { what: "holder leaves", awaitGone: () => this.awaitDeleted(leaving, place) };
  }

  /**
   * The service refuses to delete a tunnel while shares use it (spec: Tunnel rule). Looks in this order: shares that stay; shares that leave; a
   * share that has just left. @throws FrontdoorError if they cannot be listed.
   */
  private async causeOfUsers(frontDoor: FrontDoor, tunnelId: string): Promise<Cause | undefined> {
    const { label } = this.target;
    const { register, view, clock } = frontDoor.shares;
    const shares = await sharesOf(frontDoor, tunnelId, this.until);
    const others = shares.filter(isPresent);
    const isGoing = (share: WireShare) =>
      register.isLeaving(share.id) || register.isJustFreed({ id: share.id, tunnelId });
    const staying = others.filter((share) => !isGoing(share));
    if (staying.length > 0) return { what: "holder stays", message: tunnelInUse(label, staying) };
    const awaitGone = async () => {
      const ends = await Promise.all(others.map(({ id }) => register.awaitFreed(id, this.until)));
      const stuck = others.filter((_, at) => ends[at] !== undefined);
      if (stuck.length > 0) throw this.because(tunnelInUse(label, stuck));
      const deleting = shares.filter((share) => !isPresent(share));
      await Promise.all(deleting.map(({ id }) => view.wait(id, judgeOfGone(clock), about(`share ${id}`, this.until))));
    };
    if (shares.some((share) => !isPresent(share) || register.isLeaving(share.id)))
      return { what: "holder leaves", awaitGone };
    return register.isJustFreed({ tunnelId }) ? { what: "not shown yet" } : undefined;
  }

  /** Returns the holder of the place that the resource of this name needs, with what tells whose it is. */
  private holderOf(holder: Entry, name: string) {
    const { kind, id } = this.target;
    const { origin = "", isInState = false } = kind.register.named(name) ?? {};
    const otherStack = otherStackOf(origin, holder.name);
    // The resource has its own id, so the holder is not this one under an earlier name.
    const isOther = (id !== undefined || isInState) && holder.name !== name;
    const canBeRemoved = isOther && isDerivedInStackOf(origin, holder.name);
    const canBeAdopted = id === undefined && !isInState;
    // With a secret name, the holder can be this very resource, renamed in the console.
    const shown = this.until.secrets?.includes("name") ? { ...holder, name: "[secret]" } : holder;
    return { ...shown, isOfProgram: kind.register.isOfProgram(holder, name), otherStack, canBeRemoved, canBeAdopted };
  }

  /** @throws FrontdoorError if the tunnel, which is being deleted, stays at the location. */
  private async awaitDeleted(tunnel: Entry, locationId: string): Promise<void> {
    const { kind, label } = this.target;
    const until = about(`tunnel ${tunnel.id}`, this.until);
    const waited = await kind.view.wait(tunnel.id, judgeOfGone(kind.clock), until);
    if (waited.now === "unfinished")
      throw new FrontdoorError(placePending(label, locationId, tunnel, waited.reason, this.words), {
        kind: waited.why,
      });
    kind.register.freed(tunnel.id, { locationId });
  }

  /** Returns the tunnels at a location, or all. A list can still show a tunnel that is gone. Undefined if a read fails. */
  private tunnelsAt(locationId: string | undefined): Promise<Entry[] | undefined> {
    const { calls, register } = this.target.kind;
    const isThere = ({ id, status, ...tunnel }: Entry) =>
      status !== "DELETED" &&
      (locationId === undefined || sameSpelling(tunnel.locationId, locationId)) &&
      !register.isFreed(id);
    const query: Query = locationId === undefined ? [] : [["locationId", locationId]];
    return filtered(calls, query, isThere, this.until).catch(unread);
  }

  private async listed(query: Query): Promise<Entry[] | undefined> {
    return (await this.target.kind.calls.list(query, this.until).catch(unread))?.entries;
  }
}

/** True if the words name the tunnel or its location. */
const isNamedIn = (words: string, { id, name, locationId = "" }: Entry): boolean => {
  const tokens = new Set(words.split(/[^\w.:~-]+/).map((token) => token.replace(/[.:]+$/, "")));
  return [id, name, locationId].some((each) => tokens.has(each) && each !== "");
};

/** Returns the shares that keep a tunnel from being deleted, those in DELETING included. @throws FrontdoorError. */
export function sharesOf({ shares }: FrontDoor, tunnelId: string, until: Until): Promise<WireShare[]> {
  // A share that is being deleted need not show its tunnel.
  const isOn = ({ ipsecTunnelId, status }: WireShare) =>
    (ipsecTunnelId === "" || sameSpelling(ipsecTunnelId, tunnelId)) && status !== "DELETED";
  return filtered(shares.calls, [["ipsecTunnelId", tunnelId]], isOn, until);
}

/** Lists with a filter, or without it if that finds nothing: a service need not know the filter, or can spell the value in another way. */
async function filtered<Wire extends Named>(
  calls: Collection<Wire>,
  query: Query,
  isMeant: (entry: Wire) => boolean,
  until: Until,
): Promise<Wire[]> {
  const found = (await calls.list(query, until)).entries.filter(isMeant);
  if (found.length > 0 || query.length === 0) return found;
  return (await calls.list([], until, { mostPages: 50 })).entries.filter(isMeant);
}

/**
 * Refuses to delete the shares of a tunnel if other shares also use it: then the tunnel cannot be deleted. Reads once for all shares.
 * @throws FrontdoorError `failed` that names the others.
 */
export const refuseIfUsed = (frontDoor: FrontDoor, tunnelId: string, until: Until) =>
  frontDoor.once.do(`users of ${tunnelId}`, async () => {
    const { register } = frontDoor.shares;
    // Pulumi asks for the diff of every share of the tunnel before the first delete. So each share that goes is pending.
    const others = (await sharesOf(frontDoor, tunnelId, until)).filter(
      (share) => isPresent(share) && !register.isPending(share.id) && !register.isJustFreed({ id: share.id, tunnelId }),
    );
    if (others.length > 0) throw failed(tunnelInUse(`IPsec tunnel ${tunnelId}`, others));
    return true;
  });
