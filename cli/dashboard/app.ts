import { serveStatic } from "@hono/node-server/serve-static";
import { type Context, Hono, type MiddlewareHandler } from "hono";
import { secureHeaders } from "hono/secure-headers";
import { streamSSE } from "hono/streaming";
import { FrontdoorError, safeText, troubleOf } from "../../provider/errors";
import type { Reads } from "../../provider/functions/reads";
import { cleaned } from "../characters";
import { refuseOtherPages } from "../own-requests";
import { pageFolder } from "../page-folder";
import type { Doorkeeper } from "./doorkeeper";
import type { Live } from "./live";

/** The page loads only its own files, runs only its own scripts, and no other page can frame it. */
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
  /** The only front door that the page may ask about. */
  frontdoorId: string;
  reads: Pick<Reads, "getTunnel" | "getTunnelConfig" | "getTunnelMetrics" | "getShareMetrics">;
}

/** The dashboard's page, and the requests that the page sends (CONTRIBUTING.md). */
export function dashboardApp({ door, live, frontdoorId, reads }: Parts): Hono {
  const app = new Hono();
  app.use(headers, async (c, next) => {
    await next();
    c.header("cache-control", "no-store");
  });
  app.use(refuseOtherPages("127.0.0.1"), door.checkMethod);
  app.get("/open/*", (c) => door.open(c));
  app.use(door.checkSession);
  app.get("/", serveStatic({ root: pageFolder, path: "index.html" }));
  app.get("/page/*", serveStatic({ root: pageFolder, rewriteRequestPath: (path) => path.replace("/page/", "/") }));

  app.get("/api/events", refuseOtherThan(frontdoorId), (c) =>
    streamSSE(c, async (stream) => {
      const gone = new AbortController();
      stream.onAbort(() => {
        gone.abort();
      });
      for await (const data of live.watch(gone.signal)) await stream.writeSSE({ data, retry: 1000 });
    }),
  );
  app.use("/api/:frontdoorId/*", refuseOtherThan(frontdoorId));
  app.get("/api/:frontdoorId/tunnels/:id", async (c) => {
    const place = placeOf(c);
    const tunnel = await reads.getTunnel(place);
    const connection = tunnel.status === "DEPLOYED" ? await reads.getTunnelConfig(place) : undefined;
    return c.json(cleaned({ tunnel, connection }));
  });
  app.get("/api/:frontdoorId/tunnels/:id/metrics", async (c) =>
    c.json(cleaned(await reads.getTunnelMetrics({ ...placeOf(c), window: c.req.query("window") }))),
  );
  app.get("/api/:frontdoorId/shares/:id/metrics", async (c) =>
    c.json(cleaned(await reads.getShareMetrics({ ...placeOf(c), duration: c.req.query("window") }))),
  );

  app.onError((error, c) => {
    const isExpected = error instanceof FrontdoorError;
    const message = isExpected ? error.message : `The dashboard failed: ${error.message} [internal-error]`;
    return c.json(
      { message: safeText(message, 4_000) },
      troubleOf(error)?.kind === "failed" ? 400 : isExpected ? 502 : 500,
    );
  });
  return app;
}

/** Refuses a request that names another front door, in its path or in its query. */
const refuseOtherThan =
  (frontdoorId: string): MiddlewareHandler =>
  async (c, next) => {
    const named = [c.req.param("frontdoorId") ?? frontdoorId, ...(c.req.queries("frontdoorId") ?? [])];
    if (named.some((id) => id !== frontdoorId)) return c.json({ message: otherFrontDoor }, 404);
    return next();
  };

const otherFrontDoor =
  "The dashboard shows one front door only, and this request names another one. Run the command again with --frontdoor-id. [other-front-door]";

const placeOf = (c: Context) => ({ id: c.req.param("id") ?? "", frontdoorId: c.req.param("frontdoorId") ?? "" });
