import { FrontdoorError } from "../../provider/errors";
import type { Clock } from "../../provider/time";
import { cleaned } from "../output";
import { type Connection, type Looks, Monitor } from "../watch/monitor";
import type { Since } from "../watch/since";

/** The pause for each request of a read of the lists: at most 2.5 a second, for any number of browsers. */
const pausePerPageMs = 400;
const afterTroubleMs = 3_000;
/** The pause between two looks at what has changed. */
const tickMs = 250;

/** What the page says of its front door, and what its commands need. */
interface About {
  title: string;
  address: string;
  frontdoorId?: string;
  /** The options by which this command found the service, for a shell. */
  options?: string;
}

/** Shows a front door to all watchers, and polls the service while there are any. */
export class Live {
  private readonly monitor: Monitor;
  /** The last read of the lists. `seenMs` is the time of the last one that succeeded. */
  private look: { atMs: number; seenMs?: number; trouble?: string } | undefined;
  /** The parts of the page as JSON texts, which are written again after a change. */
  private readonly texts = new Map<string, string>();
  private readonly changed = new Set<"lists" | "connections">();
  private watchers = 0;
  private following: Promise<void> | undefined;
  private ending = new AbortController();

  constructor(
    looks: Looks,
    private readonly clock: Clock,
    about: About,
    /** Returns what `frontdoor watch` keeps, by the tunnel's id. */
    kept?: () => ReadonlyMap<string, Since>,
  ) {
    this.show("about", about);
    const read = (what: "lists" | "connections", error?: unknown) => {
      this.changed.add(what);
      const [atMs, seenMs] = [clock.wall(), this.monitor.listedAtMs];
      if (what === "lists")
        this.look = {
          atMs,
          ...(seenMs !== undefined && { seenMs }),
          ...(error !== undefined && { trouble: wordsOf(error) }),
        };
    };
    const pauseMs = (pages?: number) => (pages === undefined ? afterTroubleMs : pages * pausePerPageMs);
    this.monitor = new Monitor(looks, clock, { read }, pauseMs, kept);
  }

  /** Yields all parts as one JSON object, then each changed part. A slow reader gets only the latest texts. */
  async *watch(signal: AbortSignal): AsyncGenerator<string, void> {
    const seen = new Map<string, string>();
    this.watchers += 1;
    this.following ??= this.follow();
    try {
      while (!signal.aborted) {
        this.refresh();
        const parts = [...this.texts].filter(([part, text]) => seen.get(part) !== text);
        for (const [part, text] of parts) seen.set(part, text);
        if (parts.length > 0) yield `{${parts.map(([part, text]) => `"${part}":${text}`).join(",")}}`;
        await this.clock.sleep(tickMs, signal);
      }
    } finally {
      this.watchers -= 1;
      if (this.watchers === 0) this.ending.abort();
    }
  }

  private async follow(): Promise<void> {
    while (this.watchers > 0) {
      this.ending = new AbortController();
      await this.monitor.follow(this.ending.signal);
    }
    this.following = undefined;
  }

  private refresh(): void {
    const { lists, connections } = this.monitor;
    if (this.changed.has("lists")) {
      if (lists) for (const [part, entries] of Object.entries(lists)) this.show(part, entries);
      this.show("look", this.look);
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
