import type { Listed } from "../../provider/api/lists";
import type { Named } from "../../provider/api/wire";
import { readsOf } from "../../provider/functions/functions";
import type { TunnelConfigResult } from "../../provider/functions/args";
import { isUp } from "../../provider/waiting/acceptors";
import type { Service } from "../../provider/operations/service";
import { FrontdoorError } from "../../provider/errors";
import type { Clock } from "../../provider/time";
import { cleaned } from "../output";
import { type Since, sinceOf } from "../watch/since";

/** The pause for each page of a list. It limits reads to 2.5 a second, for any number of browsers. */
const pausePerPageMs = 400;
const afterTroubleMs = 3_000;
/** The age at which a connection is read again. */
const connectionMs = 15_000;
const connectionsPerLook = 2;

/** A tunnel's VPN connection at the last read. */
interface Connection {
  atMs: number;
  state?: string;
  status?: string;
  statusMessage?: string;
  /** The time since which the connection is UP, or is not. */
  sinceMs?: number;
  /** False if the connection has its status for at least so long. */
  isSinceExact?: boolean;
  trouble?: string;
}

/** What the page says of its front door, and what its commands need. */
interface About {
  title: string;
  address: string;
  frontdoorId?: string;
  /** The options by which this command found the service, for a shell. */
  options?: string;
}

/** The parts of the page. */
interface View {
  about: About;
  tunnels: Entry[];
  shares: Entry[];
  /** By the tunnel's key in the page. */
  connections: Record<string, Connection>;
  /** The last poll. `seenMs` is the time of the last poll that succeeded. */
  look: { atMs: number; seenMs?: number; trouble?: string };
}

/** Polls the service for all watchers, while there are any. */
export class Live {
  private view: Partial<View> = {};
  /** The parts as JSON texts. */
  private readonly texts = new Map<string, string>();
  private watchers = 0;
  private looking: Promise<void> | undefined;
  /** The time of the next poll. It stays when all watchers leave, so a watcher that returns causes no earlier poll. */
  private nextMs = -Infinity;
  private nap = new AbortController();
  private wake: () => void = () => undefined;
  private shown = this.nextShown();
  private readonly since = new Map<string, Since>();

  constructor(
    private readonly looks: Looks,
    private readonly clock: Clock,
    about: About,
    /** Returns what `frontdoor watch` keeps, by the tunnel's id. */
    private readonly kept: () => ReadonlyMap<string, Since> = () => new Map(),
  ) {
    this.show({ about });
  }

  /** Yields all parts as one JSON object, then each changed part. A slow reader gets only the latest texts. */
  async *watch(signal: AbortSignal): AsyncGenerator<string, void> {
    const seen = new Map<string, string>();
    signal.addEventListener("abort", () => {
      this.wakeAll();
    });
    this.watchers += 1;
    this.looking ??= this.lookOn();
    try {
      while (!signal.aborted) {
        const { shown } = this;
        const parts = [...this.texts].filter(([part, text]) => seen.get(part) !== text);
        for (const [part, text] of parts) seen.set(part, text);
        if (parts.length > 0) yield `{${parts.map(([part, text]) => `"${part}":${text}`).join(",")}}`;
        else await shown;
      }
    } finally {
      this.watchers -= 1;
      if (this.watchers === 0) this.nap.abort();
    }
  }

  private async lookOn(): Promise<void> {
    while (this.watchers > 0) {
      this.nap = new AbortController();
      await this.clock.sleep(this.nextMs - this.clock.now(), this.nap.signal);
      if (this.watchers > 0) this.nextMs = this.clock.now() + (await this.look());
    }
    this.looking = undefined;
  }

  /** Polls once. Returns the milliseconds until the next poll. */
  private async look(): Promise<number> {
    try {
      const [tunnels, shares] = await Promise.all([this.looks.tunnels(), this.looks.shares()]);
      this.show({
        tunnels: merged(this.view.tunnels, tunnels),
        shares: merged(this.view.shares, shares),
        look: { atMs: this.clock.wall(), seenMs: this.clock.wall() },
      });
      await this.lookAtConnections();
      return (tunnels.pages + shares.pages) * pausePerPageMs;
    } catch (error) {
      const seenMs = this.view.look?.seenMs;
      const trouble = wordsOf(error);
      this.show({ look: { atMs: this.clock.wall(), ...(seenMs !== undefined && { seenMs }), trouble } });
      return afterTroubleMs;
    }
  }

