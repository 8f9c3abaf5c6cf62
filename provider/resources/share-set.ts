import { pick, type Planned, UNKNOWN, valueOf } from "../fields/field";
import { failed } from "../errors";
import type { Service } from "../service";
import type { Until } from "../time/clock";
import { firstOf, keyed } from "./changes";
import type { Checked, Declaration, Diff, Lifecycle, Made, Timeouts } from "./lifecycle";
import type { Comparison } from "./managed";
import { isNameDerived, withOwnName } from "./notes";
import { originInSet, setOriginOf } from "./origin";
import { tellOutlivedIn } from "./outlived";
import { ShareLifecycle } from "./share";
import { rules, type ShareInputs } from "./share-inputs";
import { checkedSet } from "./share-set-check";
import { foundBy, importedSet } from "./share-set-import";
import {
  type Held,
  heldOf,
  ofSet,
  type Part,
  partOf,
  partsOf,
  setOutputs,
  type ShareSetInputs,
  type ShareSetOutputs,
} from "./share-set-inputs";
import { SetUpdate } from "./share-set-update";

/**
 * Many shares of one tunnel as one resource: each is what one by itself would be, and all are sent, looked at and kept together. One that
 * loses a share is replaced for the engine's sake: the new one takes the others over as they are, and the engine deletes what is left
 * of the old one last of all, where nothing has failed.
 */
export class ShareSetLifecycle implements Lifecycle<ShareSetInputs, ShareSetOutputs> {
  private readonly share: ShareLifecycle;
  /** Sets that lose shares in this run, as the state has them, by origin: the new one takes the others over. */
  private readonly losing = new Map<string, ShareSetOutputs>();
  /** Ids of shares that stay in their sets: that the old set's delete passes them over is not told, as it is of what another resource has. */
  private readonly kept = new Set<string>();

  constructor(private readonly service: Service) {
    this.share = new ShareLifecycle(service);
  }

  /** Those of a share, and the time in which the ceiling lets one write and one read of each be sent. */
  timeoutsOf({ shares }: Planned<ShareSetInputs> | ShareSetOutputs): Timeouts {
    const count = shares === UNKNOWN ? 0 : Object.keys(shares).length;
    const sendingSeconds = Math.ceil((2 * count) / this.service.config.requestsPerSecond);
    const { create, update, delete: remove } = this.share.timeoutsOf();
    return { create: create + sendingSeconds, update: update + sendingSeconds, delete: remove + sendingSeconds };
  }

  check(declared: Declaration): Checked<ShareSetInputs> {
    return checkedSet((each) => this.share.check(each), declared);
  }

  async diff(_id: string, olds: ShareSetOutputs, news: Planned<ShareSetInputs>, until: Until): Promise<Diff> {
    const parts = partsOf(news);
    const held = heldOf(olds);
    await this.tellOutlived(news, until);
    const hasUnknownTunnel = news.ipsecTunnelId === UNKNOWN;
    const compared = async (key: string, { id, outputs }: Held): Promise<Comparison> => {
      const part = parts?.get(key);
      if (part !== undefined && part !== UNKNOWN)
        return this.share.compared(id, outputs, withOwnName(outputs, part), until, part.name);
      // One that is not wanted any more is in the way of its tunnel's replacement like the others.
      const before: Planned<ShareInputs> = { ...outputs, ipsecTunnelId: UNKNOWN };
      if (hasUnknownTunnel) return this.share.compared(id, outputs, before, until, outputs.name);
      return { changes: true, isOfInputs: true, replaces: [], deleteBeforeReplace: true, isRight: false };
    };
    const byKey = new Map(
      await Promise.all([...held].map(async ([key, each]) => [key, await compared(key, each)] as const)),
    );
    const diffs = [...byKey.values()];
    const isAny = (name: string) => diffs.some(({ replaces }) => replaces.includes(name));
    const replaces = ["frontdoorId", "ipsecTunnelId"].filter(isAny);
    const leaving = replaces.length === 0 ? leavingOf(held, parts) : [];
    for (const [key, { id }] of held) if (parts?.has(key)) this.kept.add(id);
    const origin = this.originOf(news);
    if (leaving.length > 0 && origin !== undefined) {
      this.losing.set(origin, olds);
      for (const [key, { id, outputs }] of held)
        if (parts?.has(key) && byKey.get(key)?.replaces.length === 0) this.claimsOf(outputs).hold(id);
      this.tellLeaving(news, leaving);
    }
    replaces.push(...leaving.map(([key]) => keyed("shares", key)));
    const isAdded = parts === undefined || [...parts.keys()].some((key) => !held.has(key));
    const isOther = ofSet.some(
      (name) => valueOf(olds, name) !== valueOf(news, name) && valueOf(news, name) !== UNKNOWN,
    );
    const changes = isAdded || isOther || diffs.some((diff) => diff.changes);
    // One that changes holds nothing before its update: the engine may replace it (replaceOnChanges), and then all of it goes first.
    if (!changes && diffs.every(({ isRight }) => isRight))
      await Promise.all([...held.values()].map(({ id, outputs }) => this.share.foundRight(id, outputs, until)));
    return {
      changes,
      isOfInputs: changes && replaces.length === 0 && diffs.every((diff) => diff.isOfInputs || !diff.changes),
      replaces,
      deleteBeforeReplace: !replaces.includes("frontdoorId") && leaving.length === 0,
    };
  }

