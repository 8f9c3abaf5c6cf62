import { mayHaveRun } from "../api/collection";
import type { Service } from "../service";
import type { WireShare } from "../api/types";
import { isBare } from "../api/wire";
import type { Until } from "../time/clock";
import { isRefused } from "../errors";
import { adoptable, isMoot } from "./adopt";
import { checkEach, reconciled, withFrontdoor, withName } from "./check";
import { createOnce } from "./create";
import { isThere, portHolder, refuseIfUsed } from "./holders";
import { judgeApplied, judgeDeployed, judgeHappened, judgeShown, settledMs } from "./judge";
import {
  type Checked,
  type Declaration,
  type Diff,
  type Lifecycle,
  type Made,
  type Planned,
  UNKNOWN,
} from "./lifecycle";
import { type Unfinished, unfinished } from "./outcome";
import {
  changedFields,
  environmentFailures,
  fullBody,
  inputsOf,
  isCleared,
  isNewlySet,
  outputsOf,
  required,
  setBy,
  type ShareInputs,
  type ShareOutputs,
  shareShape,
} from "./share-inputs";
import { planWrite } from "./share-write";
import { find, isKept, remove, writeOnce } from "./writes";

const gone = { why: "failed", reason: "it no longer exists" } as const;
const isGone = (seen: { status: string } | undefined) => !seen || !isThere(seen);
const label = (name: string, id: string) => `IPsec share "${name}" (${id})`;

/** Create, read, update and delete of shares (spec: Shares) on one service. */
export class ShareLifecycle implements Lifecycle<ShareInputs, ShareOutputs> {
  readonly timeouts = { create: 900, update: 900, delete: 900 };

  constructor(private readonly service: Service) {}

  check(declared: Declaration): Checked<ShareInputs> {
    const { given, isNameDerived } = withName(declared);
    const checked = checkEach(shareShape, given, "IpsecShare");
    const { inputs, failures } = withFrontdoor(checked, this.service.config.frontdoorId);
    const { envId, ...rest } = inputs;
    const environment = envId ?? rest.envZId;
    const whole = {
      inputs: { ...rest, ...(environment !== undefined && { envZId: environment }) } as Planned<ShareInputs>,
      failures: [...failures, ...environmentFailures(given)],
    };
    const { frontdoorId, ipsecTunnelId, name } = whole.inputs;
    if (ipsecTunnelId === UNKNOWN && typeof frontdoorId === "string") this.kind({ frontdoorId }).moves.plan(name);
    return { ...reconciled(whole, declared, this.service, ({ shares }) => shares), isNameDerived };
  }

  async diff(
    id: string,
    olds: ShareOutputs,
    news: Planned<ShareInputs>,
    until: Until,
    checkedName: unknown = news.name,
  ): Promise<Diff> {
    const { tunnels, shares } = this.service.frontDoor(olds.frontdoorId);
    const { claims, creates, departures, moves, calls } = shares;
    creates.forget(olds.name, id);
    claims.noteInState(id, String(checkedName));
    const same = { changes: false, isOfInputs: false, replaces: [], deleteBeforeReplace: true };
    const { ipsecTunnelId } = news;
    // What this run moves away, or what is on a tunnel that stays, is not in the way of one that is replaced.
    const stays = moves.isExpected(id) || tunnels.claims.isHeld(olds.ipsecTunnelId);
    const isMove = typeof ipsecTunnelId === "string" && ipsecTunnelId !== olds.ipsecTunnelId;
    if (isMove && news.frontdoorId === olds.frontdoorId) moves.expect(id);
    if (ipsecTunnelId === UNKNOWN && !moves.isPlanned(checkedName)) {
      // The engine asks so of what the state says depends on a tunnel that is replaced delete-first.
      if (stays || (await this.isElsewhere(id, olds, until))) return same;
      departures.expect(id, olds.name, olds.ipsecTunnelId);
    }
    const isChanged = changedFields(olds, news).length > 0 || isCleared(olds, news);
    const replaces: string[] = [];
    if (news.frontdoorId !== olds.frontdoorId) replaces.push("frontdoorId");
    if (ipsecTunnelId === UNKNOWN && !stays) replaces.push("ipsecTunnelId");
    if (isGone(olds) && isGone(await calls.get(id, until))) replaces.push("status");
    const changes = isChanged || replaces.length > 0 || isNewlySet(olds, news) || olds.status !== "DEPLOYED";
    if (!changes) claims.hold(id);
    return {
      changes,
      isOfInputs: isChanged && replaces.length === 0 && olds.status === "DEPLOYED" && olds.__set !== undefined,
      replaces,
      deleteBeforeReplace: replaces[0] !== "frontdoorId",
    };
  }

  async create(inputs: ShareInputs, isNameDerived: boolean, until: Until): Promise<Made<ShareOutputs>> {
    const made = await this.created(inputs, isNameDerived, until);
    this.kind(inputs).creates.told(inputs.name);
    return made;
  }

