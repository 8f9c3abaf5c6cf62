import * as z from "zod";
import { maybeText, orLeaving, wireId } from "./wire";
import type { WireShare } from "./types";

/** An IPsec share as list and get show it (spec: IPsec share); what is accepted as `envId` on input may be shown so too. */
export const wireShare: z.ZodType<WireShare> = orLeaving(
  z.preprocess(
    (entry) =>
      typeof entry === "object" && entry !== null && "envId" in entry ? { envZId: entry.envId, ...entry } : entry,
    z.object({
      id: wireId,
      name: z.string(),
      ipsecTunnelId: z.string(),
      envZId: z.string(),
      target: z.string(),
      ingressPort: z.int(),
      locationId: maybeText,
      status: z.string(),
    }),
  ),
  { ipsecTunnelId: "", envZId: "", target: "", ingressPort: 0 },
);

/** Body of a share create or full update (spec: Shares, POST and PUT). */
export interface NewShare {
  name: string;
  ipsecTunnelId: string;
  envZId: string;
  target: string;
  ingressPort: number;
  locationId?: string;
}
