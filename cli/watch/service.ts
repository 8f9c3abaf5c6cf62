import { once } from "node:events";
import { isIP, isIPv6 } from "node:net";
import { Hono, type MiddlewareHandler } from "hono";
import { Counter, Gauge, Registry } from "prom-client";
import type { Config } from "../../provider/config";
import { safeText } from "../../provider/errors";
import { type Send, openPool } from "../../provider/http/send";
import { hashOf } from "../../provider/run/creation-records";
import { OwnFolder, sayOnce, stateFolder } from "../../provider/run/files";
import { type Service, openService } from "../../provider/run/service";
import type { Clock } from "../../provider/time";
import { connectionOf, nothingIsCreated } from "../connection";
import type { Io } from "../io";
import { Misuse } from "../outcome";
import { serveOn } from "../serve";
import { Alerts, type Webhook, deliver, webhookOf } from "./alerts";
import { type Seen, keyOf } from "./changes";
import { type Listener, type Looks, Monitor, looksAt } from "./monitor";
import { SinceFile } from "./changes";
import { type Address, Turn, type WatchOptions, counts, lineOf } from "./watch";

/** The most requests per second: a part for the lists, the rest for the connections. Neither waits for the other. */
const requestsPerSecond = 5;
const partOfLists = 0.2;

/** The pause between two reads of the lists. */
export const listPauseMs = 10_000;

/** While the service is maintained, a connection is DOWN for a short time. */
const downAfterMs = 5 * 60_000;

/** Serves metrics and sends alerts until Ctrl-C, SIGTERM or the end of `--for`. @throws FrontdoorError if the service refuses, Misuse. */
export async function watchAsService(io: Io, options: WatchOptions): Promise<void> {
  const { serve: address, webhook: text, for: longestMs, json } = options;
  if (json)
    throw new Misuse(
      "--json prints one document at the end, so it excludes --serve and --webhook. Omit --json. [options-conflict]",
    );
  const { env, clock, say } = io;
  const { config, frontdoorId } = await connectionOf(io, options);
  const webhook = text === undefined ? undefined : webhookOf(text, env);
  const ending = new AbortController();
  let taker: number | undefined;
  const opened =
    webhook &&
    openAlerts(io, { config, frontdoorId, webhook, downMs: options.downAfter ?? downAfterMs }, (pid) => {
      taker = pid;
      ending.abort();
    });
  const alerts = opened?.alerts;
  const requests = new RequestCounts();
  const services: Service[] = [];
  const open = (part: Config) => {
    const { send, close } = openPool(part.requestTimeoutMs);
    const transport = { send: requests.counting(send), close };
    const service = openService({ config: part, clock, transport, records: nothingIsCreated, say });
    services.push(service);
    return service;
  };
  const pool = openPool(config.requestTimeoutMs);
  try {
    const looks = pacedLooks(config, frontdoorId, open);
    io.redactBy((words) => services.reduce((before, service) => service.redacted(before), words));
    const sinceFile = new SinceFile(new OwnFolder(stateFolder(env), "watch"), config.baseUrl, frontdoorId);
    const warn = sayOnce(say);
    const keepSince = () => {
      try {
        sinceFile.write(monitor.since, clock.wall());
      } catch (error) {
        const reason = safeText((error as Error).message, 200);
        warn(`frontdoor: the file of connections cannot be written (${reason}). ${otherFolder}`);
      }
    };
    const listener = listenerOf(io, { alerts, signal: ending.signal, keepSince });
    const monitor = new Monitor(
      looks,
      clock,
      listener,
      () => listPauseMs,
      () => sinceFile.read(clock.wall()),
    );
    // A wrong token or address ends the command here, with its exit code.
    await monitor.readLists();
    say(`front door ${frontdoorId}: ${counts(monitor.seen)}`);
    const stopped = io.untilStopped();
    addMetrics(requests.registry, monitor, clock, alerts);
    const stop = address && (await serveMetrics(io, requests.registry, address));
    const { signal } = ending;
    const parts = { send: pool.send, clock, say, signal };
    const work = Promise.all([monitor.follow(signal), alerts && webhook && deliver(alerts, webhook, parts)]);
    await Promise.race([
      work,
      stopped,
      once(signal, "abort"),
      ...(longestMs === undefined ? [] : [clock.sleep(longestMs, signal)]),
    ]);
    ending.abort();
    stop?.();
    for (const service of services) service.stop();
    // A delivery that is under way ends, so that the next run does not repeat it.
    await work;
    if (taker !== undefined) throw alreadyRuns(taker);
  } finally {
    ending.abort();
    opened?.end();
    await Promise.all([pool.close(), ...services.map((service) => service.close())]);
  }
}

