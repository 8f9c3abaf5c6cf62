export type {
  IdArgs,
  OneArgs,
  ShareMetricsArgs,
  SharesArgs,
  TunnelMetricsArgs,
  TunnelsArgs,
} from "../provider/functions/args";
export type { ShareResult, TunnelConfigEntry, TunnelConfigResult, TunnelResult } from "../provider/functions/results";
export type { TunnelConfig } from "../provider/hosts/types";
export {
  getSampleConfig,
  getShare,
  getShareMetrics,
  getShareMetricsOutput,
  getShareOutput,
  getShares,
  getSharesOutput,
  getTunnel,
  getTunnelConfig,
  getTunnelConfigOutput,
  getTunnelMetrics,
  getTunnelMetricsOutput,
  getTunnelOutput,
  getTunnels,
  getTunnelsOutput,
} from "./functions";
export { publishedTunnel, type PublishedTunnel, tunnelFrom } from "./published";
export { IpsecShare, type IpsecShareArgs } from "./share";
export { IpsecSite, type IpsecSiteArgs, type SiteShareArgs } from "./site";
export { IpsecTunnel, type IpsecTunnelArgs } from "./tunnel";
