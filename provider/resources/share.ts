import { z } from "zod";
import { hostPortOf } from "../addresses";
import type { Service } from "../api/service";
import type { NewShare, WireShare } from "../api/shares";
import type { Until } from "../clock";
import { checkEach, withFrontdoor } from "./check";
import * as fields from "./fields";
import { judgeApplied, judgeDeployed, judgeShown, settledMs } from "./judge";
import { type Diff, type Failure, type Lifecycle, type Made, type Planned, UNKNOWN } from "./lifecycle";
import { type Unfinished, unfinished } from "./outcome";
import { find, make, remove, whenAccepted } from "./writes";

/** The inputs of a share (spec: Shares, POST). The comment of each is its hover text and its entry in the reference. */
export const shareShape = {
  /** Id of the tunnel the share is published on. A change moves the share over; it replaces the share only when its tunnel is replaced first. */
  ipsecTunnelId: fields.id("the id of an IPsec tunnel"),
  /** Private `host:port` the hosting agent connects to, such as `db.internal:5432`. */
  target: fields.hostPort,
  /** Listener port on the tunnel's load balancer, 1 to 65535. */
  ingressPort: fields.portNumber,
  /** Environment of the hosting agent. Required, here or as `envId`. */
  envZId: fields.id("the id of the hosting agent's environment").optional(),
  /** Another spelling of `envZId`; give one of the two. */
  envId: fields.id("the id of the hosting agent's environment").optional(),
  /** Name of the share: 1 to 63 letters, digits and hyphens. Default: derived from project, stack and the resource's name. */
  name: fields.shareName.optional(),
  /** Location of the share. Left out, the service decides; removed later, it is cleared. */
  locationId: fields.id("a location id").optional(),
  /** Front door that owns the share. Default: `frontdoor:frontdoorId`. A change replaces the share. */
  frontdoorId: fields.id("a front door id").optional(),
};

/** What a program gives. */
export type ShareArgs = z.input<z.ZodObject<typeof shareShape>>;

/** What check has made of it: one environment, name and front door are there. */
export type ShareInputs = Omit<ShareArgs, "envId"> & { name: string; envZId: string; frontdoorId: string };

/** What the state keeps (contract: Resources). */
export interface ShareOutputs {
  name: string;
  frontdoorId: string;
  ipsecTunnelId: string;
  envZId: string;
  target: string;
  ingressPort: number;
  locationId?: string;
  status: string;
  /** Optional inputs that the user has set: only those are cleared when they are removed. */
  __set?: "locationId"[];
}

const onChange = {
  ipsecTunnelId: "update",
  target: "update",
  ingressPort: "update",
  envZId: "update",
  name: "update",
  locationId: "update",
  frontdoorId: "replace",
} as const satisfies Record<keyof ShareInputs, "replace" | "update">;

type Field = Exclude<keyof typeof onChange, "frontdoorId">;
const fieldNames = (Object.keys(onChange) as (keyof typeof onChange)[]).filter((key) => key !== "frontdoorId");

const label = (name: string, id: string) => `IPsec share "${name}" (${id})`;

/** Create, read, update and delete of shares (spec: Shares) on one service. */
export class ShareLifecycle implements Lifecycle<ShareInputs, ShareOutputs> {
  readonly timeouts = { create: 900, update: 900, delete: 900 };

  constructor(private readonly service: Service) {}

  check(given: Record<string, unknown>) {
    const checked = checkEach(shareShape, given, "IpsecShare");
    const { inputs, failures } = withFrontdoor(checked, this.service.config.frontdoorId);
    const { envId, ...rest } = inputs;
    const environment = envId ?? rest.envZId;
    return {
      inputs: { ...rest, ...(environment !== undefined && { envZId: environment }) } as Planned<ShareInputs>,
      failures: [...failures, ...environmentFailures(given)],
    };
  }

  diff(olds: ShareOutputs, news: Planned<ShareInputs>): Diff {
    const changed = changedFields(olds, news);
    const replaces: string[] = [];
    if (news.frontdoorId !== olds.frontdoorId) replaces.push("frontdoorId");
    // The engine asks with an unknown id when the tunnel is replaced delete-first: the share must go before its tunnel can.
    if (news.ipsecTunnelId === UNKNOWN) replaces.push("ipsecTunnelId");
    if (["DELETING", "DELETED"].includes(olds.status)) replaces.push("status");
    return {
      changes: changed.length > 0 || isCleared(olds, news) || replaces.length > 0 || olds.status !== "DEPLOYED",
      replaces,
      deleteBeforeReplace: !replaces.includes("frontdoorId"),
    };
  }

