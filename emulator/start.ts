import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { serve, type HttpBindings } from "@hono/node-server";
import { frozenClock, realClock, type Clock } from "./clock";
import { seedDemo } from "./demo";
import { Faults } from "./faults";
import { Switches } from "./faults/switches";
import { outOfBand, type OutOfBand } from "./out-of-band";
import type { ShareRecord, TunnelRecord } from "./records";
import type { RequestEntry } from "./request-log";
import { adminRoutes, type Controls } from "./admin";
import { pageRoutes } from "./page";
import { serviceApp } from "./server";
import { readSettings, type Settings } from "./settings";
import { openStore } from "./store";
import { Tokens } from "./tokens";
import { present, shareRecord, tunnelRecord, type World } from "./world";

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
  /** Answers in this process, without a connection; undefined if a fault cuts the connection. Faults of connections that answer need a real connection. */
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
export async function startEmulator(given: Partial<Settings> = {}): Promise<Emulator> {
  const settings = readSettings(given);
  const store = openStore(settings.dataFile);
  const clock =
    settings.frozenAtMs === null
      ? realClock(store.clockMemory("offset"))
      : frozenClock(settings.frozenAtMs, store.clockMemory("frozen"));
  const world: World = { settings, clock, store, faults: new Faults(), tokens: new Tokens(settings, clock) };
  const requests: RequestEntry[] = [];
  const closing = new AbortController();

  const atStart = structuredClone({ ...settings, onAnswer: null });
  const controls: Controls = {
    settings,
    requests,
    faults: world.faults,
    switches: new Switches(world.faults),
    clock,
    tunnels: () => present(world, store.tunnels).map(tunnelRecord),
    shares: () => present(world, store.shares).map(shareRecord),
    seedDemo: () => seedDemo(world),
    reset() {
      store.tunnels.clear();
      store.shares.clear();
      world.faults.clear();
      world.tokens.revokeAll();
      requests.length = 0;
      Object.assign(settings, structuredClone(atStart), { onAnswer: settings.onAnswer });
    },
  };
  const app = serviceApp(world, requests, closing.signal);
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
      const wire = { incoming: { url: request.url, socket } } as unknown as HttpBindings;
      const answer = await app.fetch(request, wire);
      return socket.destroyed ? undefined : answer;
    },
    revokeTokens: () => {
      world.tokens.revokeAll();
    },
    frontdoorId: settings.frontdoorId,
    token: settings.token,
    ...controls,
    samplePsk(tunnelId) {
      const psk = store.tunnels.get(tunnelId)?.versions.at(-1)?.fields.psk;
      if (psk === undefined) throw new Error(`The emulator has no tunnel ${tunnelId}`);
      return psk;
    },
    ...outOfBand(world),
    close: () => (closed ??= close()),
  };
}
