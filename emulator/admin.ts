import type { Hono } from "hono";
import { z } from "zod";
import type { Clock } from "./clock";
import type { Faults } from "./faults";
import { requestFaultSchema, workFaultSchema } from "./faults/catalogue";
import type { Switches } from "./faults/switches";
import type { ShareRecord, TunnelRecord } from "./records";
import type { RequestEntry } from "./request-log";
import type { Routes } from "./routing";
import { settingsPatchSchema, type Settings } from "./settings";

/** The state and the settings that the admin endpoints can read and change. */
export interface Controls {
  settings: Settings;
  requests: RequestEntry[];
  faults: Faults;
  /** The faults that were added by the admin endpoint. */
  switches: Switches;
  clock: Clock;
  tunnels(): TunnelRecord[];
  shares(): ShareRecord[];
  /** Adds the tunnels and shares of the demo. Returns false if they exist already. */
  seedDemo(): boolean;
  /** Restores the settings of the start, and removes tunnels and shares. The clock and the ids continue. */
  reset(): void;
}

const faultSchema = z.union([requestFaultSchema, workFaultSchema]);

/** Adds the endpoints under `/_admin`. They answer 404 unless the setting `admin` is on. */
export function adminRoutes(app: Hono<Routes>, controls: Controls): void {
  const { settings, requests, faults, switches, clock } = controls;

  app.use("/_admin/*", async (c, next) => {
    if (!settings.admin) return c.notFound();
    if (!isFromHere(c.req.url, c.req.header("origin")))
      return c.json({ error: "forbidden", message: "Not for web pages" }, 403);
    return next();
  });

  app.get("/_admin/requests", (c) => c.json(requests));
  app.get("/_admin/settings", (c) => c.json(withoutCredentials(settings)));
  app.patch("/_admin/settings", async (c) => {
    Object.assign(settings, settingsPatchSchema.parse(await c.req.json()));
    return c.json(withoutCredentials(settings));
  });
  app.post("/_admin/faults", async (c) => {
    switches.add(faultSchema.parse(await c.req.json()));
    return c.json({ pending: faults.pending() }, 201);
  });
  app.get("/_admin/faults", (c) => c.json(switches.list()));
  app.delete("/_admin/faults/:id", (c) => {
    const isThere = switches.remove(Number(c.req.param("id")));
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
    const { advanceMs } = z.strictObject({ advanceMs: z.number().min(0) }).parse(await c.req.json());
    clock.advance(advanceMs);
    return c.json({ now: clock.now() });
  });
}

const credentials = ["token", "tokens", "basicUsers", "oauthClientSecret"] satisfies (keyof Settings)[];

/** Returns the settings that every user of the machine may read. */
const withoutCredentials = (settings: Settings) => ({
  ...settings,
  ...Object.fromEntries(credentials.map((name) => [name, undefined])),
});

/**
 * True if a request comes from a command on this machine or from the emulator's own page. Other web pages must not reach the endpoints,
 * also not under a name that leads to this machine.
 */
export function isFromHere(url: string, from: string | undefined): boolean {
  const { hostname, origin } = new URL(url);
  return ["127.0.0.1", "localhost", "[::1]"].includes(hostname) && (from === undefined || from === origin);
}
