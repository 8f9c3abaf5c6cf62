import { isIPv6 } from "node:net";
import { Hono } from "hono";
import { Counter, Gauge, Registry } from "prom-client";
import type { Config } from "../../provider/config";
import { safeText } from "../../provider/errors";
import { type Send, openPool } from "../../provider/http/send";
import { type Service, openService } from "../../provider/run/service";
import type { Clock } from "../../provider/time";
import { configuredFrontDoor, nothingIsCreated } from "../shared/configuration";
import type { Io } from "../shared/io";
import { version } from "../shared/node-version";
import { Misuse } from "../shared/outcome";
import { counts } from "../shared/connections";
import { refuseOtherPages, serveOn } from "../shared/serve";
import { type FrontDoorReads, keyOf, type Listener, Monitor, pollsOf, type ResourceStatus } from "../shared/monitor";
import { type Address, type WatchOptions, lineOf } from "./watch";

/** The most requests per second: a part for the lists, the rest for the connections. Neither waits for the other. */
const requestsPerSecond = 5;
const partOfLists = 0.2;

/** The pause between two reads of the lists. */
export const listPauseMs = 10_000;

/** Serves metrics until Ctrl-C, SIGTERM or the end of `--for`. @throws FrontdoorError if the service refuses, Misuse. */
export async function watchAsService(io: Io, { serve: address, ...options }: WatchOptions & { serve: Address }) {
  if (options.json)
    throw new Misuse("--json prints one document at the end, so it excludes --serve. Omit --json. [options-conflict]");
  const { clock, say } = io;
  const { config, frontdoorId } = await configuredFrontDoor(io, options);
  const ending = new AbortController();
  const requests = new RequestCounts();
  const services: Service[] = [];
  const open = (part: Config) => {
    const { send, close } = openPool(part.requestTimeoutMs);
    const transport = { send: requests.counting(send), close };
    const service = openService({ config: part, clock, transport, records: nothingIsCreated, say });
    services.push(service);
    return service;
  };
  try {
    const reads = pacedReads(config, frontdoorId, open);
    io.redactBy((words) => services.reduce((before, service) => service.redacted(before), words));
    const monitor = new Monitor(reads, clock, listenerOf(io, ending.signal), () => listPauseMs);
    // A wrong token or address ends the command here, with its exit code.
    await monitor.readLists();
    say(`front door ${frontdoorId}: ${counts(monitor.seen)}`);
    const stopped = io.untilStopped();
    addMetrics(requests.registry, monitor, clock);
    const stop = await serveMetrics(io, requests.registry, address);
    const { signal } = ending;
    const following = monitor.follow(signal);
    await Promise.race([following, stopped, ...(options.for === undefined ? [] : [clock.sleep(options.for, signal)])]);
    ending.abort();
    stop();
    for (const service of services) service.stop();
    await following;
  } finally {
    ending.abort();
    await Promise.all(services.map((service) => service.close()));
  }
}

/** Returns reads of one front door that stay within the most requests per second, together. */
export function pacedReads(config: Config, frontdoorId: string, open: (config: Config) => Service): FrontDoorReads {
  const most = Math.min(requestsPerSecond, config.requestsPerSecond);
  const part = (of: number) => open({ ...config, requestsPerSecond: most * of });
  return pollsOf(part(partOfLists), part(1 - partOfLists), frontdoorId);
}

/** Prints each change, and each time at which the reads begin to fail or succeed again. */
function listenerOf({ print, say }: Io, signal: AbortSignal): Listener {
  const isFailing = { lists: false, connections: false };
  return {
    changed: (change) => {
      print(`${lineOf(change)}\n`);
    },
    read(what, error) {
      // The end of the command stops the reads that are under way.
      if (signal.aborted) return;
      if (error !== undefined && !isFailing[what]) say(`frontdoor: ${(error as Error).message}`);
      if (error === undefined && isFailing[what]) say(`frontdoor: Frontdoor answers again (${what}).`);
      isFailing[what] = error !== undefined;
    },
  };
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

const labelsOf = ({ kind, id }: ResourceStatus) => ({ kind, id });

type Rows = [labels: Record<string, string>, value: number][];

/**
 * Adds the metrics of the tunnels and shares, as they are at each scrape. Only `frontdoor_resource_info` has names: a renamed resource keeps
 * its other series.
 */
export function addMetrics(registry: Registry, monitor: Monitor, clock: Clock): void {
  const gauge = (name: string, help: string, labelNames: string[], rows: () => Rows) =>
    new Gauge({
      name,
      help,
      labelNames,
      registers: [registry],
      collect() {
        this.reset();
        for (const [labels, value] of rows()) this.set(labels, value);
      },
    });
  const resource = ["kind", "id"];
  /** The time of a moment of the clock that only grows. */
  const timestamp = (ms: number) => Math.round((clock.wall() - clock.now() + ms) / 1000);
  const connections = () => [...monitor.connections.values()];
  const withStatus = () => connections().filter(({ status }) => status !== undefined);

  gauge("frontdoor_build_info", "1 for the version of the command.", ["version"], () => [[{ version }, 1]]);
  gauge("frontdoor_resource_info", "1 for the present name of a tunnel or share.", [...resource, "name"], () =>
    monitor.seen.map((each) => [{ ...labelsOf(each), name: safeText(each.name, 80) }, 1]),
  );
  gauge("frontdoor_status", "1 for the present status of a tunnel or share.", [...resource, "status"], () =>
    monitor.seen.map((each) => [{ ...labelsOf(each), status: safeText(each.status, 30) }, 1]),
  );
  gauge(
    "frontdoor_status_since_timestamp_seconds",
    "Time at which the command first saw the present status of a tunnel or share.",
    resource,
    () => monitor.seen.map((each) => [labelsOf(each), timestamp(each.sinceMs)]),
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
    withStatus().map(({ tunnel, status }) => [labelsOf(tunnel), status === "UP" ? 1 : 0]),
  );
  gauge(
    "frontdoor_connection_since_timestamp_seconds",
    "Time since which the connection of a tunnel has been UP or DOWN, as far as the command saw.",
    resource,
    () => withStatus().flatMap(({ tunnel, since }) => (since ? [[labelsOf(tunnel), since.sinceMs / 1000]] : [])),
  );
  gauge(
    "frontdoor_connection_read_timestamp_seconds",
    "Time of the last read of a connection, or of the first try if none has succeeded.",
    resource,
    () => connections().map(({ tunnel, readAtMs }) => [labelsOf(tunnel), readAtMs / 1000]),
  );
  gauge("frontdoor_list_timestamp_seconds", "Time of the last read of the lists.", [], () =>
    monitor.listedAtMs === undefined ? [] : [[{}, monitor.listedAtMs / 1000]],
  );
}
