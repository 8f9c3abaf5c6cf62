import type { FrontDoor, Service } from "../service";
import type { WireTunnel } from "../api/types";
import { isBare } from "../api/wire";
import { type Planned, UNKNOWN, valueOf } from "../fields/field";
import type { Until } from "../time/clock";
import type { FrontdoorError } from "../errors";
import { adoptable, isMoot, notAdopted } from "./adopt";
import { checkEach, reconciled, withFrontdoor, withName } from "./check";
import { createOnce } from "./create";
import { judgeDeployed } from "./judge";
import type { Checked, Declaration, Diff, Lifecycle, Made } from "./lifecycle";
import { type Unfinished, unfinished } from "./outcome";
import { tellOutlived } from "./outlived";
import { awaitRoom, refuseIfTaken } from "./room";
import { readSample, readTunnelConfig } from "./tunnel-config";
import { removeTunnel } from "./tunnel-delete";
import {
  changedInputs,
  fullBody,
  inputsOf,
  isOtherwiseStored,
  optional,
  outputsOf,
  knownOutputs,
  required,
  setBy,
  tunnelFields,
  type TunnelInputs,
  type TunnelOutputs,
} from "./tunnel-inputs";
import { find, isKept } from "./writes";

const hasEnded = ({ status }: { status: string }) => ["ERROR", "DELETING", "DELETED"].includes(status);
const label = (name: string, id: string) => `IPsec tunnel "${name}" (${id})`;

/** Create, read, update and delete of tunnels (spec: Tunnels) on one service. */
export class TunnelLifecycle implements Lifecycle<TunnelInputs, TunnelOutputs> {
  readonly inputsOf = inputsOf;
  readonly knownOutputs = knownOutputs;
  readonly timeouts = { create: 1800, update: 1800, delete: 1800 };

  constructor(private readonly service: Service) {}

  check(declared: Declaration): Checked<TunnelInputs> {
    const { given, isNameDerived } = withName(declared);
    const checked = withFrontdoor(
      checkEach<TunnelInputs>(tunnelFields, given, "IpsecTunnel"),
      this.service.config.frontdoorId,
    );
    const { inputs, failures } = reconciled(checked, declared, this.service, ({ tunnels }) => tunnels);
    return { inputs: inputs as Planned<TunnelInputs>, failures, isNameDerived };
  }

  async diff(
    id: string,
    olds: TunnelOutputs,
    news: Planned<TunnelInputs>,
    until: Until,
    checkedName: unknown = news.name,
  ): Promise<Diff> {
    const { claims, creates } = this.kind(olds);
    creates.forget(olds.name, id);
    const origin = claims.noteInState(id, String(checkedName));
    const { updates, moves, ...inputs } = changedInputs(olds, news);
    const replaces: string[] = [...inputs.replaces];
    if (replaces.length === 0 && hasEnded(olds)) {
      const live = await find(this.subject(id, olds), this.service.clock, until);
      if (!live || hasEnded(live)) replaces.push("status");
    }
    const isWhole = olds.status === "DEPLOYED" && olds.tunnelConfig !== undefined;
    const changes = [...updates, ...replaces].length > 0 || !isWhole;
    if (!changes) {
      claims.hold(id);
      await this.tellOutlived(id, olds, until);
    }
    if (replaces.length > 0) claims.noteReplaced(id);
    const isMove = moves.some((key) => valueOf(news, key) !== UNKNOWN);
    if (isMove)
      await refuseIfTaken(this.service, { id, label: label(olds.name, id), from: olds, to: news, origin }, until);
    return {
      changes,
      isOfInputs: isWhole && replaces.length === 0 && isOtherwiseStored(olds, news),
      replaces,
      deleteBeforeReplace: !isMove,
    };
  }

  async create(inputs: TunnelInputs, isNameDerived: boolean, until: Until): Promise<Made<TunnelOutputs>> {
    const kind = this.kind(inputs);
    const { name, adopt } = inputs;
    const made = await this.created(inputs, isNameDerived, until);
    await tellOutlived(
      kind,
      `IPsec tunnel "${name}"`,
      kind.claims.urnOf(name),
      adopt === made.id ? { name, id: adopt } : { name },
      this.service,
      until,
    );
    kind.creates.told(name);
    return made;
  }

  private async created(inputs: TunnelInputs, isNameDerived: boolean, until: Until): Promise<Made<TunnelOutputs>> {
    const { adopt, name, locationId, nlbPrivateIp, frontdoorId } = inputs;
    const kind = this.kind(inputs);
    if (adopt !== undefined && !(await isMoot(kind, inputs, until)))
      return this.adopt(adopt, inputs, isNameDerived, until);
    const body = fullBody(inputs);
    // List entries do not tell the load balancer's address.
    const isAlike = (entry: WireTunnel) =>
      changedInputs(outputsOf(entry, { frontdoorId }), { ...inputs, nlbPrivateIp: entry.nlbPrivateIp && nlbPrivateIp })
        .replaces.length === 0;
    const creation = { kind, what: "IPsec tunnel", body, isNameDerived, isAlike, required };
    const create = () =>
      createOnce(creation, this.service, until).catch(async (error: unknown) => {
        await awaitRoom(kind, { name, locationId }, error, until);
        return createOnce(creation, this.service, until);
      });
    let made = await create();
    if (made.isLeft && made.found && (made.found.status === "ERROR" || !isAlike(made.found))) {
      // The service can't repair or change a tunnel: what an interrupted run has left so makes room for a new one.
      await this.remove(made.id, outputsOf(made.found, { frontdoorId }), until);
      kind.creates.forget(name);
      made = await create();
    }
    const before = outputsOf({ ...inputs, status: "NEW" }, { frontdoorId });
    return this.finish(made.id, inputs, before, until, made.found ? undefined : "create");
  }

