import { shareProperties, tunnelProperties } from "../../provider/functions/checks";
import type { Reads } from "../../provider/functions/reads";
import type { ShareResult, TunnelResult } from "../../provider/functions/results";
import type { Filters } from "../filters";
import { Misuse } from "../outcome";

export const wanted = ["tunnels", "shares"] as const;
export type Wanted = (typeof wanted)[number];

const propertiesOf: Record<Wanted, string[]> = { tunnels: tunnelProperties, shares: shareProperties };

/** The kinds of which some can match: what has not a property matches no value of it. @throws Misuse where none can. */
export function kindsFor(filters: Filters, kind?: Wanted): Wanted[] {
  const candidates = wanted.filter((each) => kind === undefined || each === kind);
  const all = new Set(candidates.flatMap((each) => propertiesOf[each]));
  const unknown = Object.keys(filters).filter((property) => !all.has(property));
  if (unknown.length > 0)
    throw new Misuse(`--filter ${unknown.join(", ")} is no property; there are: ${[...all].join(", ")}`);
  const matching = candidates.filter((each) => Object.keys(filters).every((one) => propertiesOf[each].includes(one)));
  if (matching.length > 0) return matching;
  throw new Misuse("no kind of resource has all the properties of these filters");
}

/** All tunnels and shares of a front door that match, tunnels with all that only a read by id tells. @throws FrontdoorError. */
export async function findAll(
  reads: Reads,
  frontdoorId: string,
  filters: Filters,
  kinds: Wanted[],
): Promise<{ tunnels: TunnelResult[]; shares: ShareResult[] }> {
  const args = { ...filters, frontdoorId };
  const [{ tunnels }, { shares }] = await Promise.all([
    kinds.includes("tunnels") ? reads.getTunnels(args) : { tunnels: [] },
    kinds.includes("shares") ? reads.getShares(args) : { shares: [] },
  ]);
  const staying = tunnels.filter(({ status }) => status !== "DELETING" && status !== "DELETED");
  return { shares, tunnels: await Promise.all(staying.map(({ id }) => reads.getTunnel({ id, frontdoorId }))) };
}
