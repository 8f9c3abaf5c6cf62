import type { Reads } from "../../provider/functions/reads";
import { type ConnectionOptions, connectionOf, reading } from "../connection";
import type { Filters } from "../filters";
import type { Wanted } from "../wanted";
import { Misuse } from "../outcome";
import { print, printJson, say } from "../output";
import { kindsFor, orderOf } from "../properties";
import type { Entry } from "./text";

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
      if (Object.keys(filter).length === 0) (await import("../completion/words.js")).remember(kind, shown);
      return shown;
    };
    if (isJson) {
      printJson({ [kind]: await read() });
      return;
    }
    const { tableText } = await import("./text.js");
    const summaryOf = (entries: Entry[]) =>
      `front door ${frontdoorId}: ${numberOf(kind, entries.length)}${hidden > 0 ? `, without ${hidden} DELETED (--all)` : ""}`;
    if (isWatched)
      await (
        await import("./redraw.js")
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
