import type { WireShare } from "../api/types";
import { isBare } from "../api/wire";
import type { FrontDoor } from "../service";
import { type Planned, UNKNOWN } from "../fields/field";
import { shareFields } from "../fields/share";
import type { Until } from "../time/clock";
import { failed } from "../errors";
import { createOnce } from "./create";
import { explained, isThere, refuseIfUsed } from "./holders";
import { judgeDeployed } from "./judge";
import type { Checked, Declaration, Made } from "./lifecycle";
import { type Comparison, Managed } from "./managed";
import { changedFields, isChanged, rules, type ShareInputs, type ShareOutputs } from "./share-inputs";
import { deployedOutputs, shareSubject, unfinishedShare } from "./share-state";
import { ShareUpdate } from "./share-update";
import { find, remove } from "./writes";

const isGone = (seen: { status: string } | undefined) => !seen || !isThere(seen);

/** Create, read, update and delete of shares (spec: Shares) on one service. */
export class ShareLifecycle extends Managed<ShareInputs, ShareOutputs, WireShare> {
  protected readonly timeouts = { create: 900, update: 900, delete: 900 };
  protected readonly type = "IpsecShare";
  protected readonly what = "IPsec share";
  protected readonly table = shareFields;
  protected readonly rules = rules;

  override check(declared: Declaration): Checked<ShareInputs> {
    const checked = super.check(declared);
    const { frontdoorId, ipsecTunnelId, name } = checked.inputs;
    if (ipsecTunnelId === UNKNOWN && typeof frontdoorId === "string") this.kind({ frontdoorId }).moves.plan(name);
    return checked;
  }

  async compared(
    id: string,
    known: ShareOutputs,
    news: Planned<ShareInputs>,
    until: Until,
    checkedName: unknown,
  ): Promise<Comparison> {
    const { claims, departures, moves, calls } = this.kindInState(id, known);
    const olds = await this.asOfNow(id, known, until);
    const { ipsecTunnelId } = news;
    const isDeclared = claims.isDeclared(checkedName);
    const isMove = typeof ipsecTunnelId === "string" && ipsecTunnelId !== olds.ipsecTunnelId;
    if (isDeclared && isMove && news.frontdoorId === olds.frontdoorId) {
      moves.expect(id);
      claims.leave(id);
    }
    const hasUnknownTunnel = ipsecTunnelId === UNKNOWN;
    const isPlanned = moves.isPlanned(checkedName);
    const stays = hasUnknownTunnel && this.stays(id, olds, isPlanned);
    // An unknown tunnel that no preview has planned: the engine replaces the tunnel, and asks whether this has to be deleted before it.
    if (hasUnknownTunnel && !isPlanned) {
      if (stays || (await this.isElsewhere(id, olds, until)))
        return { changes: false, isOfInputs: false, replaces: [], deleteBeforeReplace: true, isRight: false };
      departures.expect(id, olds.name, olds.ipsecTunnelId);
      claims.leave(id);
    }
    // Not for that question alone: who stays can be adopted under another name.
    const origin = isDeclared || hasUnknownTunnel ? claims.noteInState(id, String(checkedName)) : undefined;
    if (!hasUnknownTunnel || isPlanned) this.refuseTwice(id, olds, origin);
    const replaces: string[] = [];
    if (news.frontdoorId !== olds.frontdoorId) replaces.push("frontdoorId");
    if (hasUnknownTunnel && !stays) replaces.push("ipsecTunnelId");
    if (isGone(olds) && (!isGone(known) || isGone(await calls.get(id, until)))) replaces.push("status");
    const isOther = isChanged(olds, news);
    const changes = isOther || replaces.length > 0 || rules.isNewlySet(olds, news) || olds.status !== "DEPLOYED";
    return {
      changes,
      isOfInputs: isOther && replaces.length === 0 && olds.status === "DEPLOYED" && olds.__set !== undefined,
      replaces,
      deleteBeforeReplace: !replaces.includes("frontdoorId"),
      isRight: !changes && isDeclared,
    };
  }

