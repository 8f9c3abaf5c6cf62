// Generated from provider/functions/table.ts by "npm run docs": change that, not this.
import * as pulumi from "@pulumi/pulumi";
import type {
  IdArgs,
  OneArgs,
  ShareMetricsArgs,
  SharesArgs,
  TunnelMetricsArgs,
  TunnelsArgs,
} from "../provider/functions/args";
import type { ShareResult, TunnelConfigResult, TunnelResult } from "../provider/functions/results";
import type { Inputs } from "./inputs";
import { read, readOutput } from "./run-reads";

/**
 * The tunnel of this id, or the only one of this name (those on their way out do not count), with all fields.
 * @throws FrontdoorError where there is none, or more than one.
 */
export function getTunnel(args: OneArgs): Promise<TunnelResult> {
  return read("getTunnel", args);
}

/** `getTunnel` on outputs. */
export function getTunnelOutput(args: Inputs<OneArgs>): pulumi.Output<TunnelResult> {
  return readOutput("getTunnel", args);
}

/**
 * The share of this id, or the only one of this name (those on their way out do not count).
 * @throws FrontdoorError where there is none, or more than one.
 */
export function getShare(args: OneArgs): Promise<ShareResult> {
  return read("getShare", args);
}

/** `getShare` on outputs. */
export function getShareOutput(args: Inputs<OneArgs>): pulumi.Output<ShareResult> {
  return readOutput("getShare", args);
}

/**
 * Every tunnel that has one of the given values in each given property, in the given order; all pages. The service's lists leave out
 * `nlbPrivateIp`, `nlbDnsName` and `vpnConnectionId`: `getTunnel` tells them.
 * @throws FrontdoorError.
 */
export function getTunnels(args: TunnelsArgs = {}): Promise<{ tunnels: TunnelResult[] }> {
  return read("getTunnels", args);
}

/** `getTunnels` on outputs. */
export function getTunnelsOutput(args: Inputs<TunnelsArgs> = {}): pulumi.Output<{ tunnels: TunnelResult[] }> {
  return readOutput("getTunnels", args);
}

/**
 * Every share that has one of the given values in each given property, in the given order; all pages.
 * @throws FrontdoorError.
 */
export function getShares(args: SharesArgs = {}): Promise<{ shares: ShareResult[] }> {
  return read("getShares", args);
}

/** `getShares` on outputs. */
export function getSharesOutput(args: Inputs<SharesArgs> = {}): pulumi.Output<{ shares: ShareResult[] }> {
  return readOutput("getShares", args);
}

/**
 * The VPN connection as it is now, its state and status included; the tunnel must be DEPLOYED.
 * @throws FrontdoorError.
 */
export function getTunnelConfig(args: IdArgs): Promise<TunnelConfigResult> {
  return read("getTunnelConfig", args);
}

/** `getTunnelConfig` on outputs. */
export function getTunnelConfigOutput(args: Inputs<IdArgs>): pulumi.Output<TunnelConfigResult> {
  return readOutput("getTunnelConfig", args);
}

/**
 * The service's metrics of a tunnel as they come; the service's specification does not show their shape.
 * @throws FrontdoorError.
 */
export function getTunnelMetrics(args: TunnelMetricsArgs): Promise<unknown> {
  return read("getTunnelMetrics", args);
}

/** `getTunnelMetrics` on outputs. */
export function getTunnelMetricsOutput(args: Inputs<TunnelMetricsArgs>): pulumi.Output<unknown> {
  return readOutput("getTunnelMetrics", args);
}

/**
 * The service's metrics of a share as they come; the service's specification does not show their shape.
 * @throws FrontdoorError.
 */
export function getShareMetrics(args: ShareMetricsArgs): Promise<unknown> {
  return read("getShareMetrics", args);
}

/** `getShareMetrics` on outputs. */
export function getShareMetricsOutput(args: Inputs<ShareMetricsArgs>): pulumi.Output<unknown> {
  return readOutput("getShareMetrics", args);
}

/**
 * The generated configuration for the remote site, always secret: it holds the pre-shared key. There is no promise form, since a
 * promise can't be secret.
 * @throws FrontdoorError when the output is awaited.
 */
export function getSampleConfig(args: Inputs<IdArgs>): pulumi.Output<string> {
  return pulumi.secret(readOutput<string>("getSampleConfig", args));
}
