import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { type HttpBindings, serve } from "@hono/node-server";
import { Hono, type MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import { adminRoutes, type Controls, outOfBand, type OutOfBand } from "./admin";
import { checkAccess, idRoutes, tokenRoutes, Tokens } from "./auth";
import { type Clock, frozenClock, realClock } from "./clock";
import { AdminFaults, Faults } from "./faults";
import { newTunnelFields } from "./fields";
import { notFound, Refusal, refusalAnswer, type Routes } from "./http";
import { pageRoutes } from "./page";
import { type Definition, recordOf, resourceRoutes } from "./resource";
import { readSettings, type Settings } from "./settings";
import { shares } from "./shares";
import { tunnels } from "./tunnels";
import { beginWork, outOfBandVersion, insert, living, openStore, present, type World } from "./world";
import { frontdoorAndPath, type Kind, type RequestEntry, type ShareRecord, type TunnelRecord } from "./records";

/** What each kind of resource has of its own. Its path, words, table and reset follow from this list. */
const definitions = { tunnel: tunnels, share: shares } satisfies Record<Kind, object>;

/** A running emulator: its addresses, its state, and the controls for tests. */
export interface Emulator extends OutOfBand {
  /** `http://127.0.0.1:<port>/frontdoor` */
  baseUrl: string;
  /** `http://127.0.0.1:<port>/oauth/token` */
  tokenUrl: string;
  /** The default front door. */
  frontdoorId: string;
  /** A bearer token accepted for it. */
  token: string;
  /** The settings. A change of a field takes effect at once. */
  settings: Settings;
  /** Every request on `/v2/...` in order of arrival; `requests.length = 0` clears it. */
  requests: RequestEntry[];
  /** Returns the present resources without lag, except DELETED ones after their retention. */
  tunnels(): TunnelRecord[];
  /** Returns the present resources without lag, except DELETED ones after their retention. */
  shares(): ShareRecord[];
  /** Adds a demo of three sites whose shares come up one after the other. Returns false if the demo exists already. */
  seedDemo(): boolean;
  /** The pre-shared key in the tunnel's sample configuration. */
  samplePsk(tunnelId: string): string;
  /** Answers in this process, without a connection; undefined if a fault cuts the connection. An endless answer needs a real connection. */
  ask(request: Request): Promise<Response | undefined>;
  /** Revokes all tokens of the token endpoint. */
  revokeTokens(): void;
  faults: Faults;
  clock: Clock;
  /** Restores the settings of the start, and removes tunnels and shares. The clock and the ids continue. */
  reset(): void;
  /** Cuts open connections and frees port and file. A second call does nothing. */
  close(): Promise<void>;
}

/** Starts the service on 127.0.0.1. It rejects if the port is in use or a setting is wrong. */
export async function startEmulator(overrides: Partial<Settings> = {}): Promise<Emulator> {
  const settings = readSettings(overrides);
  const store = openStore(settings.dataFile, definitions);
  const clock =
    settings.frozenAtMs === null
      ? realClock(store.clockMemory("offset"))
      : frozenClock(settings.frozenAtMs, store.clockMemory("frozen"));
  const { tables } = store;
  const world: World = { settings, clock, tables, faults: new Faults() };
  const tokens = new Tokens(settings, clock);
  const requests: RequestEntry[] = [];
  const closing = new AbortController();

  const atStart = structuredClone({ ...settings, onAnswer: null });
  const controls: Controls = {
    settings,
    requests,
    faults: world.faults,
    adminFaults: new AdminFaults(world.faults),
    clock,
    tunnels: () => present(world, tables.tunnel).map((state) => recordOf(tunnels, state)),
    shares: () => present(world, tables.share).map((state) => recordOf(shares, state)),
    seedDemo: () => seedDemo(world),
    reset() {
      for (const table of Object.values(tables)) table.clear();
      world.faults.clear();
      tokens.revokeAll();
      requests.length = 0;
      Object.assign(settings, structuredClone(atStart), { onAnswer: settings.onAnswer });
    },
  };
  const app = serviceApp(world, tokens, requests, closing.signal);
  adminRoutes(app, controls);
  pageRoutes(app, controls, closing.signal);
  const server = serve({ fetch: app.fetch, hostname: "127.0.0.1", port: settings.port });
  await once(server, "listening").catch((error: unknown) => {
    store.close();
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "EADDRINUSE") throw error;
    throw new Error(`port ${settings.port} is in use, perhaps by another emulator. Choose another --port`);
  });
  const { port } = server.address() as AddressInfo;

  let closed: Promise<void> | undefined;
  async function close(): Promise<void> {
    closing.abort();
    const end = once(server, "close");
    server.close();
    if ("closeAllConnections" in server) server.closeAllConnections();
    await end;
    store.close();
  }

  return {
    baseUrl: `http://127.0.0.1:${port}/frontdoor`,
    tokenUrl: `http://127.0.0.1:${port}/oauth/token`,
    async ask(request) {
      const socket = { destroyed: false, destroy: () => (socket.destroyed = true) };
      // What a fault sends before it cuts the connection reaches nobody.
      const outgoing = {
        writeHead: () => undefined,
        write: (_body: unknown, sent: () => void) => {
          sent();
        },
      };
      const wire = { incoming: { url: request.url, socket }, outgoing } as unknown as HttpBindings;
      const answer = await app.fetch(request, wire);
      return socket.destroyed ? undefined : answer;
    },
    revokeTokens: () => {
      tokens.revokeAll();
    },
    frontdoorId: settings.frontdoorId,
    token: settings.token,
    ...controls,
    samplePsk(tunnelId) {
      const psk = tables.tunnel.get(tunnelId)?.versions.at(-1)?.fields.psk;
      if (psk === undefined) throw new Error(`The emulator has no tunnel ${tunnelId}`);
      return psk;
    },
    ...outOfBand(world),
    close: () => (closed ??= close()),
  };
}

