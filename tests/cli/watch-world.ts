import { listPauseMs, pacedReads } from "../../cli/watch/metrics-server";
import { type Change, type Listener, Monitor } from "../../cli/shared/monitor";
import { checkConfig, type Config } from "../../provider/config";
import { settingsIn } from "../../provider/credentials";
import { FrontdoorError } from "../../provider/errors";
import type { Received, Send } from "../../provider/http/send";
import { openService, type Service } from "../../provider/run/service";
import { VirtualClock } from "../harness/virtual-clock";

export interface Resource {
  status: string;
  connection?: "UP" | "DOWN";
  statusMessage?: string;
  /** Each read of the connection is refused with this status. */
  refusal?: number;
}

/** Returns `count` resources with ids such as `tnl-1`. */
export const many = (prefix: string, count: number, resource: Resource): [string, Resource][] =>
  Array.from({ length: count }, (_, index) => [`${prefix}-${index + 1}`, { ...resource }]);

export const configured = (): Config => {
  const given: Record<string, string> = { baseUrl: "https://a.example/frontdoor", frontdoorId: "fd-1", token: "t" };
  const checked = checkConfig(settingsIn(Object.keys(given), (key) => given[key], String));
  if ("problems" in checked) throw new Error("The settings of the test are wrong");
  return checked.config;
};

const answer = (body: object, status = 200): Received => ({ status, headers: {}, text: JSON.stringify(body) });

/** A front door and the watch on it, in simulated time. */
export class World {
  readonly clock = new VirtualClock(() => undefined);
  readonly tunnels = new Map<string, Resource>();
  readonly shares = new Map<string, Resource>();
  /** The time of an answer, and the part of the requests that are lost. */
  roundTripMs = () => 50;
  lostPart = 0;
  /** The times at which requests arrived. */
  readonly askedMs: number[] = [];
  /** The number of reads of the tunnels' list. */
  lists = 0;
  /** The number of reads of a sample configuration. */
  samples = 0;
  readonly changes: (Change & { atMs: number })[] = [];
  readonly said: string[] = [];
  readonly errors: unknown[] = [];
  private ending = new AbortController();

  /** Answers as the service does. */
  private readonly send: Send = async ({ url }) => {
    this.askedMs.push(this.clock.now());
    await this.clock.sleep(this.roundTripMs());
    if (this.clock.random() < this.lostPart)
      throw new FrontdoorError("GET: lost. [connection-lost]", { kind: "unreachable", mayHaveRun: true });
    const { pathname, searchParams } = new URL(url);
    if (pathname.endsWith("/sample-config")) {
      this.samples += 1;
      return answer({}, 403);
    }
    const [, kind = "", id] = /\/(ipsec-\w+)(?:\/([\w-]+)\/tunnel-config)?$/.exec(pathname) ?? [];
    if (id !== undefined) return this.connection(id);
    const all = [...(kind === "ipsec-tunnels" ? this.tunnels : this.shares)];
    const [page, size] = [Number(searchParams.get("page")), Number(searchParams.get("size"))];
    if (kind === "ipsec-tunnels" && page === 0) this.lists += 1;
    const rows = all.slice(page * size, (page + 1) * size);
    const content = rows.map(([rowId, { status }]) => ({ ...fieldsOf(kind), id: rowId, name: rowId, status }));
    return answer({ content, totalElements: all.length, totalPages: Math.ceil(all.length / size) });
  };

  private connection(id: string): Received {
    const { status, connection, statusMessage = "the service's words", refusal } = this.tunnels.get(id) ?? {};
    if (refusal !== undefined) return answer({ error: "refused", message: "not for you" }, refusal);
    if (status !== "DEPLOYED") return answer({ error: "conflict", message: "not deployed" }, 409);
    return answer({ state: "available", tunnels: [{ status: connection ?? "UP", statusMessage }] });
  }

  /** Opens a service that answers here. */
  readonly open = (config: Config): Service => {
    const transport = { send: this.send, close: () => Promise.resolve() };
    const records = { read: () => [], write: () => undefined, remove: () => undefined };
    return openService({ config, clock: this.clock, transport, records, say: (line) => this.said.push(line) });
  };

  /** Starts the watch, and returns its monitor after the first read. */
  async start(): Promise<Monitor> {
    const listener: Listener = {
      changed: (change) => void this.changes.push({ ...change, atMs: this.clock.now() }),
      read: (_, error) => error !== undefined && this.errors.push(error),
    };
    const monitor = new Monitor(pacedReads(configured(), "fd-1", this.open), this.clock, listener, () => listPauseMs);
    this.ending = new AbortController();
    const { signal } = this.ending;
    await monitor.readLists();
    void monitor.follow(signal);
    return monitor;
  }

  /** Ends the watch. */
  stop(): void {
    this.ending.abort();
  }

  seconds = (seconds: number): Promise<void> => this.clock.sleep(seconds * 1000);

  /** The changes so far, such as `tnl-1 DOWN`. */
  events = (): string[] => this.changes.map(({ id, to }) => `${id} ${to}`);

  set(id: string, resource: Partial<Resource>): void {
    const resources = this.tunnels.has(id) ? this.tunnels : this.shares;
    resources.set(id, { status: "DEPLOYED", ...resources.get(id), ...resource });
  }
}

const fieldsOf = (kind: string) =>
  kind === "ipsec-tunnels"
    ? { frontdoorId: "fd-1", locationId: "loc-1", peerPublicIp: "203.0.113.7", peerCidr: "10.20.0.0/16" }
    : {
        ...{ frontdoorId: "fd-1", ipsecTunnelId: "tnl-1", envZId: "env-1" },
        target: "a.internal:443",
        ingressPort: 443,
      };

/** Adds resources to a map. */
export function fill(map: Map<string, Resource>, rows: [string, Resource][]): void {
  for (const [id, resource] of rows) map.set(id, resource);
}

/** The most requests in any second. */
export function most(times: number[]): number {
  let [first, highest] = [0, 0];
  times.forEach((ms, index) => {
    while (ms - (times[first] ?? 0) >= 1000) first += 1;
    highest = Math.max(highest, index - first + 1);
  });
  return highest;
}
