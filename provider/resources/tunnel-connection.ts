import { hasEnded, type WireTunnel, wireTunnelConfig } from "../api/wire";
import { lastPollMs } from "../consistency";
import { failed, FrontdoorError, isConflict, isHidden, isPassing, isRefused, safeText, troubleOf } from "../errors";
import { isArgument, namesOf, pick, type Planned, UNKNOWN, valueOf } from "../fields/field";
import { rulesOf } from "../fields/rules";
import { tunnelConnectionFields } from "../fields/tunnel-connection";
import type { TunnelConfigEntry, TunnelConnectionInputs, TunnelConnectionOutputs } from "../fields/types";
import type { Comparison, Lifecycle } from "../lifecycle/contract";
import { connectionDown, tunnelEnded, waitStopped } from "../messages";
import { type Subject, truth } from "../converge/ensure";
import { neverWritten } from "../converge/progress";
import type { Context, Service } from "../run/service";
import { type Acceptance, type Found, Waits } from "../view/waits";
import { checkInputs } from "./checks";
import { wrongIn } from "./given";
import { imported } from "./resource";

/** Seconds (contract: Resources). Only a create waits. */
const timeouts = { create: 900, update: 900, delete: 900 };

const rules = rulesOf<TunnelConnectionOutputs>(tunnelConnectionFields);
const given = namesOf(tunnelConnectionFields, isArgument);
const facts = namesOf(tunnelConnectionFields, (field) => !isArgument(field));

/** The resource, for its classes, schema and pages. */
export const tunnelConnection = {
  doc: "When Pulumi creates this resource, the provider waits until the VPN connection of a tunnel is UP. It creates and deletes nothing in Frontdoor. If the connection goes DOWN later, Pulumi shows no drift.",
  fields: tunnelConnectionFields,
  lifecycle: tunnelConnectionLifecycle,
};

const checkable = { table: tunnelConnectionFields, what: "IpsecTunnelConnection" };

/** Connections of one service. Their create waits, and nothing of them exists in the service. The id is that of the tunnel. */
export function tunnelConnectionLifecycle(
  service: Service,
): Lifecycle<TunnelConnectionInputs, TunnelConnectionOutputs> {
  return {
    label: ({ tunnelId }) => connectionLabel(String(tunnelId)),
    timeoutsOf: () => timeouts,
    check({ news, olds }) {
      const { inputs, failures } = checkInputs(service, checkable, news, olds);
      return { inputs: inputs as Planned<TunnelConnectionInputs>, failures, isNameDerived: false };
    },
    wrongIn: wrongIn(checkable),
    diff: (_id, state, inputs) => Promise.resolve(diff(state, inputs)),
    idsIn: () => [],
    // A change sends nothing.
    preview: () => Promise.resolve(undefined),
    knownOutputs: (inputs, state) =>
      state ?? { ...inputs, ...Object.fromEntries(facts.map((name) => [name, UNKNOWN])) },
    async create({ tunnelId, frontdoorId }, _isNameDerived, context) {
      const entries = await awaitUp(subjectOf(service, tunnelId, frontdoorId), context);
      return { id: tunnelId, outputs: { tunnelId, frontdoorId, ...factsOf(entries) } };
    },
    imported: (id) =>
      imported(service, { blank: (frontdoorId) => ({ tunnelId: "", frontdoorId }) }, "IPsec tunnel connection", id),
    read,
    update: (id, outputs) => Promise.resolve({ id, outputs }),
    inputsOf: (outputs) => pick(outputs, given),
    delete: () => Promise.resolve(),
  };
}

const connectionLabel = (id: string) => `VPN connection of tunnel ${id}`;

const subjectOf = (service: Service, id: string, frontdoorId: string): Subject<WireTunnel> => ({
  kind: service.frontDoor(frontdoorId).tunnels,
  id,
  label: connectionLabel(id),
  status: "DEPLOYED",
  lastWrite: neverWritten,
});

/** A tunnel that Pulumi replaces delete-first has an unknown id: then the connection is also replaced. */
function diff(state: TunnelConnectionOutputs, inputs: Planned<TunnelConnectionInputs>): Comparison {
  const replaces = rules.changedFields(state, inputs, "create first");
  return { changes: replaces.length > 0, isOfInputs: false, replaces, deleteBeforeReplace: false, isConfirmed: false };
}

/** Returns the facts of the entry that the state shows, else of the one that is UP, else of the first one. */
function factsOf(entries: TunnelConfigEntry[], state?: TunnelConnectionOutputs): object {
  const isKnown = (entry: TunnelConfigEntry) =>
    state?.outsideIpAddress !== undefined && entry.outsideIpAddress === state.outsideIpAddress;
  const entry = entries.find(isKnown) ?? entries.find(isUp) ?? entries[0];
  return Object.fromEntries(facts.map((name) => [name, valueOf(entry ?? state ?? {}, name)]));
}