const tooLarge = new Refusal(413, "too_large", "The emulator takes bodies of at most 1 MB");

/** Returns the service under `/frontdoor`. It logs every request on `/v2/...` and for a token, applies the faults, and does the work. */
function serviceApp(world: World, tokens: Tokens, requests: RequestEntry[], closing: AbortSignal): Hono<Routes> {
  const { settings, clock, faults } = world;
  const app = new Hono<Routes>();

  app.use("*", async (c, next) => {
    await next();
    if (settings.serviceClockSkewMs !== 0) {
      c.header("date", new Date(Date.now() + settings.serviceClockSkewMs).toUTCString());
    }
  });

  app.use("*", bodyLimit({ maxSize: 1_000_000, onError: () => refusalAnswer(tooLarge) }));

  const logged: MiddlewareHandler<Routes> = async (c, next) => {
    const { pathname, search } = new URL(c.req.url);
    const entry: RequestEntry = {
      at: clock.now(),
      method: c.req.method,
      ...frontdoorAndPath(pathname),
      query: search.slice(1),
      body: undefined,
      status: 0,
    };
    requests.push(entry);
    if (requests.length > settings.requestLogLimit) requests.shift();
    const begun = performance.now();
    const text = await c.req.text();
    entry.body = pathname.startsWith("/oauth/") ? undefined : parsed(text);

    const work = async () => {
      await next();
      return c.res;
    };
    const exchange = { method: entry.method, path: entry.path, query: entry.query, wire: c.env, clock, closing };
    const response = await withGatewayTimeout(settings, faults.answer(exchange, work));
    if (!c.env.incoming.socket.destroyed) entry.status = response.status;
    if (response !== c.res) {
      // Hono merges headers of an answer that is set over another; a fault's answer stands alone.
      c.res = undefined;
      c.res = response;
    }
    settings.onAnswer?.(entry, Math.round(performance.now() - begun));
  };
  const access = { settings, tokens };
  idRoutes(app, access);
  app.use("/frontdoor/v2/*", logged);
  app.use("/oauth/*", logged);
  tokenRoutes(app, access);

  app.use("/frontdoor/v2/:frontdoorId/*", async (c, next) => {
    checkAccess(access, c.req.header("authorization"), c.req.param("frontdoorId"));
    await next();
  });

  for (const [kind, definition] of Object.entries<Definition>(definitions)) {
    const routes = new Hono<Routes>();
    resourceRoutes(routes, world, world.tables[kind as Kind], definition);
    app.route(`/frontdoor/v2/:frontdoorId/ipsec-${kind}s`, routes);
  }

  app.notFound((c) => {
    const { pathname } = new URL(c.req.url);
    const allowed = methodsOf(app, pathname);
    if (allowed.length === 0 || allowed.includes(c.req.method))
      return refusalAnswer(notFound(settings, `${c.req.method} ${pathname}`));
    const answer = refusalAnswer(new Refusal(405, "method_not_allowed", `${pathname} takes ${allowed.join(", ")}`));
    answer.headers.set("allow", allowed.join(", "));
    return answer;
  });
  app.onError((error) => refusalAnswer(error));
  return app;
}

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"];

