export type { ShareArgs } from "../resources/share";
export type { TunnelArgs } from "../resources/tunnel";
export type { TunnelConfig } from "../resources/tunnel-config";
