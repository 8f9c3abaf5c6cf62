import { isRefused, safeText, troubleOf } from "../provider/errors";
import type { ShareResult, TunnelResult } from "../provider/functions/args";
import type { Reads } from "../provider/functions/functions";
import type { Clock } from "../provider/time";
import { type ConfigOptions, configuredFrontDoor, reading } from "./shared/configuration";
import {
  type Connected,
  type ConnectionState,
  connectionLines,
  connectionStateOf,
  connectionsOf,
} from "./shared/connections";
import { type Filters, type ListName, findShare, findTunnel, kindsFor, orderOf, withIds } from "./shared/find";
import type { Io } from "./shared/io";
import { Interrupted, Misuse } from "./shared/outcome";
import { columns, status, styled, tableOf } from "./shared/output";

export interface ListOptions extends ConfigOptions {
  filter?: Filters;
  sort?: string;
  watch?: true;
  all?: true;
  json?: true;
}

/** Prints the matching resources as a table or as JSON. */
export async function list(io: Io, kind: ListName, options: ListOptions): Promise<void> {
  const { filter = {}, sort, watch: isWatched = false, json: isJson = false } = options;
  kindsFor(filter, kind);
  const order = sort === undefined ? {} : { sort: orderOf(kind, sort) };
  if (isWatched && (isJson || !io.stdout.isTTY))
    throw new Misuse("--watch needs a terminal. Use npx pulumi-frontdoor watch instead. [not-a-terminal]");
  const { config, frontdoorId } = await configuredFrontDoor(io, options);
  await reading(io, config, async (reads) => {
    const args = { ...(await withIds(io, reads, filter, frontdoorId)), ...order, frontdoorId };
    const withConnections = connections(io, reads);
    const read = async () => {
      const all = await entriesOf(reads, kind, args);
      // A filter by status says itself what is wanted.
      const shown = options.all || filter["status"] ? all : all.filter(({ status }) => status !== "DELETED");
      const entries = kind === "tunnels" ? await withConnections(shown as TunnelResult[]) : shown;
      const hidden = all.length - shown.length;
      const rest = hidden > 0 ? `, without ${hidden} DELETED (--all)` : "";
      return { entries, summary: `front door ${frontdoorId}: ${numberOf(kind, entries.length)}${rest}` };
    };
    if (isWatched)
      await redraw(io, async () => {
        const { entries, summary } = await read();
        return `${summary}, ${new Date(io.clock.wall()).toLocaleTimeString()}\n\n${tableText(io, kind, entries)}`;
      });
    const { entries, summary } = await read();
    if (Object.keys(filter).length === 0) (await import("./completion.js")).remember(io.env, kind, entries);
    if (isJson) io.printJson({ [kind]: entries });
    else {
      io.print(tableText(io, kind, entries));
      io.say(summary);
    }
  });
}

/** How long the connections of `--watch` count as known. */
const freshMs = 15_000;

/** Returns a function that adds their connections to tunnels, and reads those at most every 15 seconds. */
function connections({ clock, say }: Io, reads: Reads) {
  let known = new Map<string, Connected>();
  let askedMs: number | undefined;
  return async (tunnels: TunnelResult[]) => {
    if (askedMs === undefined || clock.now() - askedMs >= freshMs) {
      known = await connectionsOf(reads, tunnels);
      const { trouble } = [...known.values()].find((each) => each.trouble !== undefined) ?? {};
      // A later line would be drawn into the table of `--watch`.
      if (trouble !== undefined && askedMs === undefined) say(`frontdoor: connections were not read: ${trouble}`);
      askedMs = clock.now();
    }
    return tunnels.map((tunnel) => ({ ...tunnel, connection: known.get(tunnel.id)?.status ?? null }));
  };
}

async function entriesOf(reads: Reads, kind: ListName, args: object): Promise<Entry[]> {
  return kind === "tunnels" ? (await reads.getTunnels(args)).tunnels : (await reads.getShares(args)).shares;
}

const numberOf = (kind: ListName, number: number) => `${number} IPsec ${number === 1 ? kind.slice(0, -1) : kind}`;

const pauseMs = 2000;

const escape = "\x1b[";
const onOtherScreen = `${escape}?1049h${escape}?25l`;
const asItWas = `${escape}?25h${escape}?1049l`;

/** Redraws a text on the terminal's alternate screen every two seconds. It always restores the terminal. @throws Interrupted at Ctrl-C. */
async function redraw(io: Io, text: () => Promise<string>): Promise<never> {
  const { stdout, clock, untilStopped } = io;
  let last = await text();
  const again = () => {
    draw(io, last);
  };
  const over = new AbortController();
  const isOver = () => over.signal.aborted;
  const forever = async () => {
    while (!isOver()) {
      again();
      await clock.sleep(pauseMs, over.signal);
      if (!isOver()) last = await text();
    }
  };
  // Listens before the first change of the screen: Ctrl-C right after it must restore the screen too.
  const stopped = untilStopped(["SIGINT", "SIGTERM", "SIGHUP"]);
  stdout.on("resize", again);
  stdout.write(onOtherScreen);
  try {
    await Promise.race([forever(), stopped]);
    throw new Interrupted();
  } finally {
    over.abort();
    // An error message must be on the normal screen.
    stdout.off("resize", again).write(asItWas);
  }
}

