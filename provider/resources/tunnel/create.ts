import type { WireTunnel } from "../../api/types";
import { failed } from "../../errors";
import { valueOf } from "../../fields/field";
import { adoptDiffers } from "../../messages/messages";
import { createOnce } from "../../operations/create-once";
import type { Service } from "../../service";
import type { Until } from "../../time/clock";
import { adoptOrCreate } from "../adopt";
import type { Outcome } from "../lifecycle";
import { changedInputs, rules, type TunnelInputs, type TunnelOutputs } from "./inputs";
import { deployedTunnel, differentTunnel, tunnelLabel, tunnelSubject, updatedOutputs } from "./outputs";
import { removeTunnel } from "./delete";
import { awaitLocation, isFreedNow, noteGone } from "./location";

/** Creates or adopts a tunnel and waits until it is DEPLOYED (spec: POST ipsec-tunnels). @throws FrontdoorError if there is no tunnel to save. */
export const createTunnel = (
  service: Service,
  inputs: TunnelInputs,
  isNameDerived: boolean,
  until: Until,
): Promise<Outcome<TunnelOutputs>> =>
  adoptOrCreate(
    service,
    {
      kindOf: ({ tunnels }) => tunnels,
      label: tunnelLabel(inputs.name),
      inputs,
      isNameDerived,
      adopt: (live, adopted) => adoptTunnel(service, live, adopted, until),
      create: () => newTunnel(service, inputs, isNameDerived, until),
    },
    until,
  );

/** Adopts a tunnel that has every argument as declared: the service has no tunnel update. @throws FrontdoorError `failed` if one differs. */
function adoptTunnel(service: Service, live: WireTunnel, inputs: TunnelInputs, until: Until) {
  const differences = changedInputs(outputsOf(live, inputs), inputs).others.map((key) => {
    const has = valueOf(live, key);
    return `${key} (it has ${typeof has === "string" ? has : "none"})`;
  });
  if (differences.length > 0) throw failed(adoptDiffers(tunnelLabel(inputs.name), live.id, differences.join(", ")));
  const before = rules.outputsOf(live, { ...inputs, __shown: rules.shownFor(live, inputs) });
  return deployedTunnel(service, live.id, inputs, before, until);
}

async function newTunnel(
  service: Service,
  inputs: TunnelInputs,
  isNameDerived: boolean,
  until: Until,
): Promise<Outcome<TunnelOutputs>> {
  const kind = service.frontDoor(inputs.frontdoorId).tunnels;
  // List entries lack the address of the load balancer, and can lack the location.
  const isIdentical = (entry: WireTunnel) =>
    changedInputs(outputsOf(entry, inputs), {
      ...inputs,
      nlbPrivateIp: entry.nlbPrivateIp && inputs.nlbPrivateIp,
      locationId: entry.locationId && inputs.locationId,
    }).others.length === 0;
  const creation = {
    kind,
    label: tunnelLabel(inputs.name),
    body: rules.fullBody(inputs),
    isNameDerived,
    isIdentical,
    rules,
    isFreedNow: (checkedUntil: Until) => isFreedNow(service, inputs, checkedUntil),
    onRefusal: (error: unknown) => awaitLocation(service, inputs, error, until),
  };
  const created = await createOnce(creation, service, until);
  const { id, found } = created;
  if (found && created.isNamedByRecord && (found.status === "ERROR" || !isIdentical(found))) {
    // The service cannot change a tunnel, so the tunnel of the interrupted run is deleted, and a new one is created.
    const subject = tunnelSubject(service, id, outputsOf(found, inputs));
    await removeTunnel(service, service.frontDoor(inputs.frontdoorId), subject, until);
    noteGone(kind, id, found.locationId);
    kind.records.remove(inputs.name);
    return newTunnel(service, inputs, isNameDerived, until);
  }
  if (found && !isIdentical(found)) return differentTunnel(id, updatedOutputs(found, outputsOf(found, inputs)));
  const before = rules.outputsOf({ ...inputs, status: "NEW" }, { frontdoorId: inputs.frontdoorId });
  return deployedTunnel(service, id, inputs, before, until, created.found ? undefined : created.waited);
}

const outputsOf = (wire: WireTunnel, { frontdoorId }: TunnelInputs) => rules.outputsOf(wire, { frontdoorId });
