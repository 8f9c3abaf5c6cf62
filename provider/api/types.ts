// Only types, and none of zod's: users' compilers read this file whatever their settings are.

export type { WireShare, WireTunnel } from "../fields/types";

/** The fields that tunnels and shares have in common. */
export interface Named {
  id: string;
  status: string;
  name: string;
}
