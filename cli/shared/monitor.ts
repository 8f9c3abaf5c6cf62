import type { Listed } from "../../provider/api/lists";
import type { Named } from "../../provider/api/wire";
import { isConflict, isRefused, isUnknownPath, safeText } from "../../provider/errors";
import type { TunnelConfigResult } from "../../provider/functions/args";
import { readsOf } from "../../provider/functions/functions";
import type { Service } from "../../provider/run/service";
import { isUp } from "../../provider/resources/tunnel-connection";
import type { Clock } from "../../provider/time";

export interface ResourceStatus {
  kind: "tunnel" | "share";
  id: string;
  name: string;
  status: string;
  /** The time when a poll first showed this status, in milliseconds of a clock that only grows. */
  sinceMs: number;
}

export interface Change {
  at: string;
  kind: ResourceStatus["kind"];
  id: string;
  name: string;
  /** Undefined for a new resource. */
  from: string | undefined;
  to: string;
  /** The time for which the polls showed the previous status. */
  afterSeconds: number;
}

/** Stands for the status of a resource that the lists no longer show. */
export const gone = "gone";

/** Returns the changes from one poll to the next. An unchanged resource keeps its `sinceMs`. */
export function changesBetween(
  clock: Clock,
  before: ResourceStatus[],
  after: ResourceStatus[],
): { changes: Change[]; now: ResourceStatus[] } {
  const known = new Map(before.map((each) => [keyOf(each), each]));
  const polledMs = after[0]?.sinceMs ?? clock.now();
  const at = new Date(clock.wall()).toISOString();
  const changes: Change[] = [];
  const addChange = (each: ResourceStatus, old: ResourceStatus | undefined) => {
    const { kind, id, name, status } = each;
    const afterSeconds = old ? Math.round((polledMs - old.sinceMs) / 1000) : 0;
    changes.push({ at, kind, id, name, from: old?.status, to: status, afterSeconds });
  };
  const now = after.map((each) => {
    const old = known.get(keyOf(each));
    known.delete(keyOf(each));
    if (old?.status === each.status) return old;
    addChange(each, old);
    return each;
  });
  for (const old of known.values()) addChange({ ...old, status: gone }, old);
  return { changes, now };
}

/** Returns a key such as `tunnel tnl-1`. */
export const keyOf = ({ kind, id }: Pick<ResourceStatus, "kind" | "id">): string => `${kind} ${id}`;

/** The time since which a connection is UP or DOWN. */
export interface Since {
  status: "UP" | "DOWN";
  /** Wall-clock milliseconds. */
  sinceMs: number;
  /** True if a read just before showed another status. Else the connection has its status for at least so long. */
  isExact: boolean;
}

/** The age at which a connection is read again. */
const connectionMs = 15_000;
/** Connections that are read at once. Each read has a minute, so it begins only once it can be sent. */
export const connectionsAtOnce = 8;
/** A connection can change twice unseen while nobody reads it for longer. */
const freshMs = 5 * 60_000;

/** A tunnel's VPN connection at the last read. */
export interface Connection {
  tunnel: ResourceStatus;
  /** The time of the last read that succeeded, or of the first try while none has. Wall-clock milliseconds. */
  readAtMs: number;
  /** UP if every connection of the tunnel is UP, else DOWN. Undefined if the service names no status, or refuses to. */
  status?: "UP" | "DOWN";
  /** The service's own word for the status, and its message. */
  word: string;
  message: string;
  /** The service's word for the state of the connection. */
  state?: string;
  since?: Since;
  /** The error of the last read, if it failed. */
  trouble?: unknown;
}

/** The parts that learn from the monitor. */
export interface Listener {
  changed?: (change: Change) => void;
  /** Called with the error of a read, or with undefined after a read without an error. */
  read?: (what: "lists" | "connections", error?: unknown) => void;
}

