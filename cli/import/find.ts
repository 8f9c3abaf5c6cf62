import type { Reads } from "../../provider/functions/reads";
import type { ShareResult, TunnelResult } from "../../provider/functions/results";
import type { Filters } from "../filters";
import type { Wanted } from "../wanted";

/** Returns the matching tunnels and shares of a front door. It reads each tunnel by id, because lists omit fields. @throws FrontdoorError. */
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
