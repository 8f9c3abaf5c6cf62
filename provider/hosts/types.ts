export type { ShareArgs, TunnelArgs } from "../fields/types";
export type { TunnelConfig } from "../fields/tunnel-config";
