import { type Planned, UNKNOWN } from "../fields/field";
import type { WireShare } from "../api/types";
import { isBare } from "../api/wire";
import type { Service } from "../service";
import type { Until } from "../time/clock";
import { adoptable, isMoot } from "./adopt";
import { checkEach, inAgreement, reconciled, withFrontdoor, withName } from "./check";
import { createOnce } from "./create";
import { explained, isThere, refuseIfUsed } from "./holders";
import { judgeDeployed } from "./judge";
import type { Checked, Declaration, Diff, Lifecycle, Made } from "./lifecycle";
import {
  changedFields,
  clearedFields,
  fullBody,
  optional,
  inputsOf,
  isNewlySet,
  isPartial,
  outputsOf,
  knownOutputs,
  required,
  shareFields,
  type ShareInputs,
  type ShareOutputs,
} from "./share-inputs";
import { tellOutlived } from "./outlived";
import { deployedOutputs, shareSubject, unfinishedShare } from "./share-state";
import { ShareUpdate } from "./share-update";
import { find, isKept, remove } from "./writes";

const isGone = (seen: { status: string } | undefined) => !seen || !isThere(seen);

/** Create, read, update and delete of shares (spec: Shares) on one service. */
export class ShareLifecycle implements Lifecycle<ShareInputs, ShareOutputs> {
  readonly inputsOf = inputsOf;
  readonly knownOutputs = knownOutputs;
  readonly timeouts = { create: 900, update: 900, delete: 900 };

  constructor(private readonly service: Service) {}

  check(declared: Declaration): Checked<ShareInputs> {
    const { given, isNameDerived } = withName({ ...declared, news: inAgreement(shareFields, declared) });
    const { moved, ...checked } = checkEach<ShareInputs>(shareFields, given, "IpsecShare");
    const { inputs, failures } = withFrontdoor(checked, this.service.config.frontdoorId);
    const whole = { inputs: inputs as Planned<ShareInputs>, failures };
    const { frontdoorId, ipsecTunnelId, name } = whole.inputs;
    if (ipsecTunnelId === UNKNOWN && typeof frontdoorId === "string") this.kind({ frontdoorId }).moves.plan(name);
    return { ...reconciled(whole, declared, this.service, ({ shares }) => shares), isNameDerived, moved };
  }

  async diff(
    id: string,
    olds: ShareOutputs,
    news: Planned<ShareInputs>,
    until: Until,
    checkedName: unknown = news.name,
  ): Promise<Diff> {
    const { claims, creates, departures, moves, calls } = this.kind(olds);
    creates.forget(olds.name, id);
    claims.noteInState(id, String(checkedName));
    const { ipsecTunnelId } = news;
    const isMove = typeof ipsecTunnelId === "string" && ipsecTunnelId !== olds.ipsecTunnelId;
    if (isMove && news.frontdoorId === olds.frontdoorId) moves.expect(id);
    const hasUnknownTunnel = ipsecTunnelId === UNKNOWN;
    const stays = hasUnknownTunnel && this.stays(id, olds);
    // The engine asks so of what the state says depends on a tunnel that is replaced delete-first.
    if (hasUnknownTunnel && !moves.isPlanned(checkedName)) {
      if (stays || (await this.isElsewhere(id, olds, until)))
        return { changes: false, isOfInputs: false, replaces: [], deleteBeforeReplace: true };
      departures.expect(id, olds.name, olds.ipsecTunnelId);
    }
    const replaces: string[] = [];
    if (news.frontdoorId !== olds.frontdoorId) replaces.push("frontdoorId");
    if (hasUnknownTunnel && !stays) replaces.push("ipsecTunnelId");
    if (isGone(olds) && isGone(await calls.get(id, until))) replaces.push("status");
    const isChanged = changedFields(olds, news).length > 0 || clearedFields(olds, news).length > 0;
    const changes = isChanged || replaces.length > 0 || isNewlySet(olds, news) || olds.status !== "DEPLOYED";
    if (!changes) {
      claims.hold(id);
      await this.tellOutlived(id, olds, until);
    }
    return {
      changes,
      isOfInputs: isChanged && replaces.length === 0 && olds.status === "DEPLOYED" && olds.__set !== undefined,
      replaces,
      deleteBeforeReplace: replaces[0] !== "frontdoorId",
    };
  }

  async create(inputs: ShareInputs, isNameDerived: boolean, until: Until): Promise<Made<ShareOutputs>> {
    const kind = this.kind(inputs);
    const { name, adopt } = inputs;
    const made =
      (await this.adopted(inputs, isNameDerived, until)) ?? (await this.created(inputs, isNameDerived, until));
    const needed = adopt === made.id ? { name, id: adopt } : { name };
    await tellOutlived(kind, `IPsec share "${name}"`, kind.claims.urnOf(name), needed, this.service, until);
    kind.creates.told(name);
    return made;
  }

  private async adopted(
    inputs: ShareInputs,
    isNameDerived: boolean,
    until: Until,
  ): Promise<Made<ShareOutputs> | undefined> {
    const kind = this.kind(inputs);
    if (inputs.adopt === undefined || (await isMoot(kind, inputs, until))) return undefined;
    const live = await adoptable(kind, inputs.adopt, `IPsec share ${inputs.adopt}`, inputs.frontdoorId, until);
    kind.claims.hold(live.id);
    kind.creates.forget(live.name, live.id);
    return this.takenUp(live, isNameDerived ? { ...inputs, name: live.name } : inputs, until);
  }

