// Generated from provider/functions/table.ts by "npm run docs": change that, not this.
import type * as pulumi from "@pulumi/pulumi";
import type {
  IdArgs,
  OneArgs,
  ShareMetricsArgs,
  SharesArgs,
  TunnelMetricsArgs,
  TunnelsArgs,
  ShareResult,
  TunnelConfigResult,
  TunnelResult,
} from "../provider/functions/args";

/** The arguments of an `…Output` function. Each argument, and each element of a list, can be an output. */
type Inputs<Args> = {
  [Key in keyof Args]: Args[Key] extends string | number | undefined
    ? pulumi.Input<Args[Key]>
    : pulumi.Input<Exclude<Args[Key], unknown[]>> | pulumi.Input<pulumi.Input<Exclude<Args[Key], unknown[]>>[]>;
};

/** The arguments of `getTunnel`. */
export type GetTunnelArgs = OneArgs;
/** The arguments of `getTunnelOutput`. */
export type GetTunnelOutputArgs = Inputs<OneArgs>;
/** The result of `getTunnel`. */
export type GetTunnelResult = TunnelResult;
/** The arguments of `getShare`. */
export type GetShareArgs = OneArgs;
/** The arguments of `getShareOutput`. */
export type GetShareOutputArgs = Inputs<OneArgs>;
/** The result of `getShare`. */
export type GetShareResult = ShareResult;
/** The arguments of `getTunnels`. */
export type GetTunnelsArgs = TunnelsArgs;
/** The arguments of `getTunnelsOutput`. */
export type GetTunnelsOutputArgs = Inputs<TunnelsArgs>;
/** The result of `getTunnels`. */
export interface GetTunnelsResult {
  tunnels: TunnelResult[];
}
/** The arguments of `getShares`. */
export type GetSharesArgs = SharesArgs;
/** The arguments of `getSharesOutput`. */
export type GetSharesOutputArgs = Inputs<SharesArgs>;
/** The result of `getShares`. */
export interface GetSharesResult {
  shares: ShareResult[];
}
/** The arguments of `getTunnelConfig`. */
export type GetTunnelConfigArgs = IdArgs;
/** The arguments of `getTunnelConfigOutput`. */
export type GetTunnelConfigOutputArgs = Inputs<IdArgs>;
/** The result of `getTunnelConfig`. */
export type GetTunnelConfigResult = TunnelConfigResult;
/** The arguments of `getTunnelMetrics`. */
export type GetTunnelMetricsArgs = TunnelMetricsArgs;
/** The arguments of `getTunnelMetricsOutput`. */
export type GetTunnelMetricsOutputArgs = Inputs<TunnelMetricsArgs>;
/** The result of `getTunnelMetrics`. */
export type GetTunnelMetricsResult = unknown;
/** The arguments of `getShareMetrics`. */
export type GetShareMetricsArgs = ShareMetricsArgs;
/** The arguments of `getShareMetricsOutput`. */
export type GetShareMetricsOutputArgs = Inputs<ShareMetricsArgs>;
/** The result of `getShareMetrics`. */
export type GetShareMetricsResult = unknown;
/** The arguments of `getSampleConfig`. */
export type GetSampleConfigArgs = Inputs<IdArgs>;
/** The arguments of `getPreSharedKey`. */
export type GetPreSharedKeyArgs = Inputs<IdArgs>;
