import { safeText } from "../../provider/errors";
import type { ShareResult, TunnelResult } from "../../provider/functions/results";
import type { Wanted } from "../wanted";
import { status } from "../style";
import { tableOf } from "../table";

export type Entry = TunnelResult | ShareResult;

/** What tables show, by the names that filters and orders go by. */
const shownOf: Record<Wanted, string[]> = {
  tunnels: ["id", "name", "status", "locationId", "peerPublicIp", "peerCidr"],
  shares: ["id", "name", "status", "ipsecTunnelId", "ingressPort", "target", "envZId", "locationId"],
};

/** The table of these, or nothing where there are none. */
export function tableText(kind: Wanted, entries: Entry[]): string {
  if (entries.length === 0) return "";
  const rows = entries.map((entry) =>
    shownOf[kind].map((name) => {
      const text = String((entry as unknown as Record<string, string | number | undefined>)[name] ?? "");
      return name === "status" ? status(text) : safeText(text, 80);
    }),
  );
  return tableOf(shownOf[kind], rows);
}
