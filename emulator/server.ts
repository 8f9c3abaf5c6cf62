import { setTimeout as sleep } from "node:timers/promises";
import { Hono, type MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import { checkAccess } from "./access";
import { notFound, Refusal, refusalAnswer } from "./answers";
import { idRoutes } from "./ids";
import { tokenRoutes } from "./oauth";
import { frontdoorAndPath, type RequestEntry } from "./request-log";
import type { Routes } from "./routing";
import type { Settings } from "./settings";
import { shareRoutes } from "./shares";
import { tunnelRoutes } from "./tunnels";
import type { World } from "./world";

const tooLarge = new Refusal(413, "too_large", "The emulator takes bodies of at most 1 MB");

/** Returns the service under `/frontdoor`. It logs every request on `/v2/...` and for a token, applies the faults, and does the work. */
export function serviceApp(world: World, requests: RequestEntry[], closing: AbortSignal): Hono<Routes> {
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
    const response = await inGatewayTime(settings, faults.answer(exchange, work));
    if (!c.env.incoming.socket.destroyed) entry.status = response.status;
    if (response !== c.res) {
      // Hono merges headers of an answer that is set over another; a fault's answer stands alone.
      c.res = undefined;
      c.res = response;
    }
    settings.onAnswer?.(entry, Math.round(performance.now() - begun));
  };
  idRoutes(app, world);
  app.use("/frontdoor/v2/*", logged);
  app.use("/oauth/*", logged);
  tokenRoutes(app, settings, world.tokens);

  app.use("/frontdoor/v2/:frontdoorId/*", async (c, next) => {
    checkAccess(world, c.req.header("authorization"), c.req.param("frontdoorId"));
    await next();
  });

  const tunnels = new Hono<Routes>();
  tunnelRoutes(tunnels, world);
  app.route("/frontdoor/v2/:frontdoorId/ipsec-tunnels", tunnels);
  const shares = new Hono<Routes>();
  shareRoutes(shares, world);
  app.route("/frontdoor/v2/:frontdoorId/ipsec-shares", shares);

  app.notFound((c) => refusalAnswer(notFound(settings, `${c.req.method} ${new URL(c.req.url).pathname}`)));
  app.onError((error) => refusalAnswer(error));
  return app;
}

const gaveUp = new Refusal(503, "service_unavailable", "The service did not answer in time");

/** Returns the answer of a gateway that gives up first. The work behind it continues. */
async function inGatewayTime({ gatewayTimeoutMs }: Settings, work: Promise<Response>): Promise<Response> {
  if (gatewayTimeoutMs === null) return work;
  const waited = new AbortController();
  const late = sleep(gatewayTimeoutMs, undefined, { signal: waited.signal, ref: false }).then(
    () => refusalAnswer(gaveUp),
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
