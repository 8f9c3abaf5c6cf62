import { shareFields } from "../../provider/fields/share";
import { tunnelFields } from "../../provider/fields/tunnel";
import { OwnFolder } from "../../provider/ledger/own-folder";
import { stateFolder } from "../../provider/ledger/record-files";
import { catalogue } from "../../provider/messages/catalogue";
import type { Wanted } from "../wanted";

/** The words that a shell can offer: the codes, ids and names, or `property=value` of a filter. */
export const topics = ["codes", "tunnels", "shares", "tunnels-filters", "shares-filters"] as const;
export type Topic = (typeof topics)[number];

const filtered = ["status", "locationId", "envZId", "ipsecTunnelId"];
const mostEntries = 2000;
/** Other values could be syntax of a shell. */
const isPlain = (word: unknown): word is string => typeof word === "string" && /^\w[\w.@-]{0,254}$/.test(word);
const folder = () => new OwnFolder(stateFolder(process.env), "completion");

/** Keeps the words of a list for completion, which asks no service. A folder that cannot be written has no effect. */
export function remember(kind: Wanted, entries: readonly object[]): void {
  const rows = entries.slice(0, mostEntries).map((entry): [string, unknown][] => Object.entries(entry));
  const named = rows.flatMap((row) => row.flatMap(([key, value]) => (["id", "name"].includes(key) ? [value] : [])));
  const pairs = rows.flatMap((row) =>
    row.flatMap(([key, value]) => (filtered.includes(key) && isPlain(value) ? [`${key}=${value}`] : [])),
  );
  try {
    folder().write(kind, linesOf(named.filter(isPlain)));
    folder().write(`${kind}-filters`, linesOf(pairs));
  } catch {
    return;
  }
}

const linesOf = (words: string[]) => [...new Set(words)].sort().join("\n");

/** Returns the words of a topic, without a request: ids, names and values are those of the last `tunnels` or `shares`. */
export function wordsOf(topic: Topic): string[] {
  if (topic === "codes") return catalogue.flatMap(({ entries }) => entries.map(({ code }) => code)).sort();
  const kept = readKept(topic);
  if (!topic.endsWith("-filters")) return kept;
  const table = topic.startsWith("tunnels") ? tunnelFields : shareFields;
  return [...["id", ...Object.keys(table)].map((name) => `${name}=`), ...kept];
}

function readKept(topic: string): string[] {
  try {
    return (folder().read(topic) ?? "").split("\n").filter((word) => word !== "");
  } catch {
    return [];
  }
}
