// Generated from provider/functions/table.ts by "npm run docs": change that, not this.
import * as pulumi from "@pulumi/pulumi";
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
} from "../../provider/functions/args";
import type {
  GetTunnelOutputArgs,
  GetShareOutputArgs,
  GetTunnelsOutputArgs,
  GetSharesOutputArgs,
  GetTunnelConfigOutputArgs,
  GetTunnelMetricsOutputArgs,
  GetShareMetricsOutputArgs,
  GetSampleConfigArgs,
  GetPreSharedKeyArgs,
} from "../function-types";
import { read, readOutput } from "./invokes";

/**
 * Returns the tunnel with this id, or the only tunnel with this name, with all fields. It ignores tunnels that are being deleted.
 * @throws Error if there is none, or more than one.
 */
export function getTunnel(args: OneArgs, opts?: pulumi.InvokeOptions): Promise<TunnelResult> {
  return read("getTunnel", args, opts);
}

/** Returns `getTunnel` as an output. The arguments can be outputs. */
export function getTunnelOutput(
  args: GetTunnelOutputArgs,
  opts?: pulumi.InvokeOutputOptions,
): pulumi.Output<TunnelResult> {
  return readOutput("getTunnel", args, opts);
}

/**
 * Returns the share with this id, or the only share with this name. It ignores shares that are being deleted.
 * @throws Error if there is none, or more than one.
 */
export function getShare(args: OneArgs, opts?: pulumi.InvokeOptions): Promise<ShareResult> {
  return read("getShare", args, opts);
}

/** Returns `getShare` as an output. The arguments can be outputs. */
export function getShareOutput(
  args: GetShareOutputArgs,
  opts?: pulumi.InvokeOutputOptions,
): pulumi.Output<ShareResult> {
  return readOutput("getShare", args, opts);
}

/**
 * Returns all tunnels that match: filters on different properties must all match, and several values of one property are
 * alternatives. `sort` sets the order. Lists omit `nlbPrivateIp`, `nlbDnsName` and `vpnConnectionId`. To read these fields, use
 * `getTunnel`.
 * @throws Error.
 */
export function getTunnels(args: TunnelsArgs = {}, opts?: pulumi.InvokeOptions): Promise<{ tunnels: TunnelResult[] }> {
  return read("getTunnels", args, opts);
}

/** Returns `getTunnels` as an output. The arguments can be outputs. */
export function getTunnelsOutput(
  args: GetTunnelsOutputArgs = {},
  opts?: pulumi.InvokeOutputOptions,
): pulumi.Output<{ tunnels: TunnelResult[] }> {
  return readOutput("getTunnels", args, opts);
}

/**
 * Returns all shares that match: filters on different properties must all match, and several values of one property are
 * alternatives. `sort` sets the order.
 * @throws Error.
 */
export function getShares(args: SharesArgs = {}, opts?: pulumi.InvokeOptions): Promise<{ shares: ShareResult[] }> {
  return read("getShares", args, opts);
}

/** Returns `getShares` as an output. The arguments can be outputs. */
export function getSharesOutput(
  args: GetSharesOutputArgs = {},
  opts?: pulumi.InvokeOutputOptions,
): pulumi.Output<{ shares: ShareResult[] }> {
  return readOutput("getShares", args, opts);
}

/**
 * Returns the current VPN connection, with its state and status. The tunnel must be DEPLOYED.
 * @throws Error.
 */
export function getTunnelConfig(args: IdArgs, opts?: pulumi.InvokeOptions): Promise<TunnelConfigResult> {
  return read("getTunnelConfig", args, opts);
}

/** Returns `getTunnelConfig` as an output. The arguments can be outputs. */
export function getTunnelConfigOutput(
  args: GetTunnelConfigOutputArgs,
  opts?: pulumi.InvokeOutputOptions,
): pulumi.Output<TunnelConfigResult> {
  return readOutput("getTunnelConfig", args, opts);
}

/**
 * Returns the metrics of a tunnel as Frontdoor returns them. The specification does not show their format.
 * @throws Error.
 */
export function getTunnelMetrics(args: TunnelMetricsArgs, opts?: pulumi.InvokeOptions): Promise<unknown> {
  return read("getTunnelMetrics", args, opts);
}

/** Returns `getTunnelMetrics` as an output. The arguments can be outputs. */
export function getTunnelMetricsOutput(
  args: GetTunnelMetricsOutputArgs,
  opts?: pulumi.InvokeOutputOptions,
): pulumi.Output<unknown> {
  return readOutput("getTunnelMetrics", args, opts);
}

/**
 * Returns the metrics of a share as Frontdoor returns them. The specification does not show their format.
 * @throws Error.
 */
export function getShareMetrics(args: ShareMetricsArgs, opts?: pulumi.InvokeOptions): Promise<unknown> {
  return read("getShareMetrics", args, opts);
}

/** Returns `getShareMetrics` as an output. The arguments can be outputs. */
export function getShareMetricsOutput(
  args: GetShareMetricsOutputArgs,
  opts?: pulumi.InvokeOutputOptions,
): pulumi.Output<unknown> {
  return readOutput("getShareMetrics", args, opts);
}

/**
 * Returns the generated configuration for the remote site. It contains the pre-shared key, so it is always secret.
 * @throws Error when the output is awaited.
 */
export function getSampleConfig(args: GetSampleConfigArgs, opts?: pulumi.InvokeOutputOptions): pulumi.Output<string> {
  return pulumi.secret(readOutput<string>("getSampleConfig", args, opts));
}

/** Returns `getSampleConfig` as a promise, for a hook. A promise can't be secret: hand the value to your vault only. @throws Error. */
export function readSampleConfig(args: IdArgs, opts?: pulumi.InvokeOptions): Promise<string> {
  return read("getSampleConfig", args, opts);
}

/**
 * Returns the pre-shared key in the sample configuration, for a vault. It is always secret. Of several keys it takes the one that
 * stands on a line with `outsideIpAddress`.
 * @throws Error when the output is awaited, if there is no key, more than one, or only a masked one.
 */
export function getPreSharedKey(args: GetPreSharedKeyArgs, opts?: pulumi.InvokeOutputOptions): pulumi.Output<string> {
  return pulumi.secret(readOutput<string>("getPreSharedKey", args, opts));
}

/** Returns `getPreSharedKey` as a promise, for a hook. A promise can't be secret: hand the value to your vault only. @throws Error. */
export function readPreSharedKey(args: IdArgs, opts?: pulumi.InvokeOptions): Promise<string> {
  return read("getPreSharedKey", args, opts);
}
