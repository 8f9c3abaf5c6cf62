import type { WireTunnel } from "../../api/types";
import { isArgument, namesOf, pick, type Planned, UNKNOWN, valueOf } from "../../fields/field";
import { rulesOf } from "../../fields/rules";
import { tunnelConnectionFields } from "../../fields/tunnel-connection";
import type { TunnelConfigEntry, TunnelConnectionInputs, TunnelConnectionOutputs } from "../../fields/types";
import { isUp } from "../../inventory/acceptors";
import type { Subject } from "../../operations/find";
import type { Service } from "../../service";
import type { Until } from "../../time/clock";
import { checkEach, checkFrontDoor } from "../check";
import { imported } from "../import";
import type { Checked, Declaration, Diff, Lifecycle } from "../lifecycle";
import { awaitUp, readConnection } from "./wait";

/** Seconds (contract: Resources). Only a create waits. */
const timeouts = { create: 900, update: 900, delete: 900 };

const rules = rulesOf<TunnelConnectionOutputs>(tunnelConnectionFields);
const given = namesOf(tunnelConnectionFields, isArgument);
const facts = namesOf(tunnelConnectionFields, (field) => !isArgument(field));

/** Connections of one service. Their create waits, and nothing of them exists at the service. The id is that of the tunnel. */
export const tunnelConnectionLifecycle = (
  service: Service,
): Lifecycle<TunnelConnectionInputs, TunnelConnectionOutputs> => ({
  timeoutsOf: () => timeouts,
  check: (declared) => check(service, declared),
  diff: (_id, olds, news) => Promise.resolve(diff(olds, news)),
  // A change sends nothing.
  preview: () => Promise.resolve(undefined),
  knownOutputs: (inputs, olds) => olds ?? unknownFacts(inputs),
  async create({ tunnelId, frontdoorId }, _isNameDerived, until) {
    const entries = await awaitUp(subjectOf(service, tunnelId, frontdoorId), until);
    return { id: tunnelId, outputs: { tunnelId, frontdoorId, ...factsOf(entries) } };
  },
  imported: (id) =>
    imported(service, { blank: (frontdoorId) => ({ tunnelId: "", frontdoorId }) }, "IPsec tunnel connection", id),
  read: (id, olds, until) => read(service, id, olds, until),
  update: (id, outputs) => Promise.resolve({ id, outputs }),
  inputsOf: (outputs) => pick(outputs, given),
  delete: () => Promise.resolve(),
});

const subjectOf = (service: Service, id: string, frontdoorId: string): Subject<WireTunnel> => ({
  kind: service.frontDoor(frontdoorId).tunnels,
  ...{ id, label: `VPN connection of tunnel ${id}`, status: "DEPLOYED" },
});

function check(service: Service, { news }: Declaration): Checked<TunnelConnectionInputs> {
  const { inputs, failures } = checkEach(tunnelConnectionFields, news, "IpsecTunnelConnection");
  checkFrontDoor(inputs, failures, service.config);
  return { inputs: inputs as Planned<TunnelConnectionInputs>, failures, isNameDerived: false };
}

/** A tunnel that Pulumi replaces delete-first has an unknown id: then the connection is also replaced. */
function diff(olds: TunnelConnectionOutputs, news: Planned<TunnelConnectionInputs>): Diff {
  const replaces = rules.changedFields(olds, news, "move");
  return { changes: replaces.length > 0, isOfInputs: false, replaces, deleteBeforeReplace: false };
}

const unknownFacts = (inputs: Planned<TunnelConnectionInputs>): Planned<TunnelConnectionOutputs> => ({
  ...inputs,
  ...Object.fromEntries(facts.map((name) => [name, UNKNOWN])),
});

/** Returns the facts of the entry that the state shows, else of the one that is UP, else of the first one. */
function factsOf(entries: TunnelConfigEntry[], olds?: TunnelConnectionOutputs): object {
  const isKnown = (entry: TunnelConfigEntry) =>
    olds?.outsideIpAddress !== undefined && entry.outsideIpAddress === olds.outsideIpAddress;
  const entry = entries.find(isKnown) ?? entries.find(isUp) ?? entries[0];
  return Object.fromEntries(facts.map((name) => [name, valueOf(entry ?? olds ?? {}, name)]));
}

/** Returns undefined if the service has proved that the tunnel is gone. A connection that is DOWN is no change. */
async function read(
  service: Service,
  id: string,
  olds: TunnelConnectionOutputs,
  until: Until,
): Promise<TunnelConnectionOutputs | undefined> {
  const seen = await readConnection(subjectOf(service, id, olds.frontdoorId), until);
  return seen && { tunnelId: id, frontdoorId: olds.frontdoorId, ...factsOf(seen.entries, olds) };
}