  private async created(inputs: ShareInputs, isNameDerived: boolean, until: Until): Promise<Made<ShareOutputs>> {
    const kind = this.kind(inputs);
    if (inputs.adopt !== undefined && !(await isMoot(kind, inputs, until))) {
      const live = await adoptable(kind, inputs.adopt, `IPsec share ${inputs.adopt}`, inputs.frontdoorId, until);
      kind.claims.hold(live.id);
      kind.creates.forget(live.name);
      return this.takeUp(live, isNameDerived ? { ...inputs, name: live.name } : inputs, until);
    }
    const isAlike = (entry: WireShare) => changedFields(entry, inputs).length === 0;
    const holder = () => portHolder(kind, inputs, until);
    const on = { tunnelIds: [inputs.ipsecTunnelId], body: fullBody(inputs) };
    const creation = { kind, what: "IPsec share", ...on, isNameDerived, isAlike, required, holder };
    const made = await createOnce(creation, this.service, until);
    const { found } = made;
    if (found && !(isAlike(found) && ["NEW", "DEPLOYED"].includes(found.status))) {
      // It is this resource's: whatever fails from here on, its id must reach the state.
      return this.takeUp(found, inputs, until).catch((error: unknown) =>
        this.unfinished(found.id, inputs, "NEW", { why: "failed", reason: (error as Error).message }),
      );
    }
    const waited = await kind.poller.wait(made.id, judgeDeployed, until, found ? undefined : "create");
    if (waited.now === "done") return { id: made.id, outputs: await this.outputs(waited.value, inputs, until) };
    return this.unfinished(made.id, inputs, waited.last?.status ?? "NEW", waited);
  }

  async read(id: string, olds: ShareOutputs, until: Until): Promise<ShareOutputs | undefined> {
    this.kind(olds).creates.forget(olds.name, id);
    const listed = await this.kind(olds).snapshot.read(id, until);
    const isShown =
      listed && listed.status !== "DELETED" && (olds.locationId === undefined || listed.locationId !== undefined);
    const wire = isShown ? listed : await find(this.subject(id, olds), this.service.clock, until);
    // What it no longer shows stays as it was.
    if (wire && isBare(wire)) return { ...olds, status: wire.status };
    // Nor does it tell of a write whose end is not known: what was asked for last may still come.
    if (wire?.status === "DEPLOYED" && olds.status === "NEW" && changedFields(wire, olds).length > 0) return olds;
    return wire && outputsOf(wire, olds.frontdoorId, olds.__set);
  }

  async update(id: string, olds: ShareOutputs, news: ShareInputs, until: Until): Promise<Made<ShareOutputs>> {
    this.kind(news).creates.forget(olds.name, id);
    return this.change(id, olds, news, until);
  }

  /** Finds out what is left to write, writes it once, and waits until it has happened. */
  private async change(id: string, olds: ShareOutputs, news: ShareInputs, until: Until): Promise<Made<ShareOutputs>> {
    const { claims, moves } = this.kind(news);
    claims.hold(id);
    moves.begun(id);
    try {
      const made = await this.updated(id, olds, news, until);
      moves.ended(id, made.unfinished);
      return made;
    } catch (error) {
      moves.ended(id, error as Error);
      throw error;
    }
  }

  private async updated(id: string, olds: ShareOutputs, news: ShareInputs, until: Until): Promise<Made<ShareOutputs>> {
    const { calls, poller } = this.kind(news);
    let isClear = isCleared(olds, news);
    let changed = changedFields(olds, news);
    let awaited = Object.keys(news);
    let before: Pick<ShareOutputs, "status" | "locationId"> = olds;
    let live: WireShare | undefined;
    if (olds.status !== "DEPLOYED" || (changed.length === 0 && !isClear)) {
      // Something was left unfinished: what the service shows now decides, so that nothing is written twice. But where something
      // else was asked for last, that may still come, whatever shows now.
      live = await this.liveAfterEcho(id, olds, news, until);
      if (!live || isBare(live)) return this.unfinished(id, news, live?.status ?? "DELETED", gone);
      changed = [...new Set([...changed, ...changedFields(live, news)])];
      before = live;
    } else {
      // What else was changed behind the state's back is a refresh's to find.
      if (!isClear) awaited = changed;
      const written = await this.written(id, olds, news, until);
      if (written) {
        changed = [];
        isClear = false;
        before = written;
      }
    }
    const { write, happened } = planWrite({ before, live, changed, awaited, isClear }, news);
    if (write) {
      const send = () => calls.write(write.method, id, write.body, until);
      try {
        const subject = { ...this.subject(id, olds), tunnelIds: [olds.ipsecTunnelId, news.ipsecTunnelId] };
        await writeOnce(subject, send, judgeHappened(...happened), this.service.clock, until);
      } catch (error) {
        if (isRefused(error, 404, 410) && !(await find(this.subject(id, olds), this.service.clock, until)))
          return this.unfinished(id, news, "DELETED", gone);
        if (!mayHaveRun(error)) throw error;
        return this.unfinished(id, news, "NEW", { why: "failed", reason: (error as Error).message });
      }
    }
    const waited = await poller.wait(id, judgeApplied(...happened), until, "update");
    if (waited.now === "done") return { id, outputs: await this.outputs(waited.value, news, until) };
    // DEPLOYED here is the old one still showing: the next run has to go on waiting.
    const status = waited.last?.status ?? "NEW";
    return this.unfinished(id, news, status === "DEPLOYED" ? "NEW" : status, waited);
  }

