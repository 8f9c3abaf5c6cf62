import type { Listed } from "../../provider/api/lists";
import type { Named } from "../../provider/api/types";
import { readsOf } from "../../provider/functions/reads";
import type { TunnelConfigResult } from "../../provider/functions/results";
import { isUp } from "../../provider/inventory/acceptors";
import type { Service } from "../../provider/service";

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
  const found = ({ entries, odd, isWhole, pages }: Listed<Named>): Found => {
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
