import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { serveStatic } from "@hono/node-server/serve-static";
import type { Hono } from "hono";
import { secureHeaders } from "hono/secure-headers";
import { streamSSE } from "hono/streaming";
import { type Controls, isLocalRequest } from "./admin";
import { notFound, type Request, type Routes } from "./http";
import { type RequestEntry } from "./records";
import { connectionOf, metrics, tunnelConfig, windowMs } from "./fields";
import { defaultToken } from "./settings";

/** The static files of the dashboard's page, which also shows the emulator's data. They need no build. */
const pageFolder = join(__dirname, "..", "cli", "dashboard", "page");
const pollMs = 250;
const requestsShown = 500;
/** A connection that nobody watched for longer can have changed meanwhile. */
const seenMs = 5_000;

/** The same headers as the dashboard's. */
const headers = secureHeaders(
  JSON.parse(readFileSync(join(pageFolder, "headers.json"), "utf8")) as Parameters<typeof secureHeaders>[0],
);

/** Serves a page at `/` with resources, requests and switches for faults. It shows no keys and tokens, and its requests are not in the log. */
export function pageRoutes(app: Hono<Routes>, controls: Controls, closing: AbortSignal): void {
  for (const path of ["/", "/page/*", "/api/*"])
    app.get(path, headers, async (c, next) => {
      if (!isLocalRequest(c.req.url, c.req.header("origin"))) return c.text("Not for web pages", 403);
      await next();
      c.header("cache-control", "no-store");
      return undefined;
    });
  app.get("/", serveStatic({ root: pageFolder, path: "index.html" }));
  app.get("/page/*", serveStatic({ root: pageFolder, rewriteRequestPath: (path) => path.replace("/page/", "/") }));

  const partsNow = partsOf(controls);
  app.get("/api/events", (c) =>
    streamSSE(c, async (stream) => {
      const { origin } = new URL(c.req.url);
      const address = `${origin}/frontdoor`;
      const { frontdoorId, token } = controls.settings;
      const about = {
        ...{ title: "Front door emulator", address, frontdoorId },
        options: `--base-url ${address} --frontdoor-id ${frontdoorId}`,
        // The page writes the token itself if everybody knows it.
        hasDefaultToken: token === defaultToken,
      };
      const seen = new Map<string, string>();
      while (!stream.aborted && !closing.aborted) {
        const parts = Object.entries({ about, ...partsNow() }).map(
          ([part, value]) => [part, JSON.stringify(value)] as const,
        );
        const changed = parts.filter(([part, text]) => seen.get(part) !== text);
        for (const [part, text] of changed) seen.set(part, text);
        const data = `{${changed.map(([part, text]) => `"${part}":${text}`).join(",")}}`;
        if (changed.length > 0) await stream.writeSSE({ data, retry: 1000 });
        await sleep(pollMs, undefined, { ref: false });
      }
    }),
  );

  const { settings, clock } = controls;
  const known = (kind: "tunnels" | "shares", c: Request) => {
    const { frontdoorId, id = "" } = c.req.param() as Record<string, string>;
    const record = controls[kind]().find((each) => each.id === id && each.frontdoorId === frontdoorId);
    if (!record) throw notFound(settings, id);
    return record;
  };
  app.get("/api/:frontdoorId/tunnels/:id", (c) => {
    const tunnel = known("tunnels", c);
    return c.json({
      tunnel,
      connection: tunnel.status === "DEPLOYED" ? tunnelConfig(settings, tunnel.id, clock.now()) : undefined,
    });
  });
  for (const kind of ["tunnels", "shares"] as const)
    app.get(`/api/:frontdoorId/${kind}/:id/metrics`, (c) => {
      const record = known(kind, c);
      const nowMs = clock.now();
      const { downMs } = connectionOf(settings, "ipsecTunnelId" in record ? record.ipsecTunnelId : record.id, nowMs);
      const window = c.req.query("window") ?? "1h";
      const sinceMs = record.status === "DEPLOYED" ? -Infinity : Infinity;
      return c.json(metrics(record.id, window, windowMs(window) ?? 3_600_000, { nowMs, sinceMs, downMs }));
    });
}

/** Returns the parts of the page. With the admin endpoints on, the faults are also a part. */
function partsOf({ settings, requests, adminFaults, ...controls }: Controls): () => Record<string, unknown> {
  const numbers = new WeakMap<RequestEntry, number>();
  let lastNumber = 0;
  const numbered = (entry: RequestEntry) => {
    const number = numbers.get(entry) ?? (lastNumber += 1);
    numbers.set(entry, number);
    const { at, method, path, query, status } = entry;
    return { number, at, method, path, query, status };
  };
  const seen = new Map<string, { status: string; atMs: number; sinceMs: number; isSinceExact: boolean }>();
  const connection = (id: string) => {
    const { state, tunnels } = tunnelConfig(settings, id, controls.clock.now());
    const { status = "", statusMessage } = tunnels[0] ?? {};
    const atMs = seconds();
    const before = seen.get(id);
    const isKnown = before !== undefined && atMs - before.atMs < seenMs;
    const { sinceMs, isSinceExact } =
      isKnown && before.status === status ? before : { sinceMs: atMs, isSinceExact: isKnown };
    seen.set(id, { status, atMs, sinceMs, isSinceExact });
    return { state, status, statusMessage, atMs, sinceMs, isSinceExact };
  };
  /** Whole seconds, because a part that changes at every poll would be sent at every poll. */
  const seconds = () => Math.floor(Date.now() / 1000) * 1000;
  return () => {
    const tunnels = controls.tunnels();
    const deployed = tunnels.filter(({ status }) => status === "DEPLOYED");
    return {
      tunnels,
      shares: controls.shares(),
      connections: Object.fromEntries(
        deployed.map(({ id, frontdoorId }) => [`tunnel/${frontdoorId}/${id}`, connection(id)]),
      ),
      requests: requests.slice(-requestsShown).map(numbered),
      ...(settings.admin && {
        switches: { faults: adminFaults.list(), connectionStatus: settings.connectionStatus },
      }),
      poll: { atMs: seconds(), seenMs: seconds() },
    };
  };
}
