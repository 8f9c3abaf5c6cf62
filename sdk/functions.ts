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
import { read } from "./run-reads";

/** The arguments of an `…Output` form: each can be an output, and so can an element of a list. */
type Inputs<Args> = {
  [Key in keyof Args]: Args[Key] extends string | number | undefined
    ? pulumi.Input<Args[Key]>
    : pulumi.Input<Exclude<Args[Key], unknown[]>> | pulumi.Input<pulumi.Input<Exclude<Args[Key], unknown[]>>[]>;
};

/** Reads once the arguments are known; unknown at preview where they are. */
const whenKnown = <Result>(args: object, get: (known: object) => Promise<Result>): pulumi.Output<Result> =>
  pulumi.output(args).apply<Result>((known) => get(known));

/**
 * The tunnel of this id, or the only one of this name (those on their way out do not count), with all fields (spec: GET ipsec-tunnels/{id}).
 * @throws FrontdoorError where there is none, or more than one.
 */
export function getTunnel(args: OneArgs): Promise<TunnelResult> {
  return read("getTunnel", args);
}

/** `getTunnel` on outputs. */
export function getTunnelOutput(args: Inputs<OneArgs>): pulumi.Output<TunnelResult> {
  return whenKnown(args, (known) => getTunnel(known as OneArgs));
}

/**
 * The share of this id, or the only one of this name (those on their way out do not count) (spec: GET ipsec-shares/{id}).
 * @throws FrontdoorError where there is none, or more than one.
 */
export function getShare(args: OneArgs): Promise<ShareResult> {
  return read("getShare", args);
}

/** `getShare` on outputs. */
export function getShareOutput(args: Inputs<OneArgs>): pulumi.Output<ShareResult> {
  return whenKnown(args, (known) => getShare(known as OneArgs));
}

/**
 * Every tunnel that has one of the given values in each given property, in the given order; all pages (spec: GET ipsec-tunnels).
 * The service's lists leave out `nlbPrivateIp`, `nlbDnsName` and `vpnConnectionId`: `getTunnel` tells them. @throws FrontdoorError.
 */
export function getTunnels(args: TunnelsArgs = {}): Promise<{ tunnels: TunnelResult[] }> {
  return read("getTunnels", args);
}

/** `getTunnels` on outputs. */
export function getTunnelsOutput(args: Inputs<TunnelsArgs> = {}): pulumi.Output<{ tunnels: TunnelResult[] }> {
  return whenKnown(args, (known) => getTunnels(known as TunnelsArgs));
}

/**
 * Every share that has one of the given values in each given property, in the given order; all pages (spec: GET ipsec-shares).
 * @throws FrontdoorError.
 */
export function getShares(args: SharesArgs = {}): Promise<{ shares: ShareResult[] }> {
  return read("getShares", args);
}

/** `getShares` on outputs. */
export function getSharesOutput(args: Inputs<SharesArgs> = {}): pulumi.Output<{ shares: ShareResult[] }> {
  return whenKnown(args, (known) => getShares(known as SharesArgs));
}

/** The VPN connection as it is now, its state and status included; the tunnel must be DEPLOYED (spec: GET tunnel-config). @throws FrontdoorError. */
export function getTunnelConfig(args: IdArgs): Promise<TunnelConfigResult> {
  return read("getTunnelConfig", args);
}

/** `getTunnelConfig` on outputs. */
export function getTunnelConfigOutput(args: Inputs<IdArgs>): pulumi.Output<TunnelConfigResult> {
  return whenKnown(args, (known) => getTunnelConfig(known as IdArgs));
}

/** The service's metrics of a tunnel as they come; the spec does not show their shape. @throws FrontdoorError. */
export function getTunnelMetrics(args: TunnelMetricsArgs): Promise<unknown> {
  return read("getTunnelMetrics", args);
}

/** `getTunnelMetrics` on outputs. */
export function getTunnelMetricsOutput(args: Inputs<TunnelMetricsArgs>): pulumi.Output<unknown> {
  return whenKnown(args, (known) => getTunnelMetrics(known as TunnelMetricsArgs));
}

/** The service's metrics of a share as they come; the spec does not show their shape. @throws FrontdoorError. */
export function getShareMetrics(args: ShareMetricsArgs): Promise<unknown> {
  return read("getShareMetrics", args);
}

/** `getShareMetrics` on outputs. */
export function getShareMetricsOutput(args: Inputs<ShareMetricsArgs>): pulumi.Output<unknown> {
  return whenKnown(args, (known) => getShareMetrics(known as ShareMetricsArgs));
}

/**
 * The generated configuration for the remote site, always secret: it holds the pre-shared key (spec: GET sample-config).
 * There is no promise form, since a promise can't be secret. @throws FrontdoorError, when the output is awaited.
 */
export function getSampleConfig(args: Inputs<IdArgs>): pulumi.Output<string> {
  return pulumi.secret(whenKnown(args, (known) => read<string>("getSampleConfig", known)));
}
