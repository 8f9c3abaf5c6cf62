import type { Clock } from "./clock";
import type { Faults, Work } from "./faults";
import { always, stateAt, type History, type State, type Version } from "./history";
import type { Kind, ShareFields, ShareRecord, Status, TunnelFields, TunnelRecord } from "./records";
import type { Settings } from "./settings";
import type { Store, Table } from "./store";
import type { Tokens } from "./tokens";

/** The service without HTTP: resources, clock and faults. */
export interface World {
  settings: Settings;
  clock: Clock;
  store: Store;
  faults: Faults;
  tokens: Tokens;
}

/** Returns the state at a time; undefined before the create, and once a deleted resource is no longer visible. */
export function shownAt<Fields>(world: World, history: History<Fields>, time: number): State<Fields> | undefined {
  const state = stateAt(history, time);
  if (state?.status !== "DELETED") return state;
  const { deletedShownAs, deletedRetentionMs } = world.settings;
  const retained = deletedShownAs === "DELETED" && time < state.since + deletedRetentionMs;
  return retained ? state : undefined;
}

/** Returns the present state without lag, for writes. */
export function present<Fields>(world: World, table: Table<Fields>): State<Fields>[] {
  const now = world.clock.now();
  return table.all().flatMap((history) => shownAt(world, history, now) ?? []);
}

/** Returns the resources that are not DELETED. */
export function living<Fields>(world: World, table: Table<Fields>): State<Fields>[] {
  return present(world, table).filter(({ status }) => status !== "DELETED");
}

/** Adds a resource to its front door, under the given id or the next free one. */
export function insert<Fields extends { frontdoorId: string }>(
  { settings }: World,
  table: Table<Fields>,
  version: Version<Fields>,
  id?: string,
): History<Fields> {
  return table.insert(version, { id, scope: settings.idsPerFrontdoor ? version.fields.frontdoorId : undefined });
}

/** Removes resources that no read can show again, so that a long run needs little memory. */
export function forgetDeleted<Fields>(world: World, table: Table<Fields>): void {
  const { readLagMs, listLagMs } = world.settings;
  const seen = world.clock.now() - Math.max(readLagMs, listLagMs);
  for (const history of table.all()) {
    if (stateAt(history, seen) && !shownAt(world, history, seen)) table.remove(history);
  }
}

/** Begins a write. The resource has `status` now, and a final status later, unless a fault changes that. */
export function beginWork<Fields>(world: World, work: Work, fields: Fields, wasDeployed: boolean): Version<Fields> {
  const at = world.clock.now();
  const outcome = world.faults.outcome(work);
  const removing = work.op === "delete";
  const to: Status = outcome === undefined || outcome === "stuck" ? (removing ? "DELETED" : "DEPLOYED") : outcome;
  return {
    visibleFrom: at,
    at,
    fields,
    status: removing ? "DELETING" : "NEW",
    settles: outcome === "stuck" ? null : { at: at + durationMs(world.settings, work), to },
    wasDeployed,
  };
}

/** Makes a change out of band. It is visible at once, and its status stays. */
export function decree<Fields>(world: World, fields: Fields, status: Status, wasDeployed: boolean): Version<Fields> {
  return { visibleFrom: always, at: world.clock.now(), fields, status, settles: null, wasDeployed };
}

function durationMs(settings: Settings, { kind, op }: { kind: Kind; op: Work["op"] }): number {
  const set = op === "delete" ? settings.teardownMs : settings.provisionMs;
  const mean = typeof set === "number" ? set : set[kind];
  return Math.round(mean * (1 + settings.jitter * (2 * Math.random() - 1)));
}

/** Returns all wire fields. Fields that provisioning sets are "" before. */
export function tunnelRecord({ id, fields, status, deployed }: State<TunnelFields>): TunnelRecord {
  return {
    id,
    name: fields.name,
    frontdoorId: fields.frontdoorId,
    locationId: fields.locationId,
    status,
    peerPublicIp: fields.peerPublicIp,
    peerCidr: fields.peerCidr,
    nlbPrivateIp: fields.nlbPrivateIp,
    nlbDnsName: deployed ? fields.nlbDnsName : "",
    vpnConnectionId: deployed ? fields.vpnConnectionId : "",
  };
}

/** All wire fields. */
export function shareRecord({ id, fields, status }: State<ShareFields>): ShareRecord {
  return {
    id,
    name: fields.name,
    frontdoorId: fields.frontdoorId,
    ipsecTunnelId: fields.ipsecTunnelId,
    envZId: fields.envZId,
    target: fields.target,
    ingressPort: fields.ingressPort,
    locationId: fields.locationId,
    status,
  };
}
