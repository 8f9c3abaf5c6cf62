// Types alone, without zod's: what users' compilers read must not depend on how they are set.

export type { WireShare, WireTunnel } from "../fields/types";

/** What both kinds of resources show. */
export interface Named {
  id: string;
  status: string;
  name: string;
}
