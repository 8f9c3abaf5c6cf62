import { serveStatic } from "@hono/node-server/serve-static";
import { type Context, Hono } from "hono";
import { secureHeaders } from "hono/secure-headers";
import { streamSSE } from "hono/streaming";
import { FrontdoorError, troubleOf } from "../../provider/errors";
import type { Reads } from "../../provider/functions/reads";
import { pageFolder } from "../page-folder";
import type { Doorkeeper } from "./doorkeeper";
import type { Live } from "./live";

/** Nothing is loaded but the page's own files, nothing runs but its scripts, and no other page holds it in a frame. */
const headers = secureHeaders({
  contentSecurityPolicy: {
    defaultSrc: ["'none'"],
    scriptSrc: ["'self'"],
    styleSrc: ["'self'"],
    imgSrc: ["'self'"],
    connectSrc: ["'self'"],
    baseUri: ["'none'"],
    formAction: ["'none'"],
    frameAncestors: ["'none'"],
    requireTrustedTypesFor: ["'script'"],
  },
  xFrameOptions: "DENY",
  // Other servers on this machine's loopback address may speak http.
  strictTransportSecurity: false,
});

export interface Parts {
  door: Doorkeeper;
  live: Live;
  reads: Pick<Reads, "getTunnel" | "getTunnelConfig" | "getTunnelMetrics" | "getShareMetrics">;
}

/** The dashboard's page, and what it asks for (docs/dashboard.md: What the page asks). */
export function dashboardApp({ door, live, reads }: Parts): Hono {
  const app = new Hono();
  app.use(headers, async (c, next) => {
    await next();
    c.header("cache-control", "no-store");
  });
  app.use(door.checkOrigin);
  app.get("/open/*", (c) => door.open(c));
  app.use(door.checkSession);
  app.get("/", serveStatic({ root: pageFolder, path: "index.html" }));
  app.get("/page/*", serveStatic({ root: pageFolder, rewriteRequestPath: (path) => path.replace("/page/", "/") }));

  app.get("/api/events", (c) =>
    streamSSE(c, async (stream) => {
      const gone = new AbortController();
      stream.onAbort(() => {
        gone.abort();
      });
      for await (const data of live.watch(gone.signal)) await stream.writeSSE({ data, retry: 1000 });
    }),
  );
  app.get("/api/:frontdoorId/tunnels/:id", async (c) => {
    const place = placeOf(c);
    const tunnel = await reads.getTunnel(place);
    const connection = tunnel.status === "DEPLOYED" ? await reads.getTunnelConfig(place) : undefined;
    return c.json({ tunnel, connection });
  });
  app.get("/api/:frontdoorId/tunnels/:id/metrics", async (c) =>
    c.json(await reads.getTunnelMetrics({ ...placeOf(c), window: c.req.query("window") })),
  );
  app.get("/api/:frontdoorId/shares/:id/metrics", async (c) =>
    c.json(await reads.getShareMetrics({ ...placeOf(c), duration: c.req.query("window") })),
  );

  app.onError((error, c) => {
    const isTold = error instanceof FrontdoorError;
    const message = isTold ? error.message : `The dashboard failed: ${error.message}`;
    return c.json({ message }, troubleOf(error)?.kind === "failed" ? 400 : isTold ? 502 : 500);
  });
  return app;
}

const placeOf = (c: Context) => ({ id: c.req.param("id") ?? "", frontdoorId: c.req.param("frontdoorId") ?? "" });