/** Returns reads of one front door that stay within the most requests per second, together. */
export function pacedLooks(config: Config, frontdoorId: string, open: (config: Config) => Service): Looks {
  const most = Math.min(requestsPerSecond, config.requestsPerSecond);
  const part = (of: number) => open({ ...config, requestsPerSecond: most * of });
  return looksAt(part(partOfLists), part(1 - partOfLists), frontdoorId);
}

const otherFolder =
  "The dashboard then says `since at least`. Set FRONTDOOR_STATE_DIR to another folder. [watch-state-unusable]";

interface Watching {
  alerts: Alerts | undefined;
  signal: AbortSignal;
  keepSince: () => void;
}

function listenerOf({ print, say }: Io, { alerts, signal, keepSince }: Watching): Listener {
  const isFailing = { lists: false, connections: false };
  return {
    changed: (change) => {
      print(`${lineOf(change)}\n`);
    },
    listed: (seen, isWhole) => {
      alerts?.listed(seen, isWhole);
      keepSince();
    },
    connected: (connection) => alerts?.connected(connection),
    read(what, error) {
      // The end of the command stops the reads that are under way.
      if (signal.aborted) return;
      if (error !== undefined && !isFailing[what]) say(`frontdoor: ${(error as Error).message}`);
      if (error === undefined && isFailing[what]) say(`frontdoor: Frontdoor answers again (${what}).`);
      isFailing[what] = error !== undefined;
    },
  };
}

const alreadyRuns = (pid: number) =>
  new Misuse(
    `process ${pid} already sends the alerts of this front door to this webhook. This command sends none. End that process, or omit --webhook. [watch-running]`,
  );

interface Alerting {
  config: Config;
  frontdoorId: string;
  webhook: Webhook;
  downMs: number;
}

/**
 * Opens the alerts with their file in the state folder (mode 0600): one for each service, front door and receiver, and one process at a
 * time. @throws Misuse.
 */
function openAlerts(
  { env, clock, say }: Io,
  { config: { baseUrl }, frontdoorId, webhook: { url }, downMs }: Alerting,
  lost: (pid: number) => void,
): { alerts: Alerts; end: () => void } {
  const folder = new OwnFolder(stateFolder(env), "watch");
  const name = hashOf([baseUrl, frontdoorId, url]);
  const file = `${name}.json`;
  const unusable = (error: unknown) =>
    `the file ${file} of alerts in ${folder.path} cannot be used (${safeText((error as Error).message, 200)}). Set FRONTDOOR_STATE_DIR to another folder. [watch-state-unusable]`;
  const warn = sayOnce(say);
  const write = (text: string) => {
    try {
      folder.write(file, text);
    } catch (error) {
      warn(`frontdoor: ${unusable(error)}`);
    }
  };
  const turn = new Turn(folder, `${name}.turn`, clock);
  try {
    const pid = turn.take(lost);
    if (pid !== undefined) throw alreadyRuns(pid);
    const alerts = new Alerts(frontdoorId, { read: () => folder.read(file), write }, () => clock.wall(), downMs);
    return {
      alerts,
      end: () => {
        turn.end();
      },
    };
  } catch (error) {
    turn.end();
    if (error instanceof Misuse) throw error;
    throw new Misuse(unusable(error));
  }
}

/** Serves `/metrics`. Returns a function that ends it. @throws Misuse if the port is in use. */
async function serveMetrics({ say }: Io, registry: Registry, { host, port }: Address): Promise<() => void> {
  const app = new Hono()
    .use(refuseOtherPages(host))
    .get("/metrics", async (c) => c.text(await registry.metrics(), 200, { "content-type": registry.contentType }));
  const { port: used, stop } = await serveOn(app.fetch, { host, port, option: "--serve" });
  say(`metrics: http://${isIPv6(host) ? `[${host}]` : host}:${used}/metrics`);
  return stop;
}

const isLoopback = (host: string) => host === "localhost" || host === "::1" || host.startsWith("127.");

/**
 * Refuses requests that another web page sends, and on a loopback address also those that name another host: a page can lead a name of
 * its own to this machine. On other addresses any name can be right. The emulator has its own check, because it shares no code with this package.
 */
