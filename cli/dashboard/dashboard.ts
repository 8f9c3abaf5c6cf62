import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { serveStatic } from "@hono/node-server/serve-static";
import { type Context, Hono, type MiddlewareHandler } from "hono";
import { getCookie, setCookie } from "hono/cookie";
import { secureHeaders } from "hono/secure-headers";
import { streamSSE } from "hono/streaming";
import type { Config } from "../../provider/config";
import { FrontdoorError, safeText, troubleOf } from "../../provider/errors";
import { type Reads, readsOf } from "../../provider/functions/functions";
import { openPool } from "../../provider/http/send";
import { type Service, openService } from "../../provider/run/service";
import type { Clock } from "../../provider/time";
import { type ConfigOptions, configuredFrontDoor, nothingIsCreated } from "../shared/configuration";
import { configurations } from "../shared/connections";
import { pageFolder } from "../shared/files";
import type { Io } from "../shared/io";
import { cleaned } from "../shared/output";
import { refuseOtherPages, serveOn } from "../shared/serve";
import { type Connection, type FrontDoorReads, Monitor, pollsOf } from "../shared/monitor";

/**
 * The page loads only its own files, runs only its own scripts, and no other page can frame it. No HSTS: other servers on this machine's
 * loopback address may speak http.
 */
const headers = secureHeaders(
  JSON.parse(readFileSync(join(pageFolder, "headers.json"), "utf8")) as Parameters<typeof secureHeaders>[0],
);

export interface Parts {
  session: Session;
  live: LiveView;
  /** The only front door that the page may ask about. */
  frontdoorId: string;
  reads: Pick<Reads, "getTunnel" | "getTunnelConfig" | "getSampleConfig" | "getTunnelMetrics" | "getShareMetrics">;
}