  knownOutputs(
    inputs: Planned<ShareSetInputs>,
    olds: ShareSetOutputs | undefined = this.oldOf(inputs),
  ): Planned<ShareSetOutputs> {
    const parts = partsOf(inputs);
    const known = { ...inputs, ...(inputs.nlbDnsName !== undefined && { endpoints: UNKNOWN }), status: "DEPLOYED" };
    if (parts === undefined) return { ...known, shares: UNKNOWN, ids: UNKNOWN } as Planned<ShareSetOutputs>;
    const held = olds && heldOf(olds);
    const shares = [...parts].map(([key, part]): [string, unknown] => {
      const old = held?.get(key);
      const id = old?.id ?? UNKNOWN;
      return [
        key,
        part === UNKNOWN ? part : { ...rules.knownOutputs(withOwnName(old?.outputs ?? {}, part), old?.outputs), id },
      ];
    });
    const ids = [...parts.keys()].map((key): [string, unknown] => [key, held?.get(key)?.id ?? UNKNOWN]);
    return { ...known, shares: Object.fromEntries(shares), ids: Object.fromEntries(ids) } as Planned<ShareSetOutputs>;
  }

  async create(inputs: ShareSetInputs, _isNameDerived: boolean, until: Until): Promise<Made<ShareSetOutputs>> {
    const origin = this.originOf(inputs) ?? "";
    const olds = this.losing.get(origin);
    this.losing.delete(origin);
    const before = olds ? heldOf(olds) : new Map<string, Held>();
    const made = await this.updated(before, inputs, until);
    await this.tellOutlived(inputs, until);
    const isOwn = ([, { id, outputs }]: [string, Held]) => !this.claimsOf(outputs).isHeldInRun(id);
    this.keepRecord(origin, leavingOf(before, partsOf(inputs)).filter(isOwn));
    if (Object.keys(made.outputs.ids).length === 0 && made.unfinished) throw made.unfinished;
    return { id: inputs.name, ...made };
  }

  imported(id: string): { id: string; olds: ShareSetOutputs } {
    return importedSet(id, this.service.config.frontdoorId);
  }

  async read(_id: string, olds: ShareSetOutputs, until: Until): Promise<ShareSetOutputs | undefined> {
    const known =
      olds.__pattern === undefined ? heldOf(olds) : await foundBy(olds.__pattern, olds, this.service, until);
    const seen = await Promise.all(
      [...known].map(async ([key, { id, outputs }]): Promise<[string, Held][]> => {
        const now = await this.share.read(id, outputs, until);
        return now ? [[key, { id, outputs: { ...outputs, ...now } }]] : [];
      }),
    );
    const held = new Map(seen.flat());
    return held.size > 0 ? setOutputs(olds, held) : undefined;
  }

  async update(id: string, olds: ShareSetOutputs, news: ShareSetInputs, until: Until): Promise<Made<ShareSetOutputs>> {
    return { id, ...(await this.updated(heldOf(olds), news, until)) };
  }

  inputsOf(outputs: ShareSetOutputs): object {
    const shares = [...heldOf(outputs)].map(([key, held]) => [key, partOf(held)] as const);
    return { ...pick(outputs, [...ofSet, "name"]), shares: Object.fromEntries(shares) };
  }