  /** Reads the connections whose last read is the oldest. */
  private async lookAtConnections(): Promise<void> {
    const deployed = (this.view.tunnels ?? []).filter(({ status }) => status === "DEPLOYED");
    const known = this.view.connections ?? {};
    const atMs = (tunnel: Entry) => known[keyOf(tunnel)]?.atMs ?? -Infinity;
    const due = deployed
      .filter((tunnel) => atMs(tunnel) <= this.clock.wall() - connectionMs)
      .sort((a, b) => atMs(a) - atMs(b))
      .slice(0, connectionsPerLook);
    for (const id of this.since.keys()) if (!deployed.some((tunnel) => tunnel.id === id)) this.since.delete(id);
    const kept: ReadonlyMap<string, Since> = due.length > 0 ? this.kept() : new Map();
    const asked = await Promise.all(
      due.map(async (tunnel) => [keyOf(tunnel), await this.connection(tunnel.id, kept.get(tunnel.id))] as const),
    );
    const still = deployed.map(keyOf).flatMap((key) => (known[key] ? [[key, known[key]] as const] : []));
    this.show({ connections: Object.fromEntries([...still, ...asked]) });
  }

  private async connection(id: string, kept: Since | undefined): Promise<Connection> {
    try {
      const { state, tunnels } = await this.looks.connection(id);
      const { status, statusMessage } = decidingEntry({ tunnels }) ?? {};
      return {
        atMs: this.clock.wall(),
        ...this.sinceOf(id, status, kept),
        ...(state !== undefined && { state }),
        ...(status !== undefined && { status }),
        ...(statusMessage !== undefined && { statusMessage }),
      };
    } catch (error) {
      return { atMs: this.clock.wall(), trouble: wordsOf(error) };
    }
  }

  private sinceOf(id: string, status = "", kept: Since | undefined): Pick<Connection, "sinceMs" | "isSinceExact"> {
    if (status.trim() === "") {
      this.since.delete(id);
      return {};
    }
    const since = sinceOf(isUp({ status }) ? "UP" : "DOWN", this.since.get(id), kept, this.clock.wall());
    this.since.set(id, since);
    return { sinceMs: since.sinceMs, isSinceExact: since.isExact };
  }

  private show(parts: Partial<View>): void {
    this.view = { ...this.view, ...parts };
    for (const [part, value] of Object.entries(parts)) this.texts.set(part, JSON.stringify(cleaned(value)));
    this.wakeAll();
  }

  private wakeAll(): void {
    this.wake();
    this.shown = this.nextShown();
  }

  private nextShown(): Promise<void> {
    return new Promise((resolve) => (this.wake = resolve));
  }
}

/** Returns a key such as `tunnel/fd-1/tnl-1`, as the page spells it. */
const keyOf = ({ frontdoorId, id }: Entry) => `tunnel/${frontdoorId}/${id}`;

/** Returns the entries of a list. If the list can lack entries, the previous entries stay. */
export function merged(before: Entry[] = [], { entries, isWhole }: Found): Entry[] {
  if (isWhole) return entries;
  const ids = new Set(entries.map(({ id }) => id));
  return [...entries, ...before.filter(({ id }) => !ids.has(id))];
}

const wordsOf = (error: unknown) =>
  error instanceof FrontdoorError ? error.message : `The dashboard failed: ${String(error)} [internal-error]`;

/** An entry for the page: the service's known fields, and its front door. */
export type Entry = Named & { frontdoorId: string };

/** The result of one poll of a list. */
export interface Found {
  entries: Entry[];
  /** False if entries can have moved between its pages. */
  isWhole: boolean;
  /** The number of requests. */
  pages: number;
}

/** The reads for the page. There are no writes. */
export interface Looks {
  tunnels: () => Promise<Found>;
  shares: () => Promise<Found>;
  connection: (id: string) => Promise<TunnelConfigResult>;
}

type ConfigEntry = TunnelConfigResult["tunnels"][number];

/** Returns the entry that decides about a tunnel's connection: the first that is not UP, else the first with a status. */
export function decidingEntry({ tunnels }: Pick<TunnelConfigResult, "tunnels">): ConfigEntry | undefined {
  const known = tunnels.filter(({ status = "" }) => status.trim() !== "");
  return known.find((entry) => !isUp(entry)) ?? known[0] ?? tunnels[0];
}

const listSeconds = 600;

/** Reads one front door. By default it never retries a list request, because the next poll sends the request again. */
export function looksAt(service: Service, frontdoorId: string, options: { isPoll?: true } = { isPoll: true }): Looks {
  const { tunnels, shares } = service.frontDoor(frontdoorId);
  const reads = readsOf(service);
  const found = ({ entries, odd, isWhole, pagesRead: pages }: Listed<Named>): Found => {
    // The page also shows entries that the provider cannot read.
    const unreadable = odd.map(({ id, name }) => ({ id, name: name ?? id, status: "unreadable" }));
    return { entries: [...entries, ...unreadable].map((entry) => ({ ...entry, frontdoorId })), isWhole, pages };
  };
  return {
    tunnels: async () => found(await tunnels.calls.list([], service.until(listSeconds), options)),
    shares: async () => found(await shares.calls.list([], service.until(listSeconds), options)),
    connection: (id) => reads.getTunnelConfig({ id, frontdoorId }),
  };
}
