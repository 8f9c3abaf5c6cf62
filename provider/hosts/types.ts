export type { SetShare, SetShareArgs, ShareArgs, ShareSetArgs, TunnelArgs } from "../fields/types";
export type { TunnelConfig } from "../fields/tunnel-config";
