import { setTimeout as sleep } from "node:timers/promises";
import { safeText } from "../provider/errors";
import type { ShareResult, TunnelResult } from "../provider/functions/args";
import type { Reads } from "../provider/functions/functions";
import { connectionOf, type ConnectionOptions, reading } from "./connection";
import { type Filters, kindsFor, orderOf, type Wanted } from "./find";
import { Misuse } from "./outcome";
import { print, printJson, say, status, tableOf, visibleAndStyled } from "./output";

export interface ListOptions extends ConnectionOptions {
  filter?: Filters;
  sort?: string;
  watch?: true;
  all?: true;
  json?: true;
}

/** Prints the matching resources as a table or as JSON. */
export async function list(kind: Wanted, options: ListOptions): Promise<void> {
  const { filter = {}, sort, watch: isWatched = false, json: isJson = false } = options;
  kindsFor(filter, kind);
  const order = sort === undefined ? {} : { sort: orderOf(kind, sort) };
  if (isWatched && (isJson || !process.stdout.isTTY))
    throw new Misuse("--watch needs a terminal. Use frontdoor watch instead. [not-a-terminal]");
  const { config, frontdoorId } = await connectionOf(options, process.env);
  await reading(config, async (reads) => {
    let hidden = 0;
    const read = async () => {
      const entries = await entriesOf(reads, kind, { ...filter, ...order, frontdoorId });
      // A filter by status says itself what is wanted.
      const isAll = options.all === true || filter["status"] !== undefined;
      const shown = isAll ? entries : entries.filter(({ status }) => status !== "DELETED");
      hidden = entries.length - shown.length;
      if (Object.keys(filter).length === 0) (await import("./completion.js")).remember(kind, shown);
      return shown;
    };
    if (isJson) {
      printJson({ [kind]: await read() });
      return;
    }
    const { tableText } = await import("./lists.js");
    const summaryOf = (entries: Entry[]) =>
      `front door ${frontdoorId}: ${numberOf(kind, entries.length)}${hidden > 0 ? `, without ${hidden} DELETED (--all)` : ""}`;
    if (isWatched)
      await (
        await import("./lists.js")
      ).redraw(async () => {
        const entries = await read();
        return `${summaryOf(entries)}, ${new Date().toLocaleTimeString()}\n\n${tableText(kind, entries)}`;
      });
    const entries = await read();
    print(tableText(kind, entries));
    say(summaryOf(entries));
  });
}

async function entriesOf(reads: Reads, kind: Wanted, args: object): Promise<Entry[]> {
  return kind === "tunnels" ? (await reads.getTunnels(args)).tunnels : (await reads.getShares(args)).shares;
}

const numberOf = (kind: Wanted, number: number) => `${number} IPsec ${number === 1 ? kind.slice(0, -1) : kind}`;

const pauseMs = 2000;

const escape = "\x1b[";
const onOtherScreen = `${escape}?1049h${escape}?25l`;
const asItWas = `${escape}?25h${escape}?1049l`;

/** Redraws a text on the terminal's alternate screen every two seconds, until Ctrl-C. It always restores the terminal. */
export async function redraw(text: () => Promise<string>): Promise<never> {
  let last = await text();
  const restore = () => process.stdout.write(asItWas);
  process.once("exit", restore);
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => process.exit(130));
  process.stdout.on("resize", () => {
    draw(last);
  });
  process.stdout.write(onOtherScreen);
  try {
    for (;;) {
      draw(last);
      await sleep(pauseMs);
      last = await text();
    }
  } finally {
    // The error message must be on the normal screen.
    process.off("exit", restore);
    restore();
  }
}

/** Draws as many lines as the terminal has room for, over the previous lines. */
function draw(text: string): void {
  const lines = visibleAndStyled(text).split("\n");
  const room = process.stdout.rows - 1;
  const more = lines.length - room;
  const fitting = more > 0 ? [...lines.slice(0, room - 1), `… ${more + 1} more lines`] : lines;
  process.stdout.write(`${escape}H${fitting.map((line) => `${line}${escape}K\r\n`).join("")}${escape}J`);
}

export type Entry = TunnelResult | ShareResult;

/** The columns of the tables. Filters and orders take the same names. */
const shownOf: Record<Wanted, string[]> = {
  tunnels: ["id", "name", "status", "locationId", "peerPublicIp", "peerCidr"],
  shares: ["id", "name", "status", "ipsecTunnelId", "ingressPort", "target", "envZId", "locationId"],
};

/** Returns the table of these entries; an empty text if there are none. Columns that do not fit the terminal are left out. */
export function tableText(
  kind: Wanted,
  entries: Entry[],
  width = process.stdout.isTTY ? process.stdout.columns : Infinity,
): string {
  if (entries.length === 0) return "";
  const rows = entries.map((entry) =>
    shownOf[kind].map((name) => {
      const text = String((entry as unknown as Record<string, string | number | undefined>)[name] ?? "");
      return name === "status" ? status(text) : safeText(text, 80);
    }),
  );
  return tableOf(shownOf[kind], rows, width);
}
