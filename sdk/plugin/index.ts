export type {
  IdArgs,
  OneArgs,
  ShareMetricsArgs,
  SharesArgs,
  TunnelMetricsArgs,
  TunnelsArgs,
} from "../../provider/functions/args";
export type {
  FrontdoorError,
  ShareResult,
  Trouble,
  TunnelConfigEntry,
  TunnelConfigResult,
  TunnelResult,
} from "../../provider/functions/args";
export type { SetShare, TunnelConfig } from "../../provider/fields/types";
export type * from "../function-types";
export type { IpsecSiteArgs, SiteShareArgs } from "../any-site";
export type { IpsecShareArgs } from "../share-properties";
export type { IpsecShareSetArgs, SetShareArgs } from "../share-set-properties";
export type { IpsecTunnelConnectionArgs } from "../tunnel-connection-properties";
export type { IpsecTunnelArgs } from "../tunnel-properties";
export { isFrontdoorError } from "../errors";
export { publishedTunnel, type PublishedTunnel, tunnelFrom } from "../published";
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
export { Provider } from "./provider";
export type { ProviderArgs } from "./provider-args";
export { IpsecShare } from "./share";
export { IpsecShareSet } from "./share-set";
export { IpsecSite } from "./site";
export { IpsecTunnel } from "./tunnel";
export { IpsecTunnelConnection } from "./tunnel-connection";
