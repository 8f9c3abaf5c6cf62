import { randomBytes } from "node:crypto";
import type { Hono } from "hono";
import * as z from "zod";
import type { Clock } from "./clock";
import type { AdminFaults, Faults } from "./faults";
import { requestFaultSchema, workFaultSchema } from "./faults/catalogue";
import { newTunnelFields } from "./fields";
import { notFound, refusalAnswer, type Routes } from "./http";
import { recordOf } from "./resource";
import { publicSchema, type Settings } from "./settings";
import { shares } from "./shares";
import { tunnels } from "./tunnels";
import { outOfBandVersion, type History, insert, type State, stateAt, type Table, type World } from "./world";
import type { RequestEntry, ShareFields, ShareRecord, Status, TunnelFields, TunnelRecord } from "./records";

/** The state and the settings that the admin endpoints can read and change. */
export interface Controls {
  settings: Settings;
  requests: RequestEntry[];
  faults: Faults;
  /** The faults that were added by the admin endpoint. */
  adminFaults: AdminFaults;
  clock: Clock;
  tunnels(): TunnelRecord[];
  shares(): ShareRecord[];
  /** Adds the tunnels and shares of the demo. Returns false if they exist already. */
  seedDemo(): boolean;
  /** Restores the settings of the start, and removes tunnels and shares. The clock and the ids continue. */
  reset(): void;
}

/** Ten years. A JavaScript date ends some 270,000 years from now. */
const longestAdvanceMs = 10 * 365 * 24 * 3600 * 1000;

const faultSchema = z.discriminatedUnion("fault", [...requestFaultSchema.options, ...workFaultSchema.options]);

/** Adds the endpoints under `/_admin`. They answer 404 unless the setting `admin` is on. */
export function adminRoutes(app: Hono<Routes>, controls: Controls): void {
  const { settings, requests, faults, adminFaults, clock } = controls;

  app.use("/_admin/*", async (c, next) => {
    if (!settings.admin) return refusalAnswer(notFound(settings, c.req.path));
    if (!isLocalRequest(c.req.url, c.req.header("origin")))
      return c.json({ error: "forbidden", message: "Not for web pages" }, 403);
    return next();
  });

  app.get("/_admin/requests", (c) => c.json(requests));
  app.get("/_admin/settings", (c) => c.json(shown(settings)));
  app.patch("/_admin/settings", async (c) => {
    Object.assign(settings, publicSchema.parse(await c.req.json()));
    return c.json(shown(settings));
  });
  app.post("/_admin/faults", async (c) => {
    adminFaults.add(faultSchema.parse(await c.req.json()));
    return c.json({ pending: faults.pending() }, 201);
  });
  app.get("/_admin/faults", (c) => c.json(adminFaults.list()));
  app.delete("/_admin/faults/:id", (c) => {
    const isThere = adminFaults.remove(Number(c.req.param("id")));
    return isThere ? c.json({ pending: faults.pending() }) : c.notFound();
  });
  app.delete("/_admin/faults", (c) => {
    faults.clear();
    return c.json({ pending: 0 });
  });
  app.get("/_admin/state", (c) =>
    c.json({ now: clock.now(), tunnels: controls.tunnels(), shares: controls.shares(), faults: faults.pending() }),
  );
  app.post("/_admin/demo", (c) =>
    controls.seedDemo() ? c.body(null, 204) : c.json({ error: "conflict", message: "The demo is there already" }, 409),
  );
  app.post("/_admin/reset", (c) => {
    controls.reset();
    return c.body(null, 204);
  });
  app.post("/_admin/clock", async (c) => {
    const { advanceMs } = z
      .strictObject({ advanceMs: z.number().min(0).max(longestAdvanceMs) })
      .parse(await c.req.json());
    clock.advance(advanceMs);
    return c.json({ now: clock.now() });
  });
}

const credentials = ["tokens", "basicUsers", "oauthClientSecret"] satisfies (keyof Settings)[];

