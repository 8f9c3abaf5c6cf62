import { shown } from "../../provider/errors";
import type { Reads } from "../../provider/functions/reads";
import type { ShareResult, TunnelResult } from "../../provider/functions/results";
import { type ConnectionOptions, connectionOf, reading } from "../connection";
import type { Filters, Wanted } from "../filters";
import { Misuse } from "../outcome";
import { print, printJson, say } from "../output";
import { kindsFor, orderOf } from "../properties";
import { status } from "../style";
import { tableOf } from "../table";
import { redraw } from "./redraw";

export interface ListOptions extends ConnectionOptions {
  filter?: Filters;
  sort?: string;
  watch?: true;
  json?: true;
}

type Entry = TunnelResult | ShareResult;

/** What tables show, by the names that filters and orders go by. */
const shownOf: Record<Wanted, string[]> = {
  tunnels: ["id", "name", "status", "locationId", "peerPublicIp", "peerCidr"],
  shares: ["id", "name", "status", "ipsecTunnelId", "ingressPort", "target", "envZId", "locationId"],
};

/** Prints all that match as a table, or as JSON. */
export async function list(kind: Wanted, options: ListOptions): Promise<void> {
  const { filter = {}, sort, watch: isWatched = false, json: isJson = false } = options;
  kindsFor(filter, kind);
  const order = sort === undefined ? {} : { sort: orderOf(kind, sort) };
  if (isWatched && (isJson || !process.stdout.isTTY))
    throw new Misuse('--watch shows a table on a terminal: elsewhere "frontdoor watch" prints a line for each change');
  const { config, frontdoorId } = await connectionOf(options, process.env);
  await reading(config, async (reads) => {
    const read = () => entriesOf(reads, kind, { ...filter, ...order, frontdoorId });
    const told = (entries: Entry[]) => `front door ${frontdoorId}: ${numberOf(kind, entries.length)}`;
    if (isWatched)
      await redraw(async () => {
        const entries = await read();
        return `${told(entries)}, ${new Date().toLocaleTimeString()}\n\n${tableText(kind, entries)}`;
      });
    const entries = await read();
    if (isJson) printJson({ [kind]: entries });
    else print(tableText(kind, entries));
    say(told(entries));
  });
}

async function entriesOf(reads: Reads, kind: Wanted, args: object): Promise<Entry[]> {
  return kind === "tunnels" ? (await reads.getTunnels(args)).tunnels : (await reads.getShares(args)).shares;
}

/** The table of these, or nothing where there are none. */
export function tableText(kind: Wanted, entries: Entry[]): string {
  if (entries.length === 0) return "";
  const rows = entries.map((entry) =>
    shownOf[kind].map((name) => {
      const text = String((entry as unknown as Record<string, string | number | undefined>)[name] ?? "");
      return name === "status" ? status(text) : shown(text, 80);
    }),
  );
  return tableOf(shownOf[kind], rows);
}

const numberOf = (kind: Wanted, number: number) => `${number} IPsec ${number === 1 ? kind.slice(0, -1) : kind}`;
