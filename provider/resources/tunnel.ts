import type { FrontDoor } from "../service";
import type { WireTunnel } from "../api/types";
import { isBare } from "../api/wire";
import { type Planned, UNKNOWN, valueOf } from "../fields/field";
import { tunnelFields } from "../fields/tunnel";
import type { Until } from "../time/clock";
import type { FrontdoorError } from "../errors";
import { createOnce } from "./create";
import { judgeDeployed } from "./judge";
import type { Made } from "./lifecycle";
import { type Comparison, Managed } from "./managed";
import { type Unfinished, unfinished } from "./outcome";
import { awaitRoom, refuseIfTaken } from "./room";
import { detailsOf } from "./tunnel-config";
import { removeTunnel } from "./tunnel-delete";
import { changedInputs, isOtherwiseStored, rules, type TunnelInputs, type TunnelOutputs } from "./tunnel-inputs";
import { find } from "./writes";

const hasEnded = ({ status }: { status: string }) => ["ERROR", "DELETING", "DELETED"].includes(status);
const label = (name: string, id: string) => `IPsec tunnel "${name}" (${id})`;

/** Create, read, update and delete of tunnels (spec: Tunnels) on one service. */
export class TunnelLifecycle extends Managed<TunnelInputs, TunnelOutputs, WireTunnel> {
  protected readonly timeouts = { create: 1800, update: 1800, delete: 1800 };
  protected readonly type = "IpsecTunnel";
  protected readonly what = "IPsec tunnel";
  protected readonly table = tunnelFields;
  protected readonly rules = rules;

  async compared(
    id: string,
    known: TunnelOutputs,
    news: Planned<TunnelInputs>,
    until: Until,
    checkedName: unknown,
  ): Promise<Comparison> {
    const { claims } = this.kindInState(id, known);
    const olds = await this.asOfNow(id, known, until);
    const isDeclared = claims.isDeclared(checkedName);
    const origin = isDeclared ? claims.noteInState(id, String(checkedName)) : undefined;
    this.refuseTwice(id, olds, origin);
    const { updates, moves, ...inputs } = changedInputs(olds, news);
    const replaces: string[] = [...inputs.replaces];
    if (replaces.length === 0 && hasEnded(olds)) {
      const live = await find(this.subject(id, olds), until);
      if (!live || hasEnded(live)) replaces.push("status");
    }
    const isWhole = olds.status === "DEPLOYED" && olds.tunnelConfig !== undefined;
    const changes = [...updates, ...replaces].length > 0 || !isWhole;
    const isMove = moves.some((key) => valueOf(news, key) !== UNKNOWN);
    if (replaces.length > 0) claims.noteReplaced(id, isMove ? "new first" : "old first");
    if (isMove)
      await refuseIfTaken(this.service, { id, label: label(olds.name, id), from: olds, to: news, origin }, until);
    return {
      changes,
      isOfInputs: isWhole && replaces.length === 0 && isOtherwiseStored(olds, news),
      replaces,
      deleteBeforeReplace: !isMove,
      isRight: !changes && isDeclared,
    };
  }

  protected async created(inputs: TunnelInputs, isNameDerived: boolean, until: Until): Promise<Made<TunnelOutputs>> {
    const { name, locationId, nlbPrivateIp, frontdoorId } = inputs;
    const kind = this.kind(inputs);
    // List entries do not tell the load balancer's address.
    const isAlike = (entry: WireTunnel) =>
      changedInputs(rules.outputsOf(entry, { frontdoorId }), {
        ...inputs,
        nlbPrivateIp: entry.nlbPrivateIp && nlbPrivateIp,
      }).replaces.length === 0;
    const { required, fullBody } = rules;
    const creation = { kind, what: this.what, body: fullBody(inputs), isNameDerived, isAlike, required };
    const create = () =>
      createOnce(creation, this.service, until).catch(async (error: unknown) => {
        await awaitRoom(kind, { name, locationId }, error, until);
        return createOnce(creation, this.service, until);
      });
    let made = await create();
    if (made.isLeft && made.found && (made.found.status === "ERROR" || !isAlike(made.found))) {
      // The service can't repair or change a tunnel: what an interrupted run has left so makes room for a new one.
      await this.remove(made.id, rules.outputsOf(made.found, { frontdoorId }), until);
      kind.deletes.told(made.id);
      kind.creates.forget(name);
      made = await create();
    }
    const before = rules.outputsOf({ ...inputs, status: "NEW" }, { frontdoorId });
    return this.finish(made.id, inputs, before, until, made.found ? undefined : "create");
  }

