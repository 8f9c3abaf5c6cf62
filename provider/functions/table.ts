import type { Reads } from "./reads";

/** The docs of a function, and the names of its types (`args.ts`, `results.ts`). */
export interface FunctionRow {
  doc: string;
  args: string;
  /** True if a program may omit all arguments. */
  isCallableWithout?: true;
  result: string;
  /** When the function fails, if its docs must say so. */
  failsWhere?: string;
  /** True if there is only a secret output and no promise: a promise can't be secret. */
  isSecret?: true;
  /** The property that holds the result if an object is needed and the result is none. */
  property?: string;
}

/** The functions. Those of the dynamic provider and of the plugin are generated from this table. */
export const functionTable: Record<keyof Reads, FunctionRow> = {
  getTunnel: {
    doc: "The tunnel of this id, or the only one of this name (those on their way out do not count), with all fields.",
    args: "OneArgs",
    result: "TunnelResult",
    failsWhere: "where there is none, or more than one",
  },
  getShare: {
    doc: "The share of this id, or the only one of this name (those on their way out do not count).",
    args: "OneArgs",
    result: "ShareResult",
    failsWhere: "where there is none, or more than one",
  },
  getTunnels: {
    doc: "Every tunnel that has one of the given values in each given property, in the given order; all pages. The service's lists leave out `nlbPrivateIp`, `nlbDnsName` and `vpnConnectionId`: `getTunnel` tells them.",
    args: "TunnelsArgs",
    isCallableWithout: true,
    result: "{ tunnels: TunnelResult[] }",
  },
  getShares: {
    doc: "Every share that has one of the given values in each given property, in the given order; all pages.",
    args: "SharesArgs",
    isCallableWithout: true,
    result: "{ shares: ShareResult[] }",
  },
  getTunnelConfig: {
    doc: "The VPN connection as it is now, its state and status included; the tunnel must be DEPLOYED.",
    args: "IdArgs",
    result: "TunnelConfigResult",
  },
  getTunnelMetrics: {
    doc: "The service's metrics of a tunnel as they come; the service's specification does not show their shape.",
    args: "TunnelMetricsArgs",
    result: "unknown",
    property: "metrics",
  },
  getShareMetrics: {
    doc: "The service's metrics of a share as they come; the service's specification does not show their shape.",
    args: "ShareMetricsArgs",
    result: "unknown",
    property: "metrics",
  },
  getSampleConfig: {
    doc: "The generated configuration for the remote site, always secret: it holds the pre-shared key. There is no promise form, since a promise can't be secret.",
    args: "IdArgs",
    result: "string",
    failsWhere: "when the output is awaited",
    isSecret: true,
    property: "sampleConfig",
  },
};