  async create(inputs: ShareInputs, until: Until): Promise<Made<ShareOutputs>> {
    const id = await make(this.kind(inputs), fullBody(inputs), until);
    const waited = await this.kind(inputs).poller.wait(id, judgeDeployed, until);
    if (waited.now === "done") return { id, outputs: outputsOf(waited.value, inputs.frontdoorId, setBy(inputs)) };
    return this.unfinished(id, inputs, waited.last?.status ?? "NEW", waited);
  }

  async read(id: string, olds: ShareOutputs, until: Until): Promise<ShareOutputs | undefined> {
    const wire = await find(this.subject(id, olds), this.service.clock, until);
    return wire && outputsOf(wire, olds.frontdoorId, olds.__set);
  }

  /** One PATCH with exactly what changed, a PUT where a field is cleared or an ERROR is to be repaired, else no write; then waits. */
  async update(id: string, olds: ShareOutputs, news: ShareInputs, until: Until): Promise<Made<ShareOutputs>> {
    const { calls, poller } = this.kind(news);
    const isClear = isCleared(olds, news);
    let changed = changedFields(olds, news);
    let before: Pick<ShareOutputs, "status" | "locationId"> = olds;
    if (olds.status !== "DEPLOYED" || (changed.length === 0 && !isClear)) {
      // Something was left unfinished: what the service shows now decides, so that nothing is written twice.
      const live = await this.liveAfterEcho(id, olds, news, until);
      if (!live) return this.unfinished(id, news, "DELETED", { why: "failed", reason: "it no longer exists" });
      changed = changedFields(live, news);
      before = live;
    }
    const isPut = isClear || (changed.length === 0 && before.status === "ERROR");
    if (isPut || changed.length > 0) {
      const body = isPut ? fullBody(news) : Object.fromEntries(changed.map((key) => [key, news[key]]));
      await whenAccepted(this.kind(news), id, until, () => calls.write(isPut ? "PUT" : "PATCH", id, body, until));
    }
    const judge = judgeApplied<WireShare>(
      (seen) => changedFields(seen, news).length === 0,
      isPut && changed.length === 0 ? before : undefined,
    );
    const waited = await poller.wait(id, judge, until);
    if (waited.now === "done") return { id, outputs: outputsOf(waited.value, news.frontdoorId, setBy(news)) };
    // DEPLOYED here is the old one still showing: the next run has to go on waiting.
    const status = waited.last?.status ?? "NEW";
    return this.unfinished(id, news, status === "DEPLOYED" ? "NEW" : status, waited);
  }

  async delete(id: string, olds: ShareOutputs, until: Until): Promise<void> {
    await remove(this.subject(id, olds), this.service.clock, until);
  }

  private kind({ frontdoorId }: { frontdoorId: string }) {
    return this.service.frontDoor(frontdoorId).shares;
  }

  private subject(id: string, { name, status, frontdoorId }: ShareOutputs) {
    return { kind: this.kind({ frontdoorId }), id, label: label(name, id), status };
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
    const outputs = { ...inputs, status, __set: setBy(inputs) };
    const repair = {
      ERROR: "it sends the share once more",
      DELETED: "it creates the share anew",
      DELETING: "it creates the share anew",
    }[status];
    return unfinished(id, outputs, why, `${label(inputs.name, id)}: ${reason}`, repair);
  }
}

function environmentFailures({ envId, envZId }: Record<string, unknown>): Failure[] {
  if (envId == null && envZId == null)
    return [{ property: "envZId", reason: "is required: the id of the hosting agent's environment, here or as envId" }];
  if (envId != null && envZId != null)
    return [{ property: "envId", reason: "is another spelling of envZId: give one of the two, not both" }];
  return [];
}

/** The fields in which two differ in meaning; what is not given is not managed. */
function changedFields(olds: Pick<ShareOutputs, Field>, news: Planned<ShareInputs>): Field[] {
  return fieldNames.filter((key) => news[key] !== undefined && meaning(key, news[key]) !== meaning(key, olds[key]));
}

function meaning(key: Field, value: unknown): unknown {
  const target = key === "target" && typeof value === "string" ? hostPortOf(value) : undefined;
  return target ? JSON.stringify(target) : value;
}

/** True when the user had set an optional field and has removed it. */
const isCleared = (olds: ShareOutputs, news: Planned<ShareInputs>): boolean =>
  news.locationId === undefined && olds.locationId !== undefined && (olds.__set?.includes("locationId") ?? false);

const setBy = (inputs: ShareInputs): ShareOutputs["__set"] =>
  inputs.locationId === undefined ? undefined : ["locationId"];

function fullBody({ name, ipsecTunnelId, envZId, target, ingressPort, locationId }: ShareInputs): NewShare {
  return { name, ipsecTunnelId, envZId, target, ingressPort, locationId };
}

function outputsOf({ id: _id, ...fields }: WireShare, frontdoorId: string, set: ShareOutputs["__set"]): ShareOutputs {
  return { frontdoorId, ...fields, __set: set };
}