  async read(id: string, olds: TunnelOutputs, until: Until): Promise<TunnelOutputs | undefined> {
    const kind = this.kindInState(id, olds);
    const wire = await find(this.subject(id, olds), until);
    if (!wire) return undefined;
    // What it no longer shows stays as it was.
    if (isBare(wire)) return { ...olds, status: wire.status };
    const outputs = rules.outputsOf(wire, olds);
    return wire.status === "DEPLOYED"
      ? { ...outputs, ...(await detailsOf(kind, id, olds.sampleConfig, until)) }
      : outputs;
  }

  /** The service has no tunnel update: this goes on with a wait that was cut short, and fetches or drops the sample configuration. */
  async update(id: string, olds: TunnelOutputs, news: TunnelInputs, until: Until): Promise<Made<TunnelOutputs>> {
    await this.kept(id, olds, until);
    const wire = await find(this.subject(id, olds), until);
    if (wire) return this.finish(id, news, olds, until);
    return this.unfinished(id, { ...olds, status: "DELETED" }, "failed", "it no longer exists");
  }

  protected async remove(id: string, olds: TunnelOutputs, until: Until): Promise<void> {
    const { say } = this.service;
    await removeTunnel(this.service.frontDoor(olds.frontdoorId), this.subject(id, olds), say, until);
  }

  protected differs(live: WireTunnel, inputs: TunnelInputs): string | undefined {
    const before = rules.outputsOf(live, { frontdoorId: inputs.frontdoorId });
    const differences = changedInputs(before, inputs).replaces.map((key) => {
      const has = valueOf(before, key);
      return `${key} (it has ${typeof has === "string" ? has : "none"})`;
    });
    if (differences.length === 0) return undefined;
    return `it differs in ${differences.join(", ")}, and a tunnel can only be replaced`;
  }

  protected takenUp(live: WireTunnel, inputs: TunnelInputs, until: Until): Promise<Made<TunnelOutputs>> {
    return this.finish(live.id, inputs, rules.outputsOf(live, { frontdoorId: inputs.frontdoorId }), until);
  }

  protected subject(id: string, { name, status, frontdoorId }: TunnelOutputs) {
    return { kind: this.kind({ frontdoorId }), id, label: label(name, id), status };
  }

  protected kindOf({ tunnels }: FrontDoor) {
    return tunnels;
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

  private async finish(
    id: string,
    inputs: TunnelInputs,
    before: TunnelOutputs,
    until: Until,
    operation?: "create",
  ): Promise<Made<TunnelOutputs>> {
    const kind = this.kind(inputs);
    const waited = await kind.inventory.wait(id, judgeDeployed, until, operation);
    const wire = waited.now === "done" ? waited.value : waited.last;
    const shown = !wire ? before : isBare(wire) ? { ...before, status: wire.status } : rules.outputsOf(wire, before);
    const outputs = { ...shown, __set: rules.setBy(inputs) };
    if (waited.now === "unfinished") return this.unfinished(id, outputs, waited.why, waited.reason);
    try {
      const sample = inputs.storeSampleConfig === false ? undefined : (before.sampleConfig ?? "");
      return { id, outputs: { ...outputs, ...(await detailsOf(kind, id, sample, until)) } };
    } catch (error) {
      return this.unfinished(id, outputs, "failed", (error as FrontdoorError).message);
    }
  }
}