/** The dashboard's page, and the requests that the page sends (CONTRIBUTING.md). */
export function dashboardApp({ session, live, frontdoorId, reads }: Parts): Hono {
  const app = new Hono();
  const configuration = configurations(reads);
  app.use(headers, async (c, next) => {
    await next();
    c.header("cache-control", "no-store");
  });
  app.use(refuseOtherPages("127.0.0.1"), session.checkMethod);
  app.get("/open/*", (c) => session.open(c));
  app.use(session.checkBrowser);
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
    if (tunnel.status !== "DEPLOYED") return c.json(cleaned({ tunnel }));
    try {
      return c.json(cleaned({ tunnel, connection: await configuration(place) }));
    } catch (error) {
      // The details of the tunnel are known all the same.
      return c.json(cleaned({ tunnel, trouble: wordsOf(error) }));
    }
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

/** Returns 256 random bits as text that needs no escaping. */
const secret = () => randomBytes(32).toString("base64url");

/** Lets in only the browser that opens the one-time address, and only the dashboard's own page. */
export class Session {
  /** The path of the address that opens the dashboard, once. */
  readonly path = `/open/${secret()}`;
  private readonly token = secret();
  private isOpened = false;

  /** Refuses every method except GET. */
  readonly checkMethod: MiddlewareHandler = async (c, next) => {
    if (c.req.method !== "GET") return c.text("The dashboard only reads", 405, { allow: "GET" });
    return next();
  };

  /** Refuses a browser that has not opened the one-time address. */
  readonly checkBrowser: MiddlewareHandler = async (c, next) => {
    if (!this.isKnown(c)) return c.text(notOpened, 401);
    return next();
  };

  /** Exchanges the one-time address for a cookie. */
  open(c: Context): Response {
    if (this.isKnown(c)) return c.redirect("/", 303);
    if (this.isOpened || c.req.path !== this.path) return c.text(notOpened, 401);
    this.isOpened = true;
    setCookie(c, cookieOf(c), this.token, { httpOnly: true, sameSite: "Strict", path: "/" });
    return c.redirect("/", 303);
  }

  private isKnown(c: Context): boolean {
    return getCookie(c, cookieOf(c)) === this.token;
  }
}

/** Returns the name of the cookie. It holds the port, because a browser shares cookies among all ports of a host. */
const cookieOf = (c: Context) => `frontdoor-${new URL(c.req.url).port}`;

const notOpened =
  'Open the URL that "pulumi-frontdoor dashboard" has printed: it lets one browser in, once. For another browser run the command again.\n';

export interface DashboardOptions extends ConfigOptions {
  port: number;
  json?: true;
}

/** Serves the dashboard until Ctrl-C or SIGTERM. @throws FrontdoorError if the service refuses, Misuse. */
export async function showDashboard(io: Io, { port, json: isJson, ...options }: DashboardOptions): Promise<void> {
  const { clock, say } = io;
  const { config, frontdoorId } = await configuredFrontDoor(io, options);
  const services: Service[] = [];
  const open = (part: Config) => {
    const transport = openPool(part.requestTimeoutMs);
    const service = openService({ config: part, clock, transport, records: nothingIsCreated, say });
    services.push(service);
    return service;
  };
  try {
    const { url, stop } = await serveDashboard(io, config, open, { frontdoorId, port, options: toPaste(options) });
    const stopped = io.untilStopped();
    if (isJson) io.printJson({ url, frontdoorId });
    else io.print(`${url}\n`);
    if (!isJson) say("Open this URL: it lets one browser in, once. Ctrl-C ends it.");
    await stopped;
    stop();
  } finally {
    await Promise.all(services.map((service) => service.close()));
  }
}

/** The most reads of connections per second. The lists, details and metrics get the rest of the configured rate. */
const connectionsPerSecond = 7;

/** Returns the reads for the page, and the service for details and metrics. Together they stay within the configured rate. */
export function dashboardReads(config: Config, frontdoorId: string, open: (config: Config) => Service) {
  const { requestsPerSecond } = config;
  const connections = Math.min(connectionsPerSecond, requestsPerSecond / 2);
  const service = open({ ...config, requestsPerSecond: requestsPerSecond - connections });
  const forConnections = open({ ...config, requestsPerSecond: connections });
  const polls = pollsOf(service, forConnections, frontdoorId, { isPoll: true });
  const configuration = configurations(readsOf(forConnections));
  return { service, polls: { ...polls, connection: (id: string) => configuration({ id, frontdoorId }) } };
}

/** Serves the dashboard on 127.0.0.1. The address opens it once. */
async function serveDashboard(
  { clock }: Io,
  config: Config,
  open: (config: Config) => Service,
  { frontdoorId, port, options }: { frontdoorId: string; port: number; options: string },
) {
  const { baseUrl } = config;
  const { service, polls } = dashboardReads(config, frontdoorId, open);
  // What would only fail in the page fails here, with the command's exit code.
  await polls.tunnels();
  const session = new Session();
  const about = { title: `Front door ${frontdoorId}`, address: baseUrl, frontdoorId, options };
  const live = new LiveView(polls, clock, about);
  const { fetch } = dashboardApp({ session, live, frontdoorId, reads: readsOf(service) });
  const { port: used, stop } = await serveOn(fetch, { host: "127.0.0.1", port, option: "--port" });
  return { url: `http://127.0.0.1:${used}${session.path}`, stop };
}

/** Returns the options as a shell reads them, so that a command on the page finds the same front door. */
function toPaste(given: ConfigOptions): string {
  const { stackConfig, baseUrl, frontdoorId, tokenFile, username } = given;
  const options = Object.entries({ stackConfig, baseUrl, frontdoorId, tokenFile, username });
  const quoted = (text: string) => (/^[\w./:-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);
  return options
    .flatMap(([name, value]) =>
      value === undefined
        ? []
        : [`--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)} ${quoted(value)}`],
    )
    .join(" ");
}

/** The pause for each request of a read of the lists: at most 2.5 a second, for any number of browsers. */
const pausePerPageMs = 400;
const afterTroubleMs = 3_000;
/** The pause between two checks for changed parts. */
const tickMs = 250;

/** What the page says of its front door, and what its commands need. */
interface About {
  title: string;
  address: string;
  frontdoorId?: string;
  /** The options by which this command found the service, for a shell. */
  options?: string;
}

/** Polls while somebody watches: one poll at a time, also if the last watcher goes and another one comes before the poll has ended. */
class Poller {
  private watchers = 0;
  private polling: Promise<void> | undefined;
  private ending = new AbortController();

  constructor(private readonly poll: (signal: AbortSignal) => Promise<void>) {}

  add(): void {
    this.watchers += 1;
    this.polling ??= this.pollWhileWatched();
  }

  release(): void {
    this.watchers -= 1;
    if (this.watchers === 0) this.ending.abort();
  }

  private async pollWhileWatched(): Promise<void> {
    while (this.watchers > 0) {
      this.ending = new AbortController();
      await this.poll(this.ending.signal);
    }
    this.polling = undefined;
  }
}

/** Shows a front door to all watchers, and polls the service while there are any. */
export class LiveView {
  private readonly monitor: Monitor;
  /** The last read of the lists, and the pause until the next one. `seenMs` is the time of the last read that succeeded. */
  private lastRead: { atMs: number; pauseMs: number; seenMs?: number; trouble?: string } | undefined;
  /** The parts of the page as JSON texts, which are written again after a change. */
  private readonly texts = new Map<string, string>();
  private readonly changed = new Set<"lists" | "connections">();
  private readonly poller: Poller;

  constructor(
    reads: FrontDoorReads,
    private readonly clock: Clock,
    about: About,
  ) {
    this.show("about", about);
    let pauseMs = 0;
    const read = (what: "lists" | "connections", error?: unknown) => {
      this.changed.add(what);
      const [atMs, seenMs] = [clock.wall(), this.monitor.listedAtMs];
      if (what === "lists")
        this.lastRead = {
          atMs,
          pauseMs,
          ...(seenMs !== undefined && { seenMs }),
          ...(error !== undefined && { trouble: wordsOf(error) }),
        };
    };
    const pauseAfter = (pages?: number) => (pauseMs = pages === undefined ? afterTroubleMs : pages * pausePerPageMs);
    this.monitor = new Monitor(reads, clock, { read }, pauseAfter);
    this.poller = new Poller((signal) => this.monitor.follow(signal));
  }

  /** Yields all parts as one JSON object, then each changed part. A slow reader gets only the latest texts. */
  async *watch(signal: AbortSignal): AsyncGenerator<string, void> {
    const seen = new Map<string, string>();
    this.poller.add();
    try {
      while (!signal.aborted) {
        this.refresh();
        const parts = [...this.texts].filter(([part, text]) => seen.get(part) !== text);
        for (const [part, text] of parts) seen.set(part, text);
        if (parts.length > 0) yield `{${parts.map(([part, text]) => `"${part}":${text}`).join(",")}}`;
        await this.clock.sleep(tickMs, signal);
      }
    } finally {
      this.poller.release();
    }
  }

  private refresh(): void {
    const { lists, connections } = this.monitor;
    if (this.changed.has("lists")) {
      if (lists) for (const [part, entries] of Object.entries(lists)) this.show(part, entries);
      this.show("poll", this.lastRead);
    }
    // Tunnels that have gone have no connection.
    if (lists && this.changed.size > 0)
      this.show(
        "connections",
        Object.fromEntries(
          lists.tunnels.flatMap(({ frontdoorId, id }) => {
            const connection = connections.get(id);
            return connection ? [[`tunnel/${frontdoorId}/${id}`, shownOf(connection)]] : [];
          }),
        ),
      );
    this.changed.clear();
  }

  private show(part: string, value: unknown): void {
    this.texts.set(part, JSON.stringify(cleaned(value)));
  }
}

/** Returns a connection as the page shows it. */
function shownOf({ readAtMs: atMs, word, message, state, since, trouble }: Connection) {
  if (trouble !== undefined) return { atMs, trouble: wordsOf(trouble) };
  return {
    atMs,
    ...(since && { sinceMs: since.sinceMs, isSinceExact: since.isExact }),
    ...(state !== undefined && { state }),
    ...(word !== "" && { status: word }),
    ...(message !== "" && { statusMessage: message }),
  };
}

const wordsOf = (error: unknown) =>
  error instanceof FrontdoorError ? error.message : `The dashboard failed: ${String(error)} [internal-error]`;
