import type { Reads } from "./functions";

/** The docs of a function, and the names of its types (`args.ts`). */
export interface FunctionRow {
  doc: string;
  args: string;
  /** True if a program may omit all arguments. */
  isCallableWithout?: true;
  result: string;
  /** When the function fails, if its docs must say so. */
  failsWhere?: string;
  /** True if it returns a secret output. A promise can't be secret: for hooks, `read…` returns one. */
  isSecret?: true;
  /** The property that holds the result if an object is needed and the result is none. */
  property?: string;
}

/** The functions. Those of the dynamic provider and of the plugin are generated from this table. */
export const functionTable: Record<keyof Reads, FunctionRow> = {
  getTunnel: {
    doc: "Returns the tunnel with this id, or the only tunnel with this name, with all fields. It ignores tunnels that are being deleted.",
    args: "OneArgs",
    result: "TunnelResult",
    failsWhere: "if there is none, or more than one",
  },
  getShare: {
    doc: "Returns the share with this id, or the only share with this name. It ignores shares that are being deleted.",
    args: "OneArgs",
    result: "ShareResult",
    failsWhere: "if there is none, or more than one",
  },
  getTunnels: {
    doc: "Returns all tunnels that match: filters on different properties must all match, and several values of one property are alternatives. `sort` sets the order. Lists omit `nlbPrivateIp`, `nlbDnsName` and `vpnConnectionId`. To read these fields, use `getTunnel`.",
    args: "TunnelsArgs",
    isCallableWithout: true,
    result: "{ tunnels: TunnelResult[] }",
  },
  getShares: {
    doc: "Returns all shares that match: filters on different properties must all match, and several values of one property are alternatives. `sort` sets the order.",
    args: "SharesArgs",
    isCallableWithout: true,
    result: "{ shares: ShareResult[] }",
  },
  getTunnelConfig: {
    doc: "Returns the current VPN connection, with its state and status. The tunnel must be DEPLOYED.",
    args: "IdArgs",
    result: "TunnelConfigResult",
  },
  getTunnelMetrics: {
    doc: "Returns the metrics of a tunnel as Frontdoor returns them. The specification does not show their format.",
    args: "TunnelMetricsArgs",
    result: "unknown",
    property: "metrics",
  },
  getShareMetrics: {
    doc: "Returns the metrics of a share as Frontdoor returns them. The specification does not show their format.",
    args: "ShareMetricsArgs",
    result: "unknown",
    property: "metrics",
  },
  getSampleConfig: {
    doc: "Returns the generated configuration for the remote site. It contains the pre-shared key, so it is always secret.",
    args: "IdArgs",
    result: "string",
    failsWhere: "when the output is awaited",
    isSecret: true,
    property: "sampleConfig",
  },
  getPreSharedKey: {
    doc: "Returns the pre-shared key in the sample configuration, for a vault. It is always secret. Of several keys it takes the one that stands on a line with `outsideIpAddress`.",
    args: "IdArgs",
    result: "string",
    failsWhere: "when the output is awaited, if there is no key, more than one, or only a masked one",
    isSecret: true,
    property: "preSharedKey",
  },
};
