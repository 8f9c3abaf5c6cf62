// Generated from provider/functions/table.ts by "npm run docs": change that, not this.
import * as pulumi from "@pulumi/pulumi";
import type {
  IdArgs,
  OneArgs,
  ShareMetricsArgs,
  SharesArgs,
  TunnelMetricsArgs,
  TunnelsArgs,
} from "../../provider/functions/args";
import type { ShareResult, TunnelConfigResult, TunnelResult } from "../../provider/functions/results";
import type { Inputs } from "../inputs";
import { read, readOutput } from "./invokes";

/**
 * The tunnel of this id, or the only one of this name (those on their way out do not count), with all fields.
 * @throws Error where there is none, or more than one.
 */
export function getTunnel(args: OneArgs, opts?: pulumi.InvokeOptions): Promise<TunnelResult> {
  return read("getTunnel", args, opts);
}

/** `getTunnel` on outputs. */
export function getTunnelOutput(args: Inputs<OneArgs>, opts?: pulumi.InvokeOutputOptions): pulumi.Output<TunnelResult> {
  return readOutput("getTunnel", args, opts);
}

/**
 * The share of this id, or the only one of this name (those on their way out do not count).
 * @throws Error where there is none, or more than one.
 */
export function getShare(args: OneArgs, opts?: pulumi.InvokeOptions): Promise<ShareResult> {
  return read("getShare", args, opts);
}

/** `getShare` on outputs. */
export function getShareOutput(args: Inputs<OneArgs>, opts?: pulumi.InvokeOutputOptions): pulumi.Output<ShareResult> {
  return readOutput("getShare", args, opts);
}

/**
 * Every tunnel that has one of the given values in each given property, in the given order; all pages. The service's lists leave out
 * `nlbPrivateIp`, `nlbDnsName` and `vpnConnectionId`: `getTunnel` tells them.
 * @throws Error.
 */
export function getTunnels(args: TunnelsArgs = {}, opts?: pulumi.InvokeOptions): Promise<{ tunnels: TunnelResult[] }> {
  return read("getTunnels", args, opts);
}

/** `getTunnels` on outputs. */
export function getTunnelsOutput(
  args: Inputs<TunnelsArgs> = {},
  opts?: pulumi.InvokeOutputOptions,
): pulumi.Output<{ tunnels: TunnelResult[] }> {
  return readOutput("getTunnels", args, opts);
}

/**
 * Every share that has one of the given values in each given property, in the given order; all pages.
 * @throws Error.
 */
export function getShares(args: SharesArgs = {}, opts?: pulumi.InvokeOptions): Promise<{ shares: ShareResult[] }> {
  return read("getShares", args, opts);
}

/** `getShares` on outputs. */
export function getSharesOutput(
  args: Inputs<SharesArgs> = {},
  opts?: pulumi.InvokeOutputOptions,
): pulumi.Output<{ shares: ShareResult[] }> {
  return readOutput("getShares", args, opts);
}

/**
 * The VPN connection as it is now, its state and status included; the tunnel must be DEPLOYED.
 * @throws Error.
 */
export function getTunnelConfig(args: IdArgs, opts?: pulumi.InvokeOptions): Promise<TunnelConfigResult> {
  return read("getTunnelConfig", args, opts);
}

/** `getTunnelConfig` on outputs. */
export function getTunnelConfigOutput(
  args: Inputs<IdArgs>,
  opts?: pulumi.InvokeOutputOptions,
): pulumi.Output<TunnelConfigResult> {
  return readOutput("getTunnelConfig", args, opts);
}

/**
 * The service's metrics of a tunnel as they come; the service's specification does not show their shape.
 * @throws Error.
 */
export function getTunnelMetrics(args: TunnelMetricsArgs, opts?: pulumi.InvokeOptions): Promise<unknown> {
  return read("getTunnelMetrics", args, opts, "metrics");
}

/** `getTunnelMetrics` on outputs. */
export function getTunnelMetricsOutput(
  args: Inputs<TunnelMetricsArgs>,
  opts?: pulumi.InvokeOutputOptions,
): pulumi.Output<unknown> {
  return readOutput("getTunnelMetrics", args, opts, "metrics");
}

/**
 * The service's metrics of a share as they come; the service's specification does not show their shape.
 * @throws Error.
 */
export function getShareMetrics(args: ShareMetricsArgs, opts?: pulumi.InvokeOptions): Promise<unknown> {
  return read("getShareMetrics", args, opts, "metrics");
}

/** `getShareMetrics` on outputs. */
export function getShareMetricsOutput(
  args: Inputs<ShareMetricsArgs>,
  opts?: pulumi.InvokeOutputOptions,
): pulumi.Output<unknown> {
  return readOutput("getShareMetrics", args, opts, "metrics");
}

/**
 * The generated configuration for the remote site, always secret: it holds the pre-shared key. There is no promise form, since a
 * promise can't be secret.
 * @throws Error when the output is awaited.
 */
export function getSampleConfig(args: Inputs<IdArgs>, opts?: pulumi.InvokeOutputOptions): pulumi.Output<string> {
  return pulumi.secret(readOutput<string>("getSampleConfig", args, opts, "sampleConfig"));
}