  private async created(inputs: ShareInputs, isNameDerived: boolean, until: Until): Promise<Made<ShareOutputs>> {
    const kind = this.kind(inputs);
    const isAlike = (entry: WireShare) => changedFields(entry, inputs).length === 0;
    const on = { tunnelIds: [inputs.ipsecTunnelId], body: fullBody(inputs) };
    const creation = {
      kind,
      what: "IPsec share",
      ...on,
      isNameDerived,
      isAlike,
      required,
      explained: (error: unknown) =>
        explained(error, this.service.frontDoor(inputs.frontdoorId), inputs, undefined, until),
    };
    const { id, found } = await createOnce(creation, this.service, until);
    if (found && !(isAlike(found) && ["NEW", "DEPLOYED"].includes(found.status))) {
      // It is this resource's: whatever fails from here on, its id must reach the state.
      return this.takenUp(found, inputs, until).catch((error: unknown) =>
        unfinishedShare(id, inputs, "NEW", { why: "failed", reason: (error as Error).message }),
      );
    }
    const waited = await kind.inventory.wait(id, judgeDeployed, until, found ? undefined : "create");
    if (waited.now === "done") return { id, outputs: await deployedOutputs(kind, waited.value, inputs, until) };
    return unfinishedShare(id, inputs, waited.last?.status ?? "NEW", waited);
  }

  blank(frontdoorId: string): ShareOutputs {
    const unknown = { name: "", ipsecTunnelId: "", envZId: "", target: "", ingressPort: 0, status: "" };
    return { ...unknown, frontdoorId, __set: optional };
  }

  async read(id: string, olds: ShareOutputs, until: Until): Promise<ShareOutputs | undefined> {
    this.kind(olds).creates.forget(olds.name, id);
    const listed = await this.kind(olds).inventory.entry(id, until);
    const isShown = listed && listed.status !== "DELETED" && !isPartial(listed, olds);
    const wire = isShown ? listed : await find(shareSubject(this.service, id, olds), this.service.clock, until);
    // What it no longer shows stays as it was.
    if (wire && isBare(wire)) return { ...olds, status: wire.status };
    // Nor does it tell of a write whose end is not known: what was asked for last may still come.
    const mayCome = olds.status === "NEW" && !isGone(wire) && wire?.status !== "ERROR";
    if (wire && mayCome && changedFields(wire, olds).length > 0) return olds;
    return wire && outputsOf(wire, olds);
  }

  async update(id: string, olds: ShareOutputs, news: ShareInputs, until: Until): Promise<Made<ShareOutputs>> {
    this.kind(news).creates.forget(olds.name, id);
    await this.tellOutlived(id, olds, until);
    return this.updated(id, olds, news, until);
  }

  async delete(id: string, olds: ShareOutputs, until: Until): Promise<void> {
    const { departures, creates } = this.kind(olds);
    const subject = shareSubject(this.service, id, olds);
    if (isKept(subject, this.service)) {
      departures.ended(id);
      return;
    }
    await departures.during(id, async () => {
      await refuseIfUsed(this.service.frontDoor(olds.frontdoorId), id, until);
      await remove(subject, this.service.clock, until);
      creates.forget(olds.name, id);
    });
  }

  private tellOutlived(id: string, olds: ShareOutputs, until: Until): Promise<void> {
    const { kind, label } = shareSubject(this.service, id, olds);
    const needed = { name: olds.name, id };
    return tellOutlived(kind, label, kind.claims.holderOf(id), needed, this.service, until);
  }

  /** Whether it is on another tunnel than its old one, where a list or the read by id shows so: either may lag behind. */
  private async isElsewhere(id: string, olds: ShareOutputs, until: Until): Promise<boolean> {
    const { calls, inventory } = this.kind(olds);
    const shows = (seen: WireShare | undefined) =>
      seen !== undefined && !isGone(seen) && !isBare(seen) && seen.ipsecTunnelId !== olds.ipsecTunnelId;
    if (shows(await calls.get(id, until))) return true;
    const listed = await inventory.entry(id, until);
    return shows(listed ?? (await calls.list([["id", id]], until)).entries.find((entry) => entry.id === id));
  }

  /**
   * Whether it is not in the way of a tunnel that is replaced: this run moves it away, its tunnel stays, or it is another one, such as
   * what a failed move has left, that the engine counts as the same.
   */
  private stays(id: string, { frontdoorId, ipsecTunnelId }: ShareOutputs): boolean {
    const { tunnels, shares } = this.service.frontDoor(frontdoorId);
    const { claims } = tunnels;
    return shares.moves.isExpected(id) || claims.isHeld(ipsecTunnelId) || claims.isSpared(ipsecTunnelId);
  }

  /** Makes an existing share this resource's; a record of its create stays until it has reached the state. */
  private takenUp(live: WireShare, inputs: ShareInputs, until: Until): Promise<Made<ShareOutputs>> {
    return this.updated(live.id, outputsOf(live, { frontdoorId: inputs.frontdoorId }), inputs, until);
  }

  private updated(id: string, olds: ShareOutputs, news: ShareInputs, until: Until): Promise<Made<ShareOutputs>> {
    const { claims, moves } = this.kind(news);
    claims.hold(id);
    return moves.during(id, () => new ShareUpdate(this.service, id, olds, news, until).run());
  }

  private kind({ frontdoorId }: { frontdoorId: string }) {
    return this.service.frontDoor(frontdoorId).shares;
  }
}
