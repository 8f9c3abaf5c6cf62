export type { ShareArgs } from "../resources/share-inputs";
export type { TunnelArgs } from "../resources/tunnel-inputs";
export type { TunnelConfig } from "../resources/tunnel-config";