  blank(frontdoorId: string): TunnelOutputs {
    const unknown = { name: "", peerPublicIp: "", peerCidr: "", status: "", sampleConfig: "" };
    return { ...unknown, frontdoorId, __set: optional };
  }

  async read(id: string, olds: TunnelOutputs, until: Until): Promise<TunnelOutputs | undefined> {
    this.kind(olds).creates.forget(olds.name, id);
    const frontDoor = this.service.frontDoor(olds.frontdoorId);
    const wire = await find(this.subject(id, olds), this.service.clock, until);
    if (!wire) return undefined;
    // What it no longer shows stays as it was.
    if (isBare(wire)) return { ...olds, status: wire.status };
    const outputs = outputsOf(wire, olds);
    return wire.status === "DEPLOYED"
      ? { ...outputs, ...(await this.details(frontDoor, id, olds.sampleConfig, until)) }
      : outputs;
  }

  /** The service has no tunnel update: this goes on with a wait that was cut short, and fetches or drops the sample configuration. */
  async update(id: string, olds: TunnelOutputs, news: TunnelInputs, until: Until): Promise<Made<TunnelOutputs>> {
    const { claims, creates } = this.kind(olds);
    claims.hold(id);
    creates.forget(olds.name, id);
    await this.tellOutlived(id, olds, until);
    const wire = await find(this.subject(id, olds), this.service.clock, until);
    if (wire) return this.finish(id, news, olds, until);
    return this.unfinished(id, { ...olds, status: "DELETED" }, "failed", "it no longer exists");
  }

  async delete(id: string, olds: TunnelOutputs, until: Until): Promise<void> {
    if (isKept(this.subject(id, olds), this.service)) return;
    await this.remove(id, olds, until);
    this.kind(olds).creates.forget(olds.name, id);
  }

  private async remove(id: string, olds: TunnelOutputs, until: Until): Promise<void> {
    await removeTunnel(this.service.frontDoor(olds.frontdoorId), this.subject(id, olds), this.service.clock, until);
  }

  private async adopt(
    id: string,
    inputs: TunnelInputs,
    isNameDerived: boolean,
    until: Until,
  ): Promise<Made<TunnelOutputs>> {
    const { frontdoorId } = inputs;
    const kind = this.kind(inputs);
    const live = await adoptable(kind, id, `IPsec tunnel ${id}`, frontdoorId, until);
    const before = outputsOf(live, { frontdoorId });
    const wanted = isNameDerived ? { ...inputs, name: live.name } : inputs;
    const differences = changedInputs(before, wanted).replaces.map((key) => {
      const has = valueOf(before, key);
      return `${key} (it has ${typeof has === "string" ? has : "none"})`;
    });
    if (differences.length === 0) {
      kind.claims.hold(id);
      kind.creates.forget(live.name, live.id);
      return this.finish(id, wanted, before, until);
    }
    throw notAdopted(
      `IPsec tunnel ${id}`,
      `it differs in ${differences.join(", ")}, and a tunnel can only be replaced`,
    );
  }

  private tellOutlived(id: string, olds: TunnelOutputs, until: Until): Promise<void> {
    const kind = this.kind(olds);
    const { name } = olds;
    return tellOutlived(kind, label(name, id), kind.claims.holderOf(id), { name, id }, this.service, until);
  }

  private subject(id: string, { name, status, frontdoorId }: TunnelOutputs) {
    return { kind: this.kind({ frontdoorId }), id, label: label(name, id), status };
  }

  private kind({ frontdoorId }: { frontdoorId: string }) {
    return this.service.frontDoor(frontdoorId).tunnels;
  }

  private unfinished(id: string, outputs: TunnelOutputs, why: Unfinished, reason: string): Made<TunnelOutputs> {
    return unfinished(
      id,
      outputs,
      why,
      `${label(outputs.name, id)}: ${reason}`,
      hasEnded(outputs) ? "it replaces the tunnel" : undefined,
    );
  }

  /** What a deployed tunnel has besides its fields; the sample configuration only where one is kept. */
  private async details(frontDoor: FrontDoor, id: string, sample: string | undefined, until: Until) {
    const { calls } = frontDoor.tunnels;
    return {
      tunnelConfig: await readTunnelConfig(calls, id, this.service.clock, until),
      ...(sample !== undefined && { sampleConfig: await readSample(calls, id, sample, this.service.clock, until) }),
    };
  }

  private async finish(
    id: string,
    inputs: TunnelInputs,
    before: TunnelOutputs,
    until: Until,
    operation?: "create",
  ): Promise<Made<TunnelOutputs>> {
    const frontDoor = this.service.frontDoor(inputs.frontdoorId);
    const waited = await frontDoor.tunnels.inventory.wait(id, judgeDeployed, until, operation);
    const wire = waited.now === "done" ? waited.value : waited.last;
    const shown = !wire ? before : isBare(wire) ? { ...before, status: wire.status } : outputsOf(wire, before);
    const outputs = { ...shown, __set: setBy(inputs) };
    if (waited.now === "unfinished") return this.unfinished(id, outputs, waited.why, waited.reason);
    try {
      const sample = inputs.storeSampleConfig === false ? undefined : (before.sampleConfig ?? "");
      return { id, outputs: { ...outputs, ...(await this.details(frontDoor, id, sample, until)) } };
    } catch (error) {
      return this.unfinished(id, outputs, "failed", (error as FrontdoorError).message);
    }
  }
}