  async delete(id: string, olds: ShareOutputs, until: Until): Promise<void> {
    const kind = this.kind(olds);
    const subject = this.subject(id, olds);
    if (isKept(subject, this.service)) {
      kind.departures.ended(id);
      return;
    }
    kind.departures.begun(id);
    try {
      await refuseIfUsed(this.service.frontDoor(olds.frontdoorId), id, until);
      await remove(subject, this.service.clock, until);
      kind.creates.forget(olds.name, id);
      kind.departures.ended(id);
    } catch (error) {
      kind.departures.ended(id, error as Error);
      throw error;
    }
  }

  inputsOf(outputs: ShareOutputs): object {
    return inputsOf(outputs);
  }

  /** Whether it is on another tunnel than its old one, where a list or the read by id shows so: either may lag behind. */
  private async isElsewhere(id: string, olds: ShareOutputs, until: Until): Promise<boolean> {
    const { calls, snapshot } = this.kind(olds);
    const shows = (seen: WireShare | undefined) =>
      seen !== undefined && !isGone(seen) && !isBare(seen) && seen.ipsecTunnelId !== olds.ipsecTunnelId;
    return shows(await calls.get(id, until)) || shows(await snapshot.read(id, until));
  }

  /** The share, where a run that was killed has written or cleared the changed fields already; a list alone, which may lag behind, does not tell that. */
  private async written(
    id: string,
    olds: ShareOutputs,
    news: ShareInputs,
    until: Until,
  ): Promise<WireShare | undefined> {
    const { calls, snapshot } = this.kind(news);
    const changed = changedFields(olds, news);
    const isClear = isCleared(olds, news);
    const isWritten = (seen: WireShare | undefined) =>
      seen !== undefined &&
      !changedFields(seen, news).some((key) => changed.includes(key)) &&
      !(isClear && seen.locationId === olds.locationId);
    const listed = await snapshot.read(id, until);
    // Where no list tells, the read by id does.
    if (listed && !isWritten(listed)) return undefined;
    const live = await calls.get(id, until);
    return isWritten(live) ? live : undefined;
  }

  /** Makes an existing share this resource's; a record of its create stays until it has reached the state. */
  private takeUp(live: WireShare, inputs: ShareInputs, until: Until): Promise<Made<ShareOutputs>> {
    return this.change(live.id, outputsOf(live, inputs.frontdoorId, undefined), inputs, until);
  }

  /** What the state keeps of a deployed share; where a list entry does not tell the location, one GET does. */
  private async outputs(seen: WireShare, inputs: ShareInputs, until: Until): Promise<ShareOutputs> {
    const isMissing = inputs.locationId !== undefined && seen.locationId === undefined;
    const whole = isMissing
      ? await this.kind(inputs)
          .calls.get(seen.id, until)
          .catch(() => undefined)
      : undefined;
    return outputsOf(whole ?? seen, inputs.frontdoorId, setBy(inputs));
  }

  private kind({ frontdoorId }: { frontdoorId: string }) {
    return this.service.frontDoor(frontdoorId).shares;
  }

  private subject(id: string, { name, status, frontdoorId, ipsecTunnelId }: ShareOutputs) {
    return { kind: this.kind({ frontdoorId }), id, label: label(name, id), status, tunnelIds: [ipsecTunnelId] };
  }

  /** What the service shows; where an earlier run has written already, old values get time to give way to the new ones. */
  private async liveAfterEcho(
    id: string,
    olds: ShareOutputs,
    news: ShareInputs,
    until: Until,
  ): Promise<WireShare | undefined> {
    const kind = this.kind(news);
    const live = await find(this.subject(id, olds), this.service.clock, until);
    const isWritten = changedFields(olds, news).length === 0;
    if (!live || !isWritten || changedFields(live, news).length === 0) return live;
    const echoMs = Math.min(until.deadlineMs, this.service.clock.now() + settledMs);
    const waited = await kind.poller.wait(
      id,
      judgeShown<WireShare>((seen) => changedFields(seen, news).length === 0),
      { ...until, deadlineMs: echoMs },
    );
    return waited.now === "done" ? waited.value : (waited.last ?? live);
  }

  /** The state keeps what was asked for, so that the next run finds no difference but the status. */
  private unfinished(
    id: string,
    inputs: ShareInputs,
    status: string,
    { why, reason }: { why: Unfinished; reason: string },
  ): Made<ShareOutputs> {
    const outputs = { ...fullBody(inputs), frontdoorId: inputs.frontdoorId, status, __set: setBy(inputs) };
    const repair = {
      ERROR: "it sends the share once more",
      DELETED: "it creates the share anew",
      DELETING: "it creates the share anew",
    }[status];
    return unfinished(id, outputs, why, `${label(inputs.name, id)}: ${reason}`, repair);
  }
}
