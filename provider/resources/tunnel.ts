import { z } from "zod";
import { networkOf } from "../addresses";
import type { FrontDoor, Service } from "../api/service";
import type { WireTunnel } from "../api/tunnels";
import type { Until } from "../clock";
import { type FrontdoorError } from "../errors";
import { checkEach, withFrontdoor } from "./check";
import * as fields from "./fields";
import { judgeDeployed } from "./judge";
import { type Diff, type Lifecycle, type Made, type Planned, UNKNOWN } from "./lifecycle";
import { type Unfinished, unfinished } from "./outcome";
import { readSample, readTunnelConfig, type TunnelConfig } from "./tunnel-config";
import { removeTunnel } from "./tunnel-delete";
import { find, make } from "./writes";

/** The inputs of a tunnel (spec: Tunnels, POST). The comment of each is its hover text and its entry in the reference. */
export const tunnelShape = {
  /** Public IPv4 address of the remote site's IPsec device. A change replaces the tunnel. */
  peerPublicIp: fields.publicIpv4,
  /** CIDR block behind the peer, host bits clear, such as `10.20.0.0/16`. A change replaces the tunnel. */
  peerCidr: fields.network,
  /** Name of the tunnel. Default: derived from project, stack and the resource's name. A change replaces the tunnel. */
  name: fields.tunnelName.optional(),
  /** Location of the tunnel; one tunnel is allowed per front door and location. Left out, the service decides. A change replaces the tunnel, the new one first. */
  locationId: fields.id("a location id").optional(),
  /** Private IPv4 address of the load balancer. Left out, the service picks a free one. A change replaces the tunnel. */
  nlbPrivateIp: fields.privateIpv4.optional(),
  /** Front door that owns the tunnel. Default: `frontdoor:frontdoorId`. A change replaces the tunnel, the new one first. */
  frontdoorId: fields.id("a front door id").optional(),
  /** Whether the sample configuration, which holds the pre-shared key, is kept (encrypted) in the state as `sampleConfig`. Default: true. */
  storeSampleConfig: z.boolean("must be true or false").optional(),
};

/** What a program gives. */
export type TunnelArgs = z.input<z.ZodObject<typeof tunnelShape>>;

/** What check has made of it: name and front door are there. */
export type TunnelInputs = TunnelArgs & { name: string; frontdoorId: string };

/** What the state keeps (contract: Resources). */
export interface TunnelOutputs {
  name: string;
  frontdoorId: string;
  locationId?: string;
  status: string;
  peerPublicIp: string;
  peerCidr: string;
  nlbPrivateIp?: string;
  nlbDnsName?: string;
  vpnConnectionId?: string;
  tunnelConfig?: TunnelConfig;
  sampleConfig?: string;
}

const onChange = {
  peerPublicIp: "replace",
  peerCidr: "replace",
  name: "replace",
  locationId: "replace",
  nlbPrivateIp: "replace",
  frontdoorId: "replace",
  storeSampleConfig: "update",
} as const satisfies Record<keyof TunnelArgs, "replace" | "update">;

/** One tunnel is allowed per place: a tunnel that moves to another can be made before the old one goes, so that shares move over. */
const places = ["locationId", "frontdoorId"] as const;

const ended = ["ERROR", "DELETING", "DELETED"];
const label = (name: string, id: string) => `IPsec tunnel "${name}" (${id})`;

/** Create, read, update and delete of tunnels (spec: Tunnels) on one service. */
export class TunnelLifecycle implements Lifecycle<TunnelInputs, TunnelOutputs> {
  readonly timeouts = { create: 1800, update: 1800, delete: 1800 };

  constructor(private readonly service: Service) {}

  check(given: Record<string, unknown>) {
    const { inputs, failures } = withFrontdoor(
      checkEach(tunnelShape, given, "IpsecTunnel"),
      this.service.config.frontdoorId,
    );
    return { inputs: inputs as Planned<TunnelInputs>, failures };
  }