/** Draws as many lines as the terminal has room for, over the previous lines. */
function draw({ stdout, printable }: Io, text: string): void {
  const lines = printable(text).split("\n");
  const room = (stdout.rows ?? 24) - 1;
  const more = lines.length - room;
  const fitting = more > 0 ? [...lines.slice(0, room - 1), `… ${more + 1} more lines`] : lines;
  stdout.write(`${escape}H${fitting.map((line) => `${line}${escape}K\r\n`).join("")}${escape}J`);
}

export type Entry = TunnelResult | ShareResult;

/** The columns of the tables. Filters and orders take the same names, without `connection`. */
const shownOf: Record<ListName, string[]> = {
  tunnels: ["id", "name", "status", "connection", "locationId", "peerPublicIp", "peerCidr"],
  shares: ["id", "name", "status", "ipsecTunnelId", "ingressPort", "target", "envZId", "locationId"],
};

/** Returns the table of these entries; an empty text if there are none. Columns that do not fit the terminal are left out. */
function tableText({ stdout }: Io, kind: ListName, entries: Entry[]): string {
  if (entries.length === 0) return "";
  const rows = entries.map((entry) =>
    shownOf[kind].map((name) => {
      const value = (entry as unknown as Record<string, string | number | null | undefined>)[name];
      const text = value === null ? "-" : String(value ?? "");
      return name === "status" || name === "connection" ? status(text) : safeText(text, 80);
    }),
  );
  return tableOf(shownOf[kind], rows, stdout.isTTY ? stdout.columns : Infinity);
}

export interface DetailsOptions extends ConfigOptions {
  json?: true;
}

/** Prints a tunnel, its connection and the shares on it. */
export async function showTunnel(io: Io, text: string, options: DetailsOptions): Promise<void> {
  const { config, frontdoorId } = await configuredFrontDoor(io, options);
  await reading(io, config, async (reads) => {
    const tunnel = await findTunnel(io, reads, { text, frontdoorId });
    const [connection, { shares }] = await Promise.all([
      connectionStateOf(io.clock, reads, tunnel),
      reads.getShares({ ipsecTunnelId: tunnel.id, frontdoorId, sort: "ingressPort,asc" }),
    ]);
    if (options.json) {
      io.printJson({ tunnel, connection: connection ?? null, shares });
      return;
    }
    io.print(columns([...rowsOf(tunnel), ...connectionRows(io.clock, connection)]));
    const present = shares.filter((share) => share.status !== "DELETED");
    if (present.length > 0) io.print(`\n${tableText(io, "shares", present)}`);
  });
}

/** Prints a share, the address at which you reach it, and its tunnel's connection. */
export async function showShare(io: Io, text: string, options: DetailsOptions): Promise<void> {
  const { config, frontdoorId } = await configuredFrontDoor(io, options);
  await reading(io, config, async (reads) => {
    const share = await findShare(io, reads, { text, frontdoorId });
    const tunnel = await tunnelOf(reads, share.ipsecTunnelId, frontdoorId);
    const connection = tunnel && (await connectionStateOf(io.clock, reads, tunnel));
    if (options.json) {
      io.printJson({ share, tunnel: tunnel ?? null, connection: connection ?? null });
      return;
    }
    const host = tunnel?.nlbDnsName ?? tunnel?.nlbPrivateIp;
    const ofTunnel = tunnel ? `${safeText(tunnel.name, 80)}, ${status(tunnel.status)}` : "no tunnel has this id";
    io.print(
      columns([
        ...rowsOf(share),
        row("tunnel", ofTunnel),
        ...(host ? [row("reached at", `${safeText(host, 260)}:${share.ingressPort}`)] : []),
        ...connectionRows(io.clock, connection),
      ]),
    );
  });
}

/** Returns the tunnel of a share; undefined if the front door no longer has the tunnel. */
async function tunnelOf(reads: Reads, id: string, frontdoorId: string): Promise<TunnelResult | undefined> {
  try {
    return await reads.getTunnel({ id, frontdoorId });
  } catch (error) {
    if (troubleOf(error)?.kind === "failed" || isRefused(error, 404)) return undefined;
    throw error;
  }
}

const row = (name: string, text: string): string[] => [styled("bold", name), text];

const rowsOf = (entry: object): string[][] =>
  Object.entries(entry)
    .filter(([, value]) => value !== undefined && value !== "")
    .map(([name, value]) => row(name, name === "status" ? status(String(value)) : safeText(String(value))));

const connectionRows = (clock: Clock, connection: ConnectionState | undefined): string[][] =>
  connection === undefined
    ? []
    : connectionLines(clock, connection).map((line, index) => row(index ? "" : "connection", line));
