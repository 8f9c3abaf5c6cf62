// Generated from provider/resources/index.ts by "npm run docs": change that, not this.
export type {
  IdArgs,
  OneArgs,
  ShareMetricsArgs,
  SharesArgs,
  TunnelMetricsArgs,
  TunnelsArgs,
  FrontdoorError,
  ShareResult,
  Trouble,
  TunnelConfigEntry,
  TunnelConfigResult,
  TunnelResult,
} from "./../provider/functions/args";
export type { SetShare, TunnelConfig } from "./../provider/fields/types";
export {
  getTunnel,
  getTunnelOutput,
  getShare,
  getShareOutput,
  getTunnels,
  getTunnelsOutput,
  getShares,
  getSharesOutput,
  getTunnelConfig,
  getTunnelConfigOutput,
  getTunnelMetrics,
  getTunnelMetricsOutput,
  getShareMetrics,
  getShareMetricsOutput,
  getSampleConfig,
  readSampleConfig,
  getPreSharedKey,
  readPreSharedKey,
} from "./functions";
export type * from "./function-types";
export type { IpsecSiteArgs, SiteShareArgs } from "./any-site";
export type { IpsecTunnelArgs } from "./tunnel-properties";
export type { IpsecShareArgs } from "./share-properties";
export type { IpsecShareSetArgs, SetShareArgs } from "./share-set-properties";
export type { IpsecTunnelConnectionArgs } from "./tunnel-connection-properties";
export { isFrontdoorError } from "./errors";
export { publishedTunnel, type PublishedTunnel, tunnelFrom } from "./published";
export { IpsecTunnel } from "./tunnel";
export { IpsecShare } from "./share";
export { IpsecShareSet } from "./share-set";
export { IpsecTunnelConnection } from "./tunnel-connection";
export { IpsecSite } from "./site";