  async delete(_id: string, olds: ShareSetOutputs, until: Until): Promise<void> {
    const { share, tell } = this.sharesOfOneAnswer();
    const held = [...heldOf(olds)];
    const isKept = ([, { id, outputs }]: [string, Held]) =>
      this.kept.has(id) && this.claimsOf(outputs).isHeld(id) && this.share.staysOther(id, outputs) === undefined;
    if (this.oldOf(olds))
      throw failed(
        `IPsec share set "${olds.name}": with deleteBeforeReplace: true the engine would have nothing in the state of the shares that stay while the set is made anew: leave that option out for an edit that takes keys out; nothing was changed`,
      );
    const going = held.filter((each) => !isKept(each));
    const ends = await Promise.allSettled(going.map(([, { id, outputs }]) => share.delete(id, outputs, until)));
    const [first, ...more] = ends.flatMap((end) => (end.status === "rejected" ? [end.reason as Error] : []));
    // Then the state goes on to hold all of them.
    if (first)
      throw more.length === 0 ? first : failed(`${first.message}; and ${more.length} more of the set were not deleted`);
    tell();
  }

  /** The set that this one takes the place of, where that loses shares. */
  private oldOf(set: Planned<ShareSetInputs>): ShareSetOutputs | undefined {
    const origin = this.originOf(set);
    return origin === undefined ? undefined : this.losing.get(origin);
  }

  private tellLeaving({ name }: Planned<ShareSetInputs>, leaving: [string, Held][]): void {
    const told = firstOf(leaving.map(([key, { id }]) => `${keyed("shares", key)} (${id})`));
    this.service.say(
      `IPsec share set "${String(name)}": no longer in it: ${told.join(", ")}: deleted at the end of the run, but for what another resource adopts; the others go on as they are`,
    );
  }

  /** Until the engine has deleted them, which may be in a later run, each goes on as its key's where that comes back. */
  private keepRecord(setOrigin: string, held: [string, Held][]): void {
    for (const [key, { id, outputs }] of held) {
      const { name, frontdoorId } = outputs;
      const known = { origin: originInSet(setOrigin, key), id, ...(isNameDerived(outputs) && { name }) };
      const record = { ...known, postedAtMs: 0, likeness: "", before: [], isLeaving: true as const };
      this.service.frontDoor(frontdoorId).shares.creates.note(name, record);
    }
  }

  private claimsOf({ frontdoorId }: { frontdoorId: string }) {
    return this.service.frontDoor(frontdoorId).shares.claims;
  }

  /** By which resource a set is, as far as the name of one of its shares is known. */
  private originOf({ frontdoorId, shares }: Planned<ShareSetInputs>): string | undefined {
    if (frontdoorId === UNKNOWN || shares === UNKNOWN) return undefined;
    const claims = this.claimsOf({ frontdoorId });
    for (const part of Object.values<Planned<Part> | typeof UNKNOWN>(shares)) {
      const origin = part === UNKNOWN || typeof part.name !== "string" ? undefined : claims.originOf(part.name);
      if (origin !== undefined) return setOriginOf(origin);
    }
    return undefined;
  }

  private async updated(before: Map<string, Held>, inputs: ShareSetInputs, until: Until) {
    const { share, tell } = this.sharesOfOneAnswer();
    const made = await new SetUpdate(this.service, share, before, inputs, until).run();
    tell();
    return made;
  }

  /** Names what an interrupted run began under keys that the set no longer has. */
  private async tellOutlived(set: Planned<ShareSetInputs>, until: Until): Promise<void> {
    const parts = partsOf(set);
    if (parts === undefined || set.frontdoorId === UNKNOWN) return;
    const setOrigin = this.originOf(set);
    if (setOrigin !== undefined)
      await tellOutlivedIn(
        this.service.frontDoor(set.frontdoorId).shares,
        `IPsec share set "${String(set.name)}"`,
        setOrigin,
        new Set(parts.keys()),
        this.service,
        until,
      );
  }

  /** Shares of which the engine is told together. */
  private sharesOfOneAnswer(): { share: ShareLifecycle; tell: () => void } {
    const tells: (() => void)[] = [];
    const share = new ShareLifecycle(this.service, (tell) => tells.push(tell));
    const tell = () => {
      for (const each of tells) each();
    };
    return { share, tell };
  }
}

const leavingOf = (held: Map<string, Held>, parts: ReturnType<typeof partsOf>): [string, Held][] =>
  parts === undefined ? [] : [...held].filter(([key]) => !parts.has(key));