/** Follows the statuses and the connections of one front door. */
export class Monitor {
  seen: ResourceStatus[] = [];
  /** The entries of both lists, as the service shows them. */
  lists: { tunnels: Entry[]; shares: Entry[] } | undefined;
  /** By the tunnel's id. A DEPLOYED tunnel that is missing here was not read yet. */
  readonly connections = new Map<string, Connection>();
  /** The last time to deploy, in seconds, by key. It is known only if the monitor saw the begin and the end. */
  readonly deploySeconds = new Map<string, number>();
  /** The time of the last whole read of the lists. Wall-clock milliseconds. */
  listedAtMs: number | undefined;
  private readonly newSinceMs = new Map<string, number>();
  /** The times at which the reads of connections began, by the tunnel's id. */
  private readonly askedMs = new Map<string, number>();
  private underWay = 0;
  private nextListMs = -Infinity;
  /** The tunnels that have a connection, by id. */
  private deployed = new Map<string, ResourceStatus>();

  constructor(
    private readonly reads: FrontDoorReads,
    private readonly clock: Clock,
    private readonly listener: Listener,
    /** Returns the pause between two reads of the lists, after that many requests; undefined stands for a read that failed. */
    private readonly pauseMs: (pages?: number) => number,
  ) {}

  /** Follows until the signal aborts. It can follow again later, and then reads no list earlier than it would have. */
  async follow(signal: AbortSignal): Promise<void> {
    await Promise.all([this.followLists(signal), this.followConnections(signal)]);
  }

  /** Reads both lists. @throws FrontdoorError. */
  async readLists(): Promise<void> {
    let pages: number | undefined;
    try {
      const [tunnels, shares] = await Promise.all([this.reads.tunnels(), this.reads.shares()]);
      pages = tunnels.pages + shares.pages;
      this.take(tunnels, shares);
    } finally {
      this.nextListMs = this.clock.now() + this.pauseMs(pages);
    }
  }

  private take(tunnels: ListReading, shares: ListReading): void {
    const isFirst = this.lists === undefined;
    this.lists = { tunnels: merged(this.lists?.tunnels, tunnels), shares: merged(this.lists?.shares, shares) };
    const sinceMs = this.clock.now();
    const seenAs =
      (kind: ResourceStatus["kind"]) =>
      ({ id, name, status }: Entry): ResourceStatus => ({ kind, id, name, status, sinceMs });
    const after = [...this.lists.tunnels.map(seenAs("tunnel")), ...this.lists.shares.map(seenAs("share"))];
    const { changes, now } = changesBetween(this.clock, this.seen, after);
    this.seen = now;
    for (const change of isFirst ? [] : changes) this.note(change);
    this.deployed = new Map(now.filter(isDeployed).map((tunnel) => [tunnel.id, tunnel]));
    for (const id of [...this.askedMs.keys()]) if (!this.deployed.has(id)) this.forget(id);
    this.listedAtMs = this.clock.wall();
  }

  private async followLists(signal: AbortSignal): Promise<void> {
    for (;;) {
      await this.clock.sleep(this.nextListMs - this.clock.now(), signal);
      if (signal.aborted) return;
      await this.tried("lists", () => this.readLists());
    }
  }

  private async followConnections(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const next = this.underWay < connectionsAtOnce ? this.nextTunnel() : undefined;
      if (next) void this.tried("connections", () => this.readConnection(next));
      else await this.clock.sleep(500, signal);
    }
  }

  private async tried(what: "lists" | "connections", read: () => Promise<void>): Promise<void> {
    try {
      await read();
      this.listener.read?.(what);
    } catch (error) {
      this.listener.read?.(what, error);
    }
  }

  /** Returns the tunnel whose connection was read the longest ago, if that is long enough. */
  private nextTunnel(): ResourceStatus | undefined {
    const dueMs = this.clock.now() - connectionMs;
    let next: { tunnel: ResourceStatus; askedMs: number } | undefined;
    for (const [id, tunnel] of this.deployed) {
      const askedMs = this.askedMs.get(id) ?? -Infinity;
      if (askedMs <= dueMs && askedMs < (next?.askedMs ?? Infinity)) next = { tunnel, askedMs };
    }
    return next?.tunnel;
  }

  private async readConnection({ id, name }: ResourceStatus): Promise<void> {
    this.askedMs.set(id, this.clock.now());
    this.underWay += 1;
    try {
      const config = await this.reads.connection(id);
      const before = this.connections.get(id);
      const tunnel = this.deployed.get(id);
      if (!tunnel) return;
      const nowMs = this.clock.wall();
      const connection: Connection = { tunnel, readAtMs: nowMs, ...stateOf(config) };
      this.connections.set(id, connection);
      const { status } = connection;
      if (!status) return;
      // What nobody has read for long can have changed twice.
      const last = before && Math.abs(nowMs - before.readAtMs) < freshMs ? before.since : undefined;
      const isChange = last !== undefined && last.status !== status;
      connection.since = last && !isChange ? last : { status, sinceMs: nowMs, isExact: isChange };
      if (before?.since && before.status !== status) {
        const afterSeconds = Math.max(0, Math.round((nowMs - before.since.sinceMs) / 1000));
        const at = new Date(nowMs).toISOString();
        this.listener.changed?.({ at, kind: "tunnel", id, name, from: before.status, to: status, afterSeconds });
      }
    } catch (error) {
      const [tunnel, before] = [this.deployed.get(id), this.connections.get(id)];
      const hasNone = isWithoutConnection(error);
      const { readAtMs = this.clock.wall() } = before ?? {};
      const known = hasNone || !before ? { readAtMs, word: "", message: "" } : before;
      if (tunnel) this.connections.set(id, { ...known, tunnel, trouble: error });
      if (!hasNone) throw error;
    } finally {
      this.underWay -= 1;
    }
  }

  private forget(id: string): void {
    this.connections.delete(id);
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
    this.listener.changed?.(change);
  }
}

