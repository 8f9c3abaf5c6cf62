import { isConflict, isRefused, safeText } from "../../provider/errors";
import type { TunnelConfigResult } from "../../provider/functions/args";
import { isUp } from "../../provider/waiting/acceptors";
import type { Clock } from "../../provider/time";
import { merged } from "../dashboard/live";
import { decidingEntry, type Entry, type Looks } from "../dashboard/live";
import { type Change, changesBetween, gone, keyOf, type Seen } from "./changes";
import { type Since, sinceOf } from "./since";

/** The pause between two reads of the lists. */
const listPauseMs = 10_000;
/** The age at which a connection is read again. */
const connectionMs = 15_000;
const connectionsAtOnce = 8;

/** A tunnel's VPN connection at the last read. */
export interface Connection {
  tunnel: Seen;
  status: "UP" | "DOWN";
  /** The service's words on the status. */
  message: string;
  /** The time of the first read that showed this status. */
  sinceMs: number;
  /** The time of the last read. Wall-clock milliseconds. */
  readAtMs: number;
}

/** The parts that learn from the monitor. */
export interface Listener {
  changed: (change: Change) => void;
  /** Called after each read of the lists. `isWhole` is false if the lists can lack entries. */
  listed: (seen: Seen[], isWhole: boolean) => void;
  /** Called after each read of a connection. */
  connected: (connection: Connection) => void;
  /** Called with the error of a read, or with undefined after a read without an error. */
  read: (what: "lists" | "connections", error?: unknown) => void;
}

/** Follows the statuses and the connections of one front door. */
export class Monitor {
  seen: Seen[] = [];
  /** By the tunnel's id; without tunnels whose connection is not known. */
  readonly connections = new Map<string, Connection>();
  /** Since when connections are UP or DOWN, by the tunnel's id. It begins with what an earlier run kept. */
  readonly since: Map<string, Since>;
  /** The last time to deploy, in seconds, by key. It is known only if the monitor saw the begin and the end. */
  readonly deploySeconds = new Map<string, number>();
  /** The time of the last whole read of the lists. Wall-clock milliseconds. */
  listedAtMs: number | undefined;
  private readonly newSinceMs = new Map<string, number>();
  /** The times at which the reads of connections began, by the tunnel's id. */
  private readonly askedMs = new Map<string, number>();
  private underWay = 0;
  /** The tunnels that have a connection, by id. */
  private deployed = new Map<string, Seen>();
  private lists: { tunnels: Entry[]; shares: Entry[] } | undefined;

  constructor(
    private readonly looks: Looks,
    private readonly clock: Clock,
    private readonly listener: Listener,
    kept: ReadonlyMap<string, Since> = new Map(),
  ) {
    this.since = new Map(kept);
  }

  /** Follows until the signal aborts. */
  async follow(signal: AbortSignal): Promise<void> {
    await Promise.all([this.followLists(signal), this.followConnections(signal)]);
  }

  /** Reads both lists. @throws FrontdoorError. */
  async readLists(): Promise<void> {
    const [tunnels, shares] = await Promise.all([this.looks.tunnels(), this.looks.shares()]);
    const isFirst = this.lists === undefined;
    this.lists = { tunnels: merged(this.lists?.tunnels, tunnels), shares: merged(this.lists?.shares, shares) };
    const sinceMs = this.clock.now();
    const seenAs =
      (kind: Seen["kind"]) =>
      ({ id, name, status }: Entry): Seen => ({ kind, id, name, status, sinceMs });
    const after = [...this.lists.tunnels.map(seenAs("tunnel")), ...this.lists.shares.map(seenAs("share"))];
    const { changes, now } = changesBetween(this.seen, after);
    this.seen = now;
    for (const change of isFirst ? [] : changes) this.note(change);
    this.deployed = new Map(now.filter(isDeployed).map((tunnel) => [tunnel.id, tunnel]));
    for (const id of [...this.askedMs.keys(), ...this.since.keys()]) if (!this.deployed.has(id)) this.forget(id);
    this.listedAtMs = this.clock.wall();
    this.listener.listed(now, tunnels.isWhole && shares.isWhole);
  }

