export type { ShareArgs, TunnelArgs } from "../resources/args";
export type { TunnelConfig } from "../resources/tunnel-details";
