import type { Hono } from "hono";
import { z } from "zod";
import type { Clock } from "./clock";
import type { Faults } from "./faults";
import type { ShareRecord, TunnelRecord } from "./records";
import type { RequestEntry } from "./requestLog";
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

const times = z.int().min(1).optional();
const work = { kind: z.enum(["tunnel", "share"]), op: z.enum(["create", "update", "delete"]), times };
const where = { method: z.string().optional(), path: z.string().optional(), pathPattern: z.string().optional(), times };
const when = z.enum(["before", "after"]).optional();

/** A fault as JSON: `fault` says which, `path` is a prefix, `pathPattern` a regular expression. */
const faultSchema = z.discriminatedUnion("fault", [
  z.strictObject({ fault: z.literal("fail"), ...work }),
  z.strictObject({ fault: z.literal("stick"), ...work }),
  z.strictObject({
    fault: z.literal("answer"),
    ...where,
    when,
    status: z.int().min(200).max(599),
    headers: z.record(z.string(), z.string()).optional(),
    body: z.unknown().optional(),
  }),
  z.strictObject({ fault: z.literal("drop"), ...where, when }),
  z.strictObject({ fault: z.literal("delay"), ...where, delayMs: z.number().min(0) }),
]);

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

function addFault(faults: Faults, given: z.infer<typeof faultSchema>): void {
  if (given.fault === "fail" || given.fault === "stick") {
    const set = { kind: given.kind, op: given.op, times: given.times ?? 1 };
    if (given.fault === "fail") faults.failNext(set);
    else faults.stickNext(set);
    return;
  }
  const path = given.pathPattern === undefined ? (given.path ?? "") : new RegExp(given.pathPattern);
  const set = { path, times: given.times ?? 1, ...(given.method !== undefined && { method: given.method }) };
  if (given.fault === "delay") {
    faults.delayNext({ ...set, delayMs: given.delayMs });
    return;
  }
  const timed = { ...set, when: given.when ?? "before" };
  if (given.fault === "drop") faults.dropNext(timed);
  else faults.answerNext({ ...timed, status: given.status, headers: given.headers ?? {}, body: given.body });
}

/** Whether a request was addressed to this machine by a loopback name. */
export function isLoopback(url: string): boolean {
  return ["127.0.0.1", "localhost", "[::1]"].includes(new URL(url).hostname);
}
