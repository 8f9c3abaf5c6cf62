import { safeText } from "../../provider/errors";
import type { ShareResult, TunnelResult } from "../../provider/functions/results";
import type { Wanted } from "../wanted";
import { status } from "../style";
import { tableOf } from "../table";

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
