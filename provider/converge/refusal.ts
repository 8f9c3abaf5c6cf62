import type { Collection } from "../api/collection";
import type { Query } from "../api/lists";
import { isBusy, isPresent, type Named, type WireShare, type WireTunnel } from "../api/wire";
import { failed, FrontdoorError, isConflict, isRefused, limit, seconds, serviceWords } from "../errors";
import type { ShareInputs } from "../fields/share";
import type { TunnelInputs } from "../fields/tunnel";
import { sameSpelling } from "../fields/values";
import {
  placePending,
  placeTaken,
  portInUse,
  tunnelGone,
  tunnelInUse,
  tunnelNameTaken,
  tunnelRetained,
} from "../messages";
import { canBeDerivedInStackOf, otherStackOf } from "../origin";
import type { Context, FrontDoor, Kind } from "../run/service";
import { isOfProgram } from "../run/run";
import { backoff, isOver, type Until } from "../time";
import { judgeOfGone } from "./progress";

// What follows a refused write: the facts, the table `refusedStep`, and the message that names the cause. A location has one tunnel
// (spec: Tunnel rule), and a port of a tunnel one share. Check refuses two resources of a program, and the service refuses all others.

/** What the service's answer to a write says. */
export type Says =
  /** Another 400; 409, 412, 423, 425: the write can be refused because of a resource's present state. */
  | "conflict"
  /** 400 `Value for … must be of …` about the tunnel, the location or the port. */
  | "wrong destination"
  /** 404. */
  | "not found"
  /** 401, 403, 422, any other status, and 400 `Value for … must be of …` about another argument. */
  | "for good";

/** A fact about a refusal. */
type RefusalCause =
  /** In the last 30 s, this run has seen the tunnel become DEPLOYED, or has freed the port or the location. */
  | "not shown yet"
  /** The resource itself or its own tunnel is busy, or another share on that tunnel. */
  | "busy"
  /** The tunnel of the share is missing, or is being deleted. */
  | "tunnel gone"
  /** Another resource has the port or the location. */
  | "holder stays"
  /** The tunnel at the location is being deleted, or this run moves or deletes the share that has the port. */
  | "holder leaves"
  /** No read shows why a DELETE is refused: the service can need time after the end of the last share. */
  | "hidden from a delete";

type RefusedStep =
  /** Send the write again after a pause: for 30 s if something may not show yet, else until the deadline. */
  | "retry"
  /** Wait until the holder is gone, then send the write again. */
  | "wait"
  /** Fail, and name the cause beside the words of the service. */
  | "explain"
  /** Fail with the words of the service. */
  | "fail";

/** Decides what follows from one fact: the table "A write that fails" of docs/how-it-works.md. The first fact counts that does not say "fail". */
function refusedStep(says: Says, cause: RefusalCause): RefusedStep {
  if (says === "for good") return "fail";
  switch (cause) {
    case "not shown yet":
      return "retry";
    case "busy":
      return says === "conflict" ? "retry" : "fail";
    case "tunnel gone":
      return "explain";
    case "holder stays":
      return says === "not found" ? "fail" : "explain";
    case "holder leaves":
      return says === "not found" ? "fail" : "wait";
    case "hidden from a delete":
      return says === "conflict" ? "retry" : "fail";
  }
}

/** The only form of a 400 that the specification shows, and the property that it names (spec: Errors). */
const form = /\bValue for \W?([\w.[\]-]+)\W? must be of\b/i;

/** Returns the property that a 400 of that form names. */
const propertyIn = (error: unknown): string | undefined =>
  isRefused(error, 400) ? form.exec(serviceWords(error))?.[1] : undefined;

/**
 * Returns what a refusal says. `destination` matches the properties that say where the resource is to be. Undefined for a DELETE: it sends no
 * property, so each conflict is about the present state.
 */
export function saysOf(error: unknown, destination: RegExp | undefined): Says {
  if (isRefused(error, 404)) return "not found";
  if (!isConflict(error)) return "for good";
  const property = propertyIn(error);
  if (property === undefined || !destination) return "conflict";
  return destination.test(property) ? "wrong destination" : "for good";
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
  inputs?: ShareInputs | TunnelInputs;
  /** For the delete of a tunnel: the front door of the shares that use it. */
  usersOn?: FrontDoor;
}

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

const reasons: Partial<Record<RefusalCause, string>> = {
  "not shown yet": "Frontdoor may not show the last change yet",
  busy: "the tunnel is busy",
};