  diff(olds: TunnelOutputs, news: Planned<TunnelInputs>): Diff {
    const changed = (Object.keys(onChange) as (keyof typeof onChange)[]).filter((key) => differs(key, olds, news));
    const replaces: string[] = changed.filter((key) => onChange[key] === "replace");
    if (ended.includes(olds.status)) replaces.push("status");
    return {
      changes:
        changed.length > 0 || replaces.length > 0 || olds.status !== "DEPLOYED" || olds.tunnelConfig === undefined,
      replaces,
      deleteBeforeReplace: !places.some((key) => changed.includes(key) && news[key] !== UNKNOWN),
    };
  }

  async create(inputs: TunnelInputs, until: Until): Promise<Made<TunnelOutputs>> {
    const { name, peerPublicIp, peerCidr, locationId, nlbPrivateIp, frontdoorId } = inputs;
    const body = { name, peerPublicIp, peerCidr, locationId, nlbPrivateIp };
    const id = await make(this.service.frontDoor(frontdoorId).tunnels, body, until);
    return this.finish(id, inputs, { ...body, frontdoorId, status: "NEW" }, until);
  }

  async read(id: string, olds: TunnelOutputs, until: Until): Promise<TunnelOutputs | undefined> {
    const frontDoor = this.service.frontDoor(olds.frontdoorId);
    const wire = await find(this.subject(id, olds), this.service.clock, until);
    if (!wire) return undefined;
    const outputs = outputsOf(wire, olds.frontdoorId);
    return wire.status === "DEPLOYED"
      ? { ...outputs, ...(await this.details(frontDoor, id, olds.sampleConfig, until)) }
      : outputs;
  }

  /** The service has no tunnel update: this goes on with a wait that was cut short, and fetches or drops the sample configuration. */
  async update(id: string, olds: TunnelOutputs, news: TunnelInputs, until: Until): Promise<Made<TunnelOutputs>> {
    const wire = await find(this.subject(id, olds), this.service.clock, until);
    if (wire) return this.finish(id, news, olds, until);
    return this.unfinished(id, { ...olds, status: "DELETED" }, "failed", "it no longer exists");
  }

  async delete(id: string, olds: TunnelOutputs, until: Until): Promise<void> {
    await removeTunnel(this.service.frontDoor(olds.frontdoorId), this.subject(id, olds), this.service.clock, until);
  }

  private subject(id: string, { name, status, frontdoorId }: TunnelOutputs) {
    return { kind: this.service.frontDoor(frontdoorId).tunnels, id, label: label(name, id), status };
  }

  private unfinished(id: string, outputs: TunnelOutputs, why: Unfinished, reason: string): Made<TunnelOutputs> {
    return unfinished(
      id,
      outputs,
      why,
      `${label(outputs.name, id)}: ${reason}`,
      ended.includes(outputs.status) ? "it replaces the tunnel" : undefined,
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
  ): Promise<Made<TunnelOutputs>> {
    const frontDoor = this.service.frontDoor(inputs.frontdoorId);
    const waited = await frontDoor.tunnels.poller.wait(id, judgeDeployed, until);
    const wire = waited.now === "done" ? waited.value : waited.last;
    const outputs = wire ? outputsOf(wire, inputs.frontdoorId) : before;
    if (waited.now === "unfinished") return this.unfinished(id, outputs, waited.why, waited.reason);
    try {
      const sample = inputs.storeSampleConfig === false ? undefined : (before.sampleConfig ?? "");
      return { id, outputs: { ...outputs, ...(await this.details(frontDoor, id, sample, until)) } };
    } catch (error) {
      return this.unfinished(id, outputs, "failed", (error as FrontdoorError).message);
    }
  }
}

function differs(key: keyof typeof onChange, olds: TunnelOutputs, news: Planned<TunnelInputs>): boolean {
  const value = news[key];
  if (key === "storeSampleConfig") return (value !== false) !== (olds.sampleConfig !== undefined);
  // An input that is left out is not managed: what the tunnel has stays.
  if (value === undefined) return false;
  return key === "peerCidr" && value !== UNKNOWN
    ? networkOf(String(value)) !== networkOf(olds.peerCidr)
    : value !== olds[key];
}

function outputsOf({ id: _id, ...fields }: WireTunnel, frontdoorId: string): TunnelOutputs {
  return { frontdoorId, ...fields };
}