/** Returns the public settings, without what only the owner of the machine may read. */
const shown = (settings: Settings) =>
  Object.fromEntries(
    Object.entries(settings).filter(
      ([name]) => name in publicSchema.shape && !credentials.some((credential) => credential === name),
    ),
  );

/**
 * True if a request comes from a command on this machine or from the emulator's own page. Other web pages must not reach the endpoints,
 * also not under a name that leads to this machine.
 */
export function isLocalRequest(url: string, from: string | undefined): boolean {
  const { hostname, origin } = new URL(url);
  return ["127.0.0.1", "localhost", "[::1]"].includes(hostname) && (from === undefined || from === origin);
}

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
  const { tables, settings, clock } = world;
  let seeded = 0;
  const next = () => (seeded += 1);

  return {
    seedTunnel({ id, status = "DEPLOYED", ...overrides } = {}) {
      const frontdoorId = overrides.frontdoorId ?? settings.frontdoorId;
      const body = { name: `seeded-${next()}`, peerPublicIp: "203.0.113.10", peerCidr: "192.168.0.0/24" };
      const { locationId, nlbPrivateIp, ...rest } = overrides;
      const made = newTunnelFields(world, frontdoorId, {
        ...body,
        ...(nlbPrivateIp !== undefined && { nlbPrivateIp }),
      });
      const fields: TunnelFields = { ...made, ...rest, ...(locationId !== undefined && { locationId }) };
      const history = insert(world, tables.tunnel, outOfBandVersion(world, fields, status, status === "DEPLOYED"), id);
      return recordOf(tunnels, stateNow(history, clock.now()));
    },
    seedShare({ id, status = "DEPLOYED", ...overrides } = {}) {
      const number = next();
      const fields: ShareFields = {
        name: `seeded-${number}`,
        frontdoorId: settings.frontdoorId,
        ipsecTunnelId: tables.tunnel.all().at(-1)?.id ?? "tnl-0",
        envZId: randomBytes(6).toString("hex"),
        target: `10.0.0.1:${8000 + number}`,
        ingressPort: 8000 + number,
        locationId: settings.defaultLocationId,
        ...overrides,
      };
      const history = insert(world, tables.share, outOfBandVersion(world, fields, status, status === "DEPLOYED"), id);
      return recordOf(shares, stateNow(history, clock.now()));
    },
    patchShare(id, { id: _id, status, ...overrides }) {
      const history = existing(tables.share, id);
      const state = stateNow(history, clock.now());
      const fields = { ...state.fields, ...overrides };
      tables.share.rewrite(history, outOfBandVersion(world, fields, status ?? state.status, state.deployed));
      return recordOf(shares, stateNow(history, clock.now()));
    },
    removeShare(id) {
      tables.share.remove(existing(tables.share, id));
    },
    removeTunnel(id) {
      tables.tunnel.remove(existing(tables.tunnel, id));
    },
    setStatus(id, status) {
      const table = Object.values<Table<unknown>>(tables).find((each) => each.get(id)) ?? tables.tunnel;
      setStatusOf(world, table, id, status);
    },
  };
}

function setStatusOf<Fields>(world: World, table: Table<Fields>, id: string, status: Status): void {
  const history = existing(table, id);
  const { fields, deployed } = stateNow(history, world.clock.now());
  table.rewrite(history, outOfBandVersion(world, fields, status, deployed || status === "DEPLOYED"));
}

/** Returns a resource. It throws for an unknown id, so a wrong test fails at once. */
function existing<Fields>(table: Table<Fields>, id: string): History<Fields> {
  const history = table.get(id);
  if (!history) throw new Error(`The emulator has no ${id}`);
  return history;
}

function stateNow<Fields>(history: History<Fields>, now: number): State<Fields> {
  const state = stateAt(history, now);
  if (!state) throw new Error(`${history.id} does not exist yet`);
  return state;
}