interface Fact {
  cause: RefusalCause;
  /** Names the cause beside the words of the service. */
  message?: string;
  /** Waits until the holder has left the place. @throws FrontdoorError if it stays. */
  awaitGone?: () => Promise<void>;
}

/** A read that fails says nothing about the write. */
const unread = () => undefined;

/** What a list shows of a share or a tunnel. */
type Entry = Named & { ipsecTunnelId?: string; ingressPort?: number; locationId?: string | undefined };

/** The refusals of one write, one after the other. */
export class Refusals<Wire extends Named> {
  /** The last refusal. */
  private error: unknown;
  /** True if work was under way at the last refusal. If it has ended, one more try can succeed. */
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
    const { kind, inputs } = this.target;
    const { clock } = kind;
    this.error = error;
    const says = saysOf(error, inputs && kind.destination);
    const fact = isOver(clock, until) || says === "for good" ? undefined : await this.decidingFact(says);
    if (!fact) throw error;
    const { cause, message = "", awaitGone } = fact;
    const step = refusedStep(says, cause);
    if (step === "explain") throw this.because(message);
    if (step === "wait") {
      await awaitGone?.();
      this.sinceMs = clock.now();
    } else reportRefused(until, clock.now(), reasons[cause] ?? `Frontdoor says ${this.words}`);
    // What does not show yet shows within 30 s, so a few tries are enough: the pauses grow three times as fast.
    const waitedMs = (clock.now() - this.sinceMs) * (cause === "not shown yet" ? 3 : 1);
    const pauseMs = backoff(waitedMs, clock.random()) * (0.5 + clock.random());
    await clock.sleep(Math.min(pauseMs, until.deadlineMs - clock.now()), until.signal);
    if (isOver(clock, until)) throw error;
  }

  /** Returns the first fact that does not say "fail". Reads no further. */
  private async decidingFact(says: Says): Promise<Fact | undefined> {
    for await (const fact of this.facts()) if (refusedStep(says, fact.cause) !== "fail") return fact;
    const isDelete = this.target.inputs === undefined;
    return isDelete && refusedStep(says, "hidden from a delete") === "retry"
      ? { cause: "hidden from a delete" }
      : undefined;
  }

  /** Returns the refusal with a message that names its cause. */
  private because(message: string): FrontdoorError {
    return new FrontdoorError(message, (this.error as FrontdoorError).trouble);
  }

  private get words(): string {
    return serviceWords(this.error);
  }

  private busy(): Fact {
    this.wasBusy = true;
    return { cause: "busy" };
  }

  /** Returns the facts, those that need no read first. Each is read only if none before it decides. */
  private async *facts(): AsyncGenerator<Fact> {
    const { kind, id, inputs, usersOn } = this.target;
    const { wasBusy } = this;
    this.wasBusy = false;
    // No write is sent again without a read: of the resource itself, or of the list of its tunnel for a POST.
    const own = id === undefined ? undefined : await kind.calls.get(id, this.until).catch(unread);
    if (id !== undefined && !own) return;
    if (kind.tunnels) yield* this.factsOfShare(kind.tunnels, own, wasBusy);
    else {
      if (own && isPresent(own) && isBusy(own)) yield this.busy();
      if (wasBusy) yield { cause: "busy" };
      if (inputs && !("ingressPort" in inputs)) yield* this.factsOfLocation(inputs);
      if (usersOn && id !== undefined) yield* this.factsOfUsers(usersOn, id);
    }
  }

  private async *factsOfShare(
    tunnels: Kind<WireTunnel>,
    own: Wire | undefined,
    wasBusy: boolean,
  ): AsyncGenerator<Fact> {
    const { kind, id, tunnelIds = [], inputs } = this.target;
    // Known without a read, as lists can lag behind this run's own writes.
    const isTunnelNew = tunnels.ledger.isJustDeployed(tunnelIds.at(-1) ?? "");
    const isWaiting = kind.view.isWaitingOn(tunnelIds);
    const onTunnels = () => this.listed(tunnelIds.map((tunnelId) => ["ipsecTunnelId", tunnelId]));
    let entries = own ? undefined : await onTunnels();
    if (!own && !entries) return;
    if (isTunnelNew) yield { cause: "not shown yet" };
    if (isWaiting) yield this.busy();
    if (own && isPresent(own) && isBusy(own)) yield this.busy();
    entries ??= await onTunnels();
    // The entry of a share that is being deleted need not show its tunnel.
    const isOn = ({ ipsecTunnelId = "" }: Entry) => ipsecTunnelId === "" || tunnelIds.includes(ipsecTunnelId);
    if (entries?.some((entry) => entry.id !== id && isOn(entry) && isBusy(entry))) yield this.busy();
    const read = (each: string) => tunnels.calls.get(each, this.until).then((tunnel) => tunnel ?? "missing", unread);
    const on = await Promise.all(tunnelIds.map(read));
    if (on.some((tunnel) => typeof tunnel === "object" && isPresent(tunnel) && isBusy(tunnel))) yield this.busy();
    if (wasBusy) yield { cause: "busy" };
    if (inputs && "ingressPort" in inputs) yield* this.factsOfPort(inputs, tunnels, on.at(-1), entries);
  }

  private *factsOfPort(
    inputs: ShareInputs,
    tunnels: Kind<WireTunnel>,
    tunnel: WireTunnel | "missing" | undefined,
    entries: Entry[] = [],
  ): Generator<Fact> {
    const { kind, id, label } = this.target;
    const { frontdoorId, ipsecTunnelId: tunnelId, ingressPort } = inputs;
    const status = typeof tunnel === "object" ? tunnel.status : tunnel;
    if (status === "missing" || (status !== undefined && !isPresent({ status }))) {
      const known = { isDeclared: tunnels.declarations.hasIdInState(tunnelId), isCreate: id === undefined };
      const message = tunnelGone(label, { frontdoorId, tunnelId, status, words: this.words, ...known });
      yield { cause: "tunnel gone", message };
    }
    const hasPort = (share: Entry) => share.ingressPort === ingressPort && sameSpelling(share.ipsecTunnelId, tunnelId);
    const holder = entries.find((share) => share.id !== id && isPresent(share) && hasPort(share));
    const named = propertyIn(this.error);
    if (!holder || (named !== undefined && !/port/i.test(named))) return;
    const { ledger } = kind;
    const message = portInUse(label, inputs, this.holderOf(holder, inputs.name), this.words);
    const awaitGone = async () => {
      if (await ledger.awaitFreed(holder.id, this.until, id)) throw this.because(message);
    };
    if (ledger.hasJustFreed({ id: holder.id, tunnelId })) yield { cause: "not shown yet" };
    else if (ledger.isPending(holder.id) && !ledger.isFreed(holder.id)) yield { cause: "holder leaves", awaitGone };
    else yield { cause: "holder stays", message };
  }

  private async *factsOfLocation({ locationId, name }: TunnelInputs): AsyncGenerator<Fact> {
    const { kind, label } = this.target;
    const { ledger, declarations } = kind;
    // A pause that the service asks for can make the read last long.
    const isJustFreed = ledger.hasJustFreed({ locationId });
    const there = await this.tunnelsAt(locationId);
    if (!there) return;
    // Pulumi has ended the first half of a replacement without a DELETE.
    const ownIds = declarations.idsOf(declarations.named(name)?.origin ?? "");
    const isRetained = ({ id, status }: Entry) =>
      isPresent({ status }) && ownIds.includes(id) && ledger.orderOf(id) === "delete first";
    if (there.some(isRetained)) yield { cause: "holder stays", message: tunnelRetained(label, this.words) };
    if (isJustFreed && (locationId === undefined || !there.some(isPresent))) yield { cause: "not shown yet" };
    const isMeant = (tunnel: Entry) => locationId !== undefined || isNamedIn(this.words, tunnel);
    const holder = there.find((tunnel) => isPresent(tunnel) && isMeant(tunnel));
    if (holder) {
      const place = locationId ?? holder.locationId ?? "";
      const message = placeTaken(label, place, this.holderOf(holder, name), this.words);
      yield { cause: "holder stays", message };
    }
    const isNameMeant = !holder && /\bname/i.test(this.words);
    const namesakes = isNameMeant ? await this.listed([["name", name]]) : undefined;
    const namesake = namesakes?.find((tunnel) => isPresent(tunnel) && sameSpelling(tunnel.name, name));
    if (namesake) yield { cause: "holder stays", message: tunnelNameTaken(label, namesake.id, this.words) };
    const isOwn = ({ id }: Entry) => ledger.stateOf(id) === "leaving";
    const leaving = there.filter((tunnel) => tunnel.status === "DELETING" && (isMeant(tunnel) || isOwn(tunnel)));
    const awaitGone = async () => {
      await Promise.all(leaving.map((tunnel) => this.awaitDeleted(tunnel, isMeant(tunnel), locationId)));
    };
    if (leaving.length > 0) yield { cause: "holder leaves", awaitGone };
  }

  /** The service refuses to delete a tunnel while shares use it (spec: Tunnel rule). @throws FrontdoorError if they cannot be listed. */
  private async *factsOfUsers(frontDoor: FrontDoor, tunnelId: string): AsyncGenerator<Fact> {
    const { label } = this.target;
    const { ledger, view, clock } = frontDoor.shares;
    const shares = await sharesOf(frontDoor, tunnelId, this.until);
    const others = shares.filter(isPresent);
    const isLeaving = ({ id }: WireShare) => ledger.isPending(id) && !ledger.isFreed(id);
    const isGoing = (share: WireShare) => isLeaving(share) || ledger.hasJustFreed({ id: share.id, tunnelId });
    const staying = others.filter((share) => !isGoing(share));
    if (staying.length > 0) yield { cause: "holder stays", message: tunnelInUse(label, staying) };
    const awaitGone = async () => {
      const ends = await Promise.all(others.map(({ id }) => ledger.awaitFreed(id, this.until)));
      const stuck = others.filter((_, at) => ends[at] !== undefined);
      if (stuck.length > 0) throw this.because(tunnelInUse(label, stuck));
      const deleting = shares.filter((share) => !isPresent(share));
      await Promise.all(deleting.map(({ id }) => view.wait(id, judgeOfGone(clock), about(`share ${id}`, this.until))));
    };
    if (shares.some((share) => !isPresent(share) || isLeaving(share))) yield { cause: "holder leaves", awaitGone };
  }

  /** Returns the holder of the place that the resource of this name needs, with what tells whose it is. */
  private holderOf(holder: Entry, name: string) {
    const { kind, id } = this.target;
    const { origin = "", isInState = false } = kind.declarations.named(name) ?? {};
    const otherStack = otherStackOf(origin, holder.name);
    // The resource has its own id, so the holder is not this one under an earlier name.
    const isOther = (id !== undefined || isInState) && holder.name !== name;
    const canBeRemoved = isOther && canBeDerivedInStackOf(origin, holder.name);
    // With a secret name, the holder can be this very resource, renamed in the console.
    const shown = this.until.secrets?.includes("name") ? { ...holder, name: "[secret]" } : holder;
    return { ...shown, isOfProgram: isOfProgram(kind, holder, name), otherStack, canBeRemoved };
  }

  /** @throws FrontdoorError if the tunnel, which is being deleted, stays at the location. */
  private async awaitDeleted(tunnel: Entry, isMeant: boolean, locationId: string | undefined): Promise<void> {
    const { kind, label } = this.target;
    const waited = await kind.view.wait(tunnel.id, judgeOfGone(kind.clock), about(`tunnel ${tunnel.id}`, this.until));
    if (waited.now === "done") {
      kind.ledger.freed(tunnel.id, { locationId });
      return;
    }
    const place = locationId ?? tunnel.locationId ?? "";
    const message = placePending(label, place, tunnel, waited.reason, this.words);
    throw isMeant ? new FrontdoorError(message, { kind: waited.why }) : this.error;
  }

  /** Returns the tunnels at a location, or all. A list can still show a tunnel that is gone. Undefined if a read fails. */
  private tunnelsAt(locationId: string | undefined): Promise<Entry[] | undefined> {
    const { calls, ledger } = this.target.kind;
    const isThere = ({ id, status, ...tunnel }: Entry) =>
      status !== "DELETED" &&
      (locationId === undefined || sameSpelling(tunnel.locationId, locationId)) &&
      !ledger.isFreed(id);
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
    const { ledger } = frontDoor.shares;
    // Pulumi asks for the diff of every share of the tunnel before the first delete. So each share that goes is pending.
    const others = (await sharesOf(frontDoor, tunnelId, until)).filter(
      (share) => isPresent(share) && !ledger.isPending(share.id) && !ledger.hasJustFreed({ id: share.id, tunnelId }),
    );
    if (others.length > 0) throw failed(tunnelInUse(`IPsec tunnel ${tunnelId}`, others));
    return true;
  });
