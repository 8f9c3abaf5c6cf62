import { randomBytes } from "node:crypto";
import { decree, insert, shareRecord, tunnelRecord, type World } from "./world";
import { newTunnelFields } from "./new-tunnel";
import { stateAt, type History, type State } from "./history";
import type { ShareFields, ShareRecord, Status, TunnelFields, TunnelRecord } from "./records";
import type { Table } from "./store";

/** Changes that do not come from clients of the API. They are immediate, visible in spite of any lag, and never checked. */
export interface OutOfBand {
  /** Adds a resource as DEPLOYED or in the given status, which stays. */
  seedTunnel(fields?: Partial<TunnelRecord>): TunnelRecord;
  /** Adds a resource as DEPLOYED or in the given status, which stays. */
  seedShare(fields?: Partial<ShareRecord>): ShareRecord;
  patchShare(id: string, fields: Partial<ShareRecord>): ShareRecord;
  removeShare(id: string): void;
  removeTunnel(id: string): void;
  /** Sets the status of a tunnel or a share. The status stays until the next write. */
  setStatus(id: string, status: Status): void;
}

export function outOfBand(world: World): OutOfBand {
  const { store, settings, clock } = world;
  let seeded = 0;
  const next = () => (seeded += 1);

  return {
    seedTunnel({ id, status = "DEPLOYED", ...given } = {}) {
      const frontdoorId = given.frontdoorId ?? settings.frontdoorId;
      const body = { name: `seeded-${next()}`, peerPublicIp: "203.0.113.10", peerCidr: "192.168.0.0/24" };
      const { locationId, nlbPrivateIp, ...rest } = given;
      const made = newTunnelFields(world, frontdoorId, {
        ...body,
        ...(nlbPrivateIp !== undefined && { nlbPrivateIp }),
      });
      const fields: TunnelFields = { ...made, ...rest, ...(locationId !== undefined && { locationId }) };
      const history = insert(world, store.tunnels, decree(world, fields, status, status === "DEPLOYED"), id);
      return tunnelRecord(stateNow(history, clock.now()));
    },
    seedShare({ id, status = "DEPLOYED", ...given } = {}) {
      const number = next();
      const fields: ShareFields = {
        name: `seeded-${number}`,
        frontdoorId: settings.frontdoorId,
        ipsecTunnelId: store.tunnels.all().at(-1)?.id ?? "tnl-0",
        envZId: randomBytes(6).toString("hex"),
        target: `10.0.0.1:${8000 + number}`,
        ingressPort: 8000 + number,
        locationId: settings.defaultLocationId,
        ...given,
      };
      const history = insert(world, store.shares, decree(world, fields, status, status === "DEPLOYED"), id);
      return shareRecord(stateNow(history, clock.now()));
    },
    patchShare(id, { id: _id, status, ...given }) {
      const history = known(store.shares, id);
      const state = stateNow(history, clock.now());
      const fields = { ...state.fields, ...given };
      store.shares.rewrite(history, decree(world, fields, status ?? state.status, state.deployed));
      return shareRecord(stateNow(history, clock.now()));
    },
    removeShare(id) {
      store.shares.remove(known(store.shares, id));
    },
    removeTunnel(id) {
      store.tunnels.remove(known(store.tunnels, id));
    },
    setStatus(id, status) {
      if (store.shares.get(id)) settle(world, store.shares, id, status);
      else settle(world, store.tunnels, id, status);
    },
  };
}

function settle<Fields>(world: World, table: Table<Fields>, id: string, status: Status): void {
  const history = known(table, id);
  const { fields, deployed } = stateNow(history, world.clock.now());
  table.rewrite(history, decree(world, fields, status, deployed || status === "DEPLOYED"));
}

/** Returns a resource. It throws for an unknown id, so a wrong test fails at once. */
function known<Fields>(table: Table<Fields>, id: string): History<Fields> {
  const history = table.get(id);
  if (!history) throw new Error(`The emulator has no ${id}`);
  return history;
}

function stateNow<Fields>(history: History<Fields>, now: number): State<Fields> {
  const state = stateAt(history, now);
  if (!state) throw new Error(`${history.id} does not exist yet`);
  return state;
}