/** Returns undefined if the service has proved that the tunnel is gone. A connection that is DOWN is no change. */
async function read(
  id: string,
  state: TunnelConnectionOutputs,
  context: Context,
): Promise<TunnelConnectionOutputs | undefined> {
  const seen = await readConnection(subjectOf(context.service, id, state.frontdoorId), context);
  return seen && { tunnelId: id, frontdoorId: state.frontdoorId, ...factsOf(seen.entries, state) };
}

/** Returns the connection as the service shows it now, or undefined if the tunnel is proved to be gone. @throws FrontdoorError. */
async function readConnection(
  subject: Subject<WireTunnel>,
  until: Context,
  isPoll?: true,
): Promise<SeenConnection | undefined> {
  const { kind, id } = subject;
  try {
    const call = { until, ...(isPoll && { isPoll }) };
    const { tunnels } = await kind.calls.below(id, "tunnel-config", wireTunnelConfig, call);
    return { status: "DEPLOYED", entries: tunnels ?? [] };
  } catch (error) {
    // The service refuses this read unless the tunnel is DEPLOYED (spec: Tunnel rule).
    if (!isConflict(error) && !isRefused(error, 404, 410, 422) && !isHidden(error)) throw error;
    const tunnel = await truth(subject, until);
    if (tunnel && isRefused(error, 403)) throw error;
    return tunnel && { status: tunnel.status, entries: [] };
  }
}

/** One read of a tunnel's VPN connection. The service shows its entries only while the tunnel is DEPLOYED. */
interface SeenConnection {
  /** Status of the tunnel. */
  status: string;
  entries: TunnelConfigEntry[];
}

/** The specification shows only `UP`, in capital letters. */
export const isUp = ({ status = "" }: TunnelConfigEntry): boolean => status.trim().toUpperCase() === "UP";

/** Accepts a connection with an entry that is UP. Fails if the tunnel is in ERROR, is being deleted or no longer exists. */
function judgeUp(seen: SeenConnection | undefined): Acceptance<TunnelConfigEntry[]> {
  if (!seen) return { now: "failed", reason: "the tunnel no longer exists" };
  const { status, entries } = seen;
  if (entries.some(isUp)) return { now: "done", value: entries };
  if (hasEnded(seen)) return { now: "failed", reason: `the tunnel is ${safeText(status, 60)}` };
  if (status !== "DEPLOYED")
    return { now: "waiting", seen: `without a connection, as the tunnel is ${safeText(status, 60)}` };
  return { now: "waiting", seen: entries[0] ? connectionWords(entries[0]) : "not shown by Frontdoor" };
}

function connectionWords({ status, statusMessage }: TunnelConfigEntry): string {
  const message = statusMessage === undefined ? "" : ` (${safeText(statusMessage, 120)})`;
  return `${status === undefined ? "without a status" : safeText(status, 30)}${message}`;
}

/** Waits until the connection is UP, and returns its entries. @throws FrontdoorError, such as one that says that the tunnel has ended. */
async function awaitUp(subject: Subject<WireTunnel>, until: Context): Promise<TunnelConfigEntry[]> {
  const { kind, id, label } = subject;
  /** The error of the last poll, if it can end the wait. */
  let refusal: Error | undefined;
  const poll = async (): Promise<Found<SeenConnection>> => {
    const deadlineMs = Math.max(until.deadlineMs, kind.clock.now() + lastPollMs);
    refusal = undefined;
    try {
      return (await readConnection(subject, { ...until, deadlineMs }, true)) ?? "absent";
    } catch (error) {
      // The service contradicts itself about the tunnel, so the wait goes on.
      if ((error as FrontdoorError).code === "not-proved-gone") return "unclear";
      if (!isPassing(error)) refusal = error as Error;
      throw error;
    }
  };
  const waits = new Waits<SeenConnection>((asked) => asked.map(poll), kind.clock);
  const ended = await waits.wait(id, judgeUp, until);
  if (ended.now === "done") return ended.value;
  const timedOut = (message: string) => new FrontdoorError(message, { kind: "timed-out" });
  if (until.signal?.aborted) throw timedOut(waitStopped(label, ended.reason));
  if (ended.why === "failed" || troubleOf(refusal)?.pauseMs) throw refusal ?? failed(tunnelEnded(label, ended.reason));
  throw timedOut(connectionDown(label, ended.reason));
}