  private async followLists(signal: AbortSignal): Promise<void> {
    for (;;) {
      await this.clock.sleep(listPauseMs, signal);
      if (signal.aborted) return;
      await this.tried("lists", () => this.readLists());
    }
  }

  private async followConnections(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const next = this.underWay < connectionsAtOnce ? this.nextTunnel() : undefined;
      if (next) void this.tried("connections", () => this.readConnection(next));
      else await this.clock.sleep(1000, signal);
    }
  }

  private async tried(what: "lists" | "connections", read: () => Promise<void>): Promise<void> {
    try {
      await read();
      this.listener.read(what);
    } catch (error) {
      this.listener.read(what, error);
    }
  }

  /** Returns the tunnel whose connection was read the longest ago, if that is long enough. */
  private nextTunnel(): Seen | undefined {
    const dueMs = this.clock.now() - connectionMs;
    let next: { tunnel: Seen; askedMs: number } | undefined;
    for (const [id, tunnel] of this.deployed) {
      const askedMs = this.askedMs.get(id) ?? -Infinity;
      if (askedMs <= dueMs && askedMs < (next?.askedMs ?? Infinity)) next = { tunnel, askedMs };
    }
    return next?.tunnel;
  }

  private async readConnection({ id, name }: Seen): Promise<void> {
    this.askedMs.set(id, this.clock.now());
    this.underWay += 1;
    try {
      const found = stateOf(await this.looks.connection(id));
      const tunnel = this.deployed.get(id);
      if (!tunnel) return;
      const before = this.connections.get(id);
      if (!found) {
        this.connections.delete(id);
        this.since.delete(id);
        return;
      }
      const sinceMs = before?.status === found.status ? before.sinceMs : this.clock.now();
      const connection = { ...found, tunnel, sinceMs, readAtMs: this.clock.wall() };
      this.connections.set(id, connection);
      const last = this.since.get(id);
      // Without a read in this run, a change can be up to five minutes old.
      const [own, kept] = before ? [last, undefined] : [undefined, last];
      this.since.set(id, sinceOf(found.status, own, kept, this.clock.wall()));
      if (before && before.status !== found.status) {
        const afterSeconds = Math.round((this.clock.now() - before.sinceMs) / 1000);
        const at = new Date(this.clock.wall()).toISOString();
        this.listener.changed({ at, kind: "tunnel", id, name, from: before.status, to: found.status, afterSeconds });
      }
      this.listener.connected(connection);
    } catch (error) {
      // It was DEPLOYED a moment ago.
      if (!isConflict(error) && !isRefused(error, 404, 422)) throw error;
      this.connections.delete(id);
      this.since.delete(id);
    } finally {
      this.underWay -= 1;
    }
  }

  private forget(id: string): void {
    this.connections.delete(id);
    this.since.delete(id);
    this.askedMs.delete(id);
  }

  private note(change: Change): void {
    const key = keyOf(change);
    const sinceMs = this.newSinceMs.get(key);
    this.newSinceMs.delete(key);
    if (change.to === "NEW") this.newSinceMs.set(key, this.clock.now());
    if (change.to === "DEPLOYED" && sinceMs !== undefined)
      this.deploySeconds.set(key, (this.clock.now() - sinceMs) / 1000);
    if (change.to === gone) this.deploySeconds.delete(key);
    this.listener.changed(change);
  }
}

const isDeployed = ({ kind, status }: Seen) => kind === "tunnel" && status === "DEPLOYED";

/** Returns UP if every connection is UP, else DOWN; undefined if the service names no status. */
function stateOf(config: TunnelConfigResult): Pick<Connection, "status" | "message"> | undefined {
  const { status = "", statusMessage = "" } = decidingEntry(config) ?? {};
  if (status.trim() === "") return undefined;
  return { status: isUp({ status }) ? "UP" : "DOWN", message: safeText(statusMessage) };
}
