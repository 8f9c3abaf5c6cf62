import type { WireTunnelEntry } from "../api/types";

/** The VPN connection's stable details (spec: Tunnel configuration), without what moves by itself. */
export type TunnelConfig = {
  [Key in keyof Omit<WireTunnelEntry, "status" | "statusMessage">]?: NonNullable<WireTunnelEntry[Key]>;
};
