import type { Listed } from "../../provider/api/listing";
import type { Named } from "../../provider/api/types";
import { readsOf } from "../../provider/functions/reads";
import type { TunnelConfigResult } from "../../provider/functions/results";
import type { Service } from "../../provider/service";

/** An entry as the page shows it: the service's known fields, and where it is. */
export type Entry = Named & { frontdoorId: string };

/** A list as one look has found it. */
export interface Found {
  entries: Entry[];
  /** False where entries can have slipped between its pages. */
  isWhole: boolean;
  /** How many requests it took. */
  pages: number;
}

/** What is asked of the service for the page. Nothing is ever written. */
export interface Looks {
  tunnels(): Promise<Found>;
  shares(): Promise<Found>;
  connection(id: string): Promise<TunnelConfigResult>;
}

const listSeconds = 60;

/** Asks for one front door: each list page once, and no request twice, as the next look asks again. */
export function looksAt(service: Service, frontdoorId: string): Looks {
  const { tunnels, shares } = service.frontDoor(frontdoorId);
  const reads = readsOf(service);
  const found = ({ entries, odd, isWhole, pages }: Listed<Named>): Found => {
    // What can't be read as an entry is shown all the same.
    const unreadable = odd.map(({ id, name }) => ({ id, name: name ?? id, status: "unreadable" }));
    return { entries: [...entries, ...unreadable].map((entry) => ({ ...entry, frontdoorId })), isWhole, pages };
  };
  const once = { once: true } as const;
  return {
    tunnels: async () => found(await tunnels.calls.list([], service.until(listSeconds), once)),
    shares: async () => found(await shares.calls.list([], service.until(listSeconds), once)),
    connection: (id) => reads.getTunnelConfig({ id, frontdoorId }),
  };
}