const isDeployed = ({ kind, status }: ResourceStatus) => kind === "tunnel" && status === "DEPLOYED";

/** True if the refusal can mean that the tunnel has no connection, because it has left DEPLOYED since it was listed. */
export const isWithoutConnection = (error: unknown): boolean =>
  isConflict(error) || isRefused(error, 404, 422) || isUnknownPath(error);

/** Returns what the service says of a connection, by the first that is not UP. */
export function stateOf({
  state,
  tunnels,
}: TunnelConfigResult): Pick<Connection, "status" | "word" | "message" | "state"> {
  const known = tunnels.filter(({ status = "" }) => status.trim() !== "");
  const { status: word = "", statusMessage = "" } = known.find((entry) => !isUp(entry)) ?? known[0] ?? {};
  return {
    ...(word !== "" && { status: isUp({ status: word }) ? ("UP" as const) : ("DOWN" as const) }),
    word,
    message: safeText(statusMessage),
    ...(state !== undefined && { state }),
  };
}

/** An entry of a list: the service's known fields, and its front door. */
export type Entry = Named & { frontdoorId: string };

/** The result of one read of a list. */
export interface ListReading {
  entries: Entry[];
  /** False if entries can have moved between its pages. */
  isWhole: boolean;
  /** The number of requests. */
  pages: number;
}

/** Returns the entries of a list. If the list can lack entries, the previous entries stay. */
function merged(before: Entry[] = [], { entries, isWhole }: ListReading): Entry[] {
  if (isWhole) return entries;
  const ids = new Set(entries.map(({ id }) => id));
  return [...entries, ...before.filter(({ id }) => !ids.has(id))];
}

/** The reads of the monitor. There are no writes. */
export interface FrontDoorReads {
  tunnels: () => Promise<ListReading>;
  shares: () => Promise<ListReading>;
  connection: (id: string) => Promise<TunnelConfigResult>;
}

const listSeconds = 600;

/**
 * Returns reads of one front door by two services with a rate limiter each, so that neither lists nor connections wait for the other.
 * With `isPoll` no list is retried, because the next read sends the request again.
 */
export function pollsOf(
  lists: Service,
  connections: Service,
  frontdoorId: string,
  options: { isPoll?: true } = {},
): FrontDoorReads {
  const { tunnels, shares } = lists.frontDoor(frontdoorId);
  const { getTunnelConfig } = readsOf(connections);
  const found = ({ entries, odd, isWhole, pagesRead: pages }: Listed<Named>): ListReading => {
    // Entries that the provider cannot read count too.
    const unreadable = odd.map(({ id, name }) => ({ id, name: name ?? id, status: "unreadable" }));
    return { entries: [...entries, ...unreadable].map((entry) => ({ ...entry, frontdoorId })), isWhole, pages };
  };
  return {
    tunnels: async () => found(await tunnels.calls.list([], lists.until(listSeconds), options)),
    shares: async () => found(await shares.calls.list([], lists.until(listSeconds), options)),
    connection: (id) => getTunnelConfig({ id, frontdoorId }),
  };
}