export function refuseOtherPages(host: string): MiddlewareHandler {
  const own = isIP(host) === 0 ? [host, "127.0.0.1", "[::1]"] : ["localhost", isIPv6(host) ? `[${host}]` : host];
  return async (c, next) => {
    const { hostname, origin } = new URL(c.req.url);
    const from = c.req.header("origin");
    const site = c.req.header("sec-fetch-site");
    const isOwn =
      (from === undefined || from === origin) && (site === undefined || ["same-origin", "none"].includes(site));
    if (!isOwn || (isLoopback(host) && !own.includes(hostname))) return c.text("Not for other pages", 403);
    return next();
  };
}

/** Counts the requests of the command. */
export class RequestCounts {
  readonly registry = new Registry();
  private readonly requests = new Counter({
    name: "frontdoor_requests_total",
    help: "Requests to Frontdoor.",
    registers: [this.registry],
  });
  private readonly errors = new Counter({
    name: "frontdoor_request_errors_total",
    help: "Requests without a response (status none), or with a status of 300 or more.",
    labelNames: ["status"],
    registers: [this.registry],
  });

  /** Returns a sender that counts. */
  counting(send: Send): Send {
    return async (request) => {
      this.requests.inc();
      try {
        const answer = await send(request);
        if (answer.status >= 300) this.errors.inc({ status: answer.status });
        return answer;
      } catch (error) {
        this.errors.inc({ status: "none" });
        throw error;
      }
    };
  }
}

const labelsOf = ({ kind, id, name }: Seen) => ({ kind, id, name: safeText(name, 80) });

type Rows = [labels: Record<string, string>, value: number][];

/** Adds the metrics of the tunnels and shares, as they are at each scrape. */
export function addMetrics(
  registry: Registry,
  monitor: Monitor,
  clock: Clock,
  alerts: Pick<Alerts, "queue"> | undefined,
): void {
  const gauge = (name: string, help: string, labelNames: string[], rows: () => Rows) =>
    new Gauge({
      ...{ name, help, labelNames, registers: [registry] },
      collect() {
        this.reset();
        for (const [labels, value] of rows()) this.set(labels, value);
      },
    });
  const resource = ["kind", "id", "name"];
  const secondsSince = (ms: number) => (clock.now() - ms) / 1000;
  const connections = () => [...monitor.connections.values()].filter(({ status }) => status !== undefined);

  gauge("frontdoor_status", "1 for the present status of a tunnel or share.", [...resource, "status"], () =>
    monitor.seen.map((each) => [{ ...labelsOf(each), status: safeText(each.status, 30) }, 1]),
  );
  gauge(
    "frontdoor_status_age_seconds",
    "Time since the command first saw the present status of a tunnel or share.",
    resource,
    () => monitor.seen.map((each) => [labelsOf(each), secondsSince(each.sinceMs)]),
  );
  gauge(
    "frontdoor_deploy_seconds",
    "Last time from NEW to DEPLOYED that the command saw. It is accurate to the pause between two lists.",
    resource,
    () =>
      monitor.seen.flatMap((each) => {
        const seconds = monitor.deploySeconds.get(keyOf(each));
        return seconds === undefined ? [] : [[labelsOf(each), seconds] as [Record<string, string>, number]];
      }),
  );
  gauge("frontdoor_connection_up", "1 if the connection of a tunnel is UP, 0 if it is DOWN.", resource, () =>
    connections().map(({ tunnel, status }) => [labelsOf(tunnel), status === "UP" ? 1 : 0]),
  );
  gauge(
    "frontdoor_connection_age_seconds",
    "Time for which the connection of a tunnel has been UP or DOWN, as far as the command and its last run saw.",
    resource,
    () =>
      connections().map(({ tunnel, since }) => [
        labelsOf(tunnel),
        Math.max(0, clock.wall() - (since?.sinceMs ?? clock.wall())) / 1000,
      ]),
  );
  gauge("frontdoor_connection_read_timestamp_seconds", "Time of the last read of a connection.", resource, () =>
    connections().map(({ tunnel, readAtMs }) => [labelsOf(tunnel), readAtMs / 1000]),
  );
  gauge("frontdoor_list_timestamp_seconds", "Time of the last read of the lists.", [], () =>
    monitor.listedAtMs === undefined ? [] : [[{}, monitor.listedAtMs / 1000]],
  );
  if (alerts)
    gauge("frontdoor_alerts_waiting", "Alerts that the webhook has not taken yet.", [], () => [
      [{}, alerts.queue.length],
    ]);
}
