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
} from "../../provider/functions/args";
export type { SetShare, TunnelConfig } from "../../provider/fields/types";
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
export type * from "../function-types";
export type { IpsecSiteArgs, SiteShareArgs } from "../any-site";
export type {
  IpsecTunnelArgs,
  IpsecShareArgs,
  IpsecShareSetArgs,
  SetShareArgs,
  IpsecTunnelConnectionArgs,
} from "../properties";
export { isFrontdoorError } from "../errors";
export { publishedTunnel, type PublishedTunnel, tunnelFrom } from "../published";
export { IpsecTunnel, IpsecShare, IpsecShareSet, IpsecTunnelConnection, IpsecSite } from "./classes";
export { Provider } from "./plugin";
export type { ProviderArgs } from "../provider-args";
