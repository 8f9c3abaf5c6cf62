import type { Hono } from "hono";
import { z } from "zod";
import type { Clock } from "./clock";
import type { Faults } from "./faults";
import { requestFaultSchema, workFaultSchema } from "./faults/catalogue";
import type { ShareRecord, TunnelRecord } from "./records";
import type { RequestEntry } from "./request-log";
import type { Routes } from "./routing";
import { settingsPatchSchema, type Settings } from "./settings";

/** What can be seen and turned from outside. */
export interface Controls {
  settings: Settings;
  requests: RequestEntry[];
  faults: Faults;
  clock: Clock;
  tunnels(): TunnelRecord[];
  shares(): ShareRecord[];
  /** Back to how it was started, without tunnels and shares; the clock and the ids go on. */
  reset(): void;
}

const faultSchema = z.union([requestFaultSchema, workFaultSchema]);

/** The endpoints under `/_admin`; 404 unless the setting `admin` is on. */
export function adminRoutes(app: Hono<Routes>, controls: Controls): void {
  const { settings, requests, faults, clock } = controls;

  app.use("/_admin/*", async (c, next) => {
    if (!settings.admin) return c.notFound();
    // A web page must not be able to reach it, neither directly nor under a name that it points to this machine.
    if (c.req.header("origin") !== undefined || !isLoopback(c.req.url)) {
      return c.json({ error: "forbidden", message: "Not for web pages" }, 403);
    }
    return next();
  });

  app.get("/_admin/requests", (c) => c.json(requests));
  app.get("/_admin/settings", (c) => c.json(settings));
  app.patch("/_admin/settings", async (c) => {
    Object.assign(settings, settingsPatchSchema.parse(await c.req.json()));
    return c.json(settings);
  });
  app.post("/_admin/faults", async (c) => {
    addFault(faults, faultSchema.parse(await c.req.json()));
    return c.json({ pending: faults.pending() }, 201);
  });
  app.delete("/_admin/faults", (c) => {
    faults.clear();
    return c.json({ pending: 0 });
  });
  app.get("/_admin/state", (c) =>
    c.json({ now: clock.now(), tunnels: controls.tunnels(), shares: controls.shares(), faults: faults.pending() }),
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

function addFault(faults: Faults, fault: z.infer<typeof faultSchema>): void {
  if (fault.fault === "fail") faults.failNext(fault);
  else if (fault.fault === "stick") faults.stickNext(fault);
  else faults.add(fault);
}

/** Whether a request was addressed to this machine by a loopback name. */
export function isLoopback(url: string): boolean {
  return ["127.0.0.1", "localhost", "[::1]"].includes(new URL(url).hostname);
}