  protected async created(inputs: ShareInputs, isNameDerived: boolean, until: Until): Promise<Made<ShareOutputs>> {
    const kind = this.kind(inputs);
    const isAlike = (entry: WireShare) => changedFields(entry, inputs).length === 0;
    const door = this.service.frontDoor(inputs.frontdoorId);
    const creation = {
      ...{ kind, what: this.what, isNameDerived, isAlike, required: rules.required },
      ...{ tunnelIds: [inputs.ipsecTunnelId], body: rules.fullBody(inputs) },
      explained: (error: unknown) => explained(error, door, inputs, undefined, until),
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

  async read(id: string, olds: ShareOutputs, until: Until): Promise<ShareOutputs | undefined> {
    const listed = await this.kindInState(id, olds).inventory.entry(id, until);
    const isShown = listed && listed.status !== "DELETED" && !rules.isPartial(listed, olds);
    const wire = isShown ? listed : await find(this.subject(id, olds), until);
    // What it no longer shows stays as it was.
    if (wire && isBare(wire)) return { ...olds, status: wire.status };
    // Nor does it tell of a write whose end is not known: what was asked for last may still come.
    const mayCome = olds.status === "NEW" && !isGone(wire) && wire?.status !== "ERROR";
    if (wire && mayCome && changedFields(wire, olds).length > 0) return olds;
    return wire && rules.outputsOf(wire, olds);
  }

  async update(id: string, olds: ShareOutputs, news: ShareInputs, until: Until): Promise<Made<ShareOutputs>> {
    await this.kept(id, olds, until);
    return this.updated(id, olds, news, until);
  }

  override async delete(id: string, olds: ShareOutputs, until: Until): Promise<void> {
    await this.kind(olds).departures.during(id, () => super.delete(id, olds, until));
    const { claims } = this.kind(olds);
    // A run that failed can have written other values than those of the resource that stays with the share.
    const stays = claims.foundAs(id) as ShareInputs | undefined;
    if (!stays || !isChanged(olds, stays)) return;
    this.service.say(
      `${this.subject(id, olds).label}: kept as the program declares it: what goes from the state has other values`,
    );
    const { unfinished } = await this.update(id, olds, stays, until).catch((error: unknown) => ({ unfinished: error }));
    if (unfinished) throw failed(`${(unfinished as Error).message}; run "pulumi refresh", then "pulumi up"`);
    claims.noteFound(id, undefined);
  }

  protected async remove(id: string, olds: ShareOutputs, until: Until): Promise<void> {
    await refuseIfUsed(this.service.frontDoor(olds.frontdoorId), id, until);
    await remove(this.subject(id, olds), until);
  }

  protected subject(id: string, olds: ShareOutputs) {
    return shareSubject(this.service, id, olds);
  }

  protected kindOf({ shares }: FrontDoor) {
    return shares;
  }

  protected differs() {
    return undefined;
  }

  /** Makes an existing share this resource's; a record of its create stays until it has reached the state. */
  protected takenUp(live: WireShare, inputs: ShareInputs, until: Until): Promise<Made<ShareOutputs>> {
    return this.updated(live.id, rules.outputsOf(live, { frontdoorId: inputs.frontdoorId }), inputs, until);
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
   * what a failed move has left, that the engine counts as the same. A preview knows, too, where its tunnel stays until the new one
   * is there.
   */
  private stays(id: string, { frontdoorId, ipsecTunnelId }: ShareOutputs, isPlanned: boolean): boolean {
    const frontDoor = this.service.frontDoor(frontdoorId);
    const { claims } = frontDoor.tunnels;
    if (frontDoor.shares.moves.isExpected(id) || claims.isHeld(ipsecTunnelId)) return true;
    const isMoving = isPlanned && claims.replacement(ipsecTunnelId) === "new first";
    return isMoving || this.service.isSpared(ipsecTunnelId, frontDoor);
  }

  private updated(id: string, olds: ShareOutputs, news: ShareInputs, until: Until): Promise<Made<ShareOutputs>> {
    return this.kind(news).moves.during(id, () => new ShareUpdate(this.service, id, olds, news, until).run());
  }
}
