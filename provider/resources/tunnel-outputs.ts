import * as z from "zod";
import { hasEnded, isBare, type WireTunnel, wireTunnelConfig } from "../api/wire";
import { asReason, failed, FrontdoorError, isHidden, isMisfit, isRefused, isTransient } from "../errors";
import { rules, type TunnelInputs, type TunnelOutputs } from "../fields/tunnel";
import { movingFields } from "../fields/tunnel-config";
import type { TunnelConfig } from "../fields/types";
import type { Outcome } from "../lifecycle/lifecycle";
import { deadline, unfinishedResource } from "../messages";
import type { Subject } from "../operations/find";
import type { Kind, Service } from "../operations/service";
import { type Clock, backoff, persist, type Until } from "../time";
import { acceptDeployed, consistencyMs } from "../waiting/acceptors";
import type { Waited } from "../waiting/poller";

/** Names a tunnel in messages. A tunnel without an id is not created yet. */
export const tunnelLabel = (name: string, id?: string): string =>
  `IPsec tunnel "${name}"${id === undefined ? "" : ` (${id})`}`;

export const tunnelSubject = (
  service: Service,
  id: string,
  { name, status, frontdoorId }: TunnelOutputs,
): Subject<WireTunnel> => ({
  kind: service.frontDoor(frontdoorId).tunnels,
  ...{ id, label: tunnelLabel(name, id), status },
});

/** Returns the outputs with the values that the service shows now. A field that the answer lacks keeps its value. */
export const updatedOutputs = (wire: WireTunnel | undefined, before: TunnelOutputs): TunnelOutputs => {
  if (!wire) return before;
  if (isBare(wire)) return { ...before, status: wire.status };
  // The service cannot change a tunnel, so whatever it shows for a new one is its spelling of what was sent.
  const __shown = before.status === "NEW" ? rules.shownFor(wire, before) : before.__shown;
  return rules.outputsOf(wire, { ...before, ...(__shown && { __shown }) });
};

/** Waits until the tunnel is DEPLOYED, unless a create has waited, and reads its details. Returns a tunnel that is not ready with the reason. */
export async function deployedTunnel(
  service: Service,
  id: string,
  inputs: TunnelInputs,
  before: TunnelOutputs,
  until: Until,
  createWait?: Waited<WireTunnel, WireTunnel>,
): Promise<Outcome<TunnelOutputs>> {
  const kind = service.frontDoor(inputs.frontdoorId).tunnels;
  const waited = createWait ?? (await kind.inventory.wait(id, acceptDeployed, until));
  const wire = waited.now === "done" ? waited.value : waited.last;
  const outputs = { ...updatedOutputs(wire, before), __set: rules.setBy(inputs) };
  if (waited.now === "unfinished") return unfinishedTunnel(id, outputs, waited.why, waited.reason);
  if (before.status !== "DEPLOYED") kind.ledger.news.note("deployed", id);
  try {
    const isSampleWanted = inputs.storeSampleConfig !== false;
    return { id, outputs: { ...outputs, ...(await detailsOf(kind, id, isSampleWanted, until)) } };
  } catch (error) {
    return unfinishedTunnel(id, outputs, "failed", asReason((error as FrontdoorError).message));
  }
}

/** Returns a tunnel that is not ready. The state gets its id. */
export function unfinishedTunnel(
  id: string,
  outputs: TunnelOutputs,
  kind: "failed" | "timed-out",
  reason: string,
): Outcome<TunnelOutputs> {
  const label = tunnelLabel(outputs.name, id);
  const message = hasEnded(outputs)
    ? unfinishedResource(label, reason, "replace the tunnel", "tunnel-error")
    : kind === "timed-out"
      ? deadline(label, reason)
      : unfinishedResource(label, reason, "continue from there", "tunnel-incomplete");
  return { id, outputs, unfinished: new FrontdoorError(message, { kind }) };
}

/** Returns a tunnel that an interrupted run created with other arguments. No record names its id, so only Pulumi may delete it. */
export function differentTunnel(id: string, outputs: TunnelOutputs): Outcome<TunnelOutputs> {
  const reason = "an interrupted run created this tunnel with other arguments";
  const label = tunnelLabel(outputs.name, id);
  const message = unfinishedResource(label, reason, "replace the tunnel", "tunnel-differs");
  return { id, outputs, unfinished: failed(message) };
}

const moving = new Set<string>(movingFields);

/** Reads details that exist once the tunnel is DEPLOYED. A replica may lack them for 30 s; transient trouble may last five minutes. @throws FrontdoorError. */
const onceDeployed = <T>(clock: Clock, until: Until, read: () => Promise<T>): Promise<T> =>
  persist(
    clock,
    until,
    ({ error, waitedMs }) => {
      const isEarly = error === undefined || isRefused(error, 400, 404, 409) || isHidden(error);
      const limitMs = isEarly ? consistencyMs : isTransient(error) && !isMisfit(error) ? 300_000 : 0;
      return waitedMs < limitMs ? backoff(waitedMs, clock.random()) : undefined;
    },
    read,
  );

/**
 * Returns the stable details of the VPN connection and, if wanted, the sample configuration, which is secret (spec: GET tunnel-config,
 * GET sample-config). @throws FrontdoorError.
 */
export async function detailsOf(
  { calls, clock }: Kind<WireTunnel>,
  id: string,
  isSampleWanted: boolean,
  until: Until,
): Promise<{ tunnelConfig: TunnelConfig; sampleConfig?: string }> {
  const entry = await onceDeployed(clock, until, async () => {
    const { tunnels } = await calls.below(id, "tunnel-config", wireTunnelConfig, { until });
    return tunnels?.[0];
  });
  const tunnelConfig = Object.fromEntries(Object.entries(entry ?? {}).filter(([key]) => !moving.has(key)));
  if (!isSampleWanted) return { tunnelConfig };
  const call = { until, accept: "text/plain" } as const;
  const text = await onceDeployed(clock, until, () => calls.below(id, "sample-config", z.string(), call));
  return { tunnelConfig, sampleConfig: text };
}