/** Returns the methods that a path has. Middleware has none of its own. */
const methodsOf = ({ router }: Hono<Routes>, path: string): string[] =>
  methods.filter((method) => router.match(method, path)[0].some(([[, route]]) => route.method === method));

const gatewayTimeout = new Refusal(503, "service_unavailable", "The gateway got no response in time");

/** Returns the answer of a gateway that gives up first. The work behind it continues. */
async function withGatewayTimeout({ gatewayTimeoutMs }: Settings, work: Promise<Response>): Promise<Response> {
  if (gatewayTimeoutMs === null) return work;
  const waited = new AbortController();
  const late = sleep(gatewayTimeoutMs, undefined, { signal: waited.signal, ref: false }).then(
    () => refusalAnswer(gatewayTimeout),
    () => work,
  );
  try {
    return await Promise.race([work, late]);
  } finally {
    waited.abort();
  }
}

function parsed(text: string): unknown {
  if (text === "") return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** A site with its services: target and port by name. */
const sites = {
  hamburg: { peerPublicIp: "203.0.113.10", peerCidr: "192.168.10.0/24" },
  lyon: { peerPublicIp: "203.0.113.20", peerCidr: "192.168.20.0/24" },
  porto: { peerPublicIp: "203.0.113.30", peerCidr: "192.168.30.0/24" },
};
const services = {
  intranet: { target: "intranet.corp.example:443", ingressPort: 443 },
  database: { target: "10.8.0.15:5432", ingressPort: 5432 },
  ssh: { target: "bastion.corp.example:22", ingressPort: 22 },
  "file-server": { target: "10.8.0.21:445", ingressPort: 445 },
};

/** The time between two shares, so that the page shows changes. */
const firstMs = 1000;
const everyMs = 1500;

/** Adds three sites whose shares come up from NEW, one of them to ERROR. Returns false if one of the sites exists. */
function seedDemo(world: World): boolean {
  const { tables, settings, clock } = world;
  const { frontdoorId } = settings;
  const names = Object.keys(sites).map((site) => `demo-${site}`);
  if (living(world, tables.tunnel).some(({ fields }) => names.includes(fields.name))) return false;
  const envZId = Object.keys(settings.environments)[0] ?? "env-demo";
  let count = 0;
  for (const [site, peer] of Object.entries(sites)) {
    const locationId = `demo-${site}`;
    const fields = newTunnelFields(world, frontdoorId, { name: locationId, locationId, ...peer });
    const tunnel = insert(world, tables.tunnel, outOfBandVersion(world, fields, "DEPLOYED", true));
    for (const [service, published] of Object.entries(services)) {
      const share = { name: `${site}-${service}`, envZId, ...published, frontdoorId, locationId };
      const begun = beginWork(world, { kind: "share", op: "create" }, { ...share, ipsecTunnelId: tunnel.id }, false);
      const isFailing = site === "porto" && service === "file-server";
      const settles = { at: clock.now() + firstMs + everyMs * count++, to: "DEPLOYED" as const };
      insert(
        world,
        tables.share,
        isFailing ? { ...begun, settles: { ...settles, to: "ERROR" } } : { ...begun, settles },
      );
    }
  }
  return true;
}
