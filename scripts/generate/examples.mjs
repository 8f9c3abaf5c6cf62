// The programs that the schema shows, each said once: languages.mjs prints them in every language that Pulumi documents.
// A statement makes a resource, calls a function or names an output; `{ of: ["tunnel", "id"] }` is that property of what is called so.

const tunnel = {
  make: "IpsecTunnel",
  as: "tunnel",
  named: "branch-office",
  with: { peerPublicIp: "203.0.113.7", peerCidr: "10.20.0.0/16" },
};
const idOfTunnel = { of: ["tunnel", "id"] };
const share = {
  make: "IpsecShare",
  as: "web",
  named: "web",
  with: { ipsecTunnelId: idOfTunnel, envZId: "env-agent-1", target: "intranet.corp.example:443", ingressPort: 443 },
};
const set = {
  make: "IpsecShareSet",
  as: "services",
  named: "services",
  with: {
    ipsecTunnelId: idOfTunnel,
    nlbDnsName: { of: ["tunnel", "nlbDnsName"] },
    envZId: "env-agent-1",
    shares: {
      each: "SetShare",
      byKey: {
        intranet: { target: "intranet.corp.example:443", ingressPort: 443 },
        database: { target: "10.8.0.15:5432", ingressPort: 5432, envZId: "env-agent-2" },
      },
    },
  },
};
const connection = {
  make: "IpsecTunnelConnection",
  as: "connection",
  named: "branch-office-up",
  with: { tunnelId: idOfTunnel },
};
const outputs = (as, ...names) => names.map((name) => ({ output: name, is: { of: [as, name] } }));
const read = (call, as, given, ...names) => [{ call, as, with: given }, ...outputs(as, ...names)];

export const examples = {
  IpsecTunnel: {
    "A tunnel to a branch office": [tunnel, ...outputs("tunnel", "nlbDnsName", "sampleConfig")],
    "Adopt an existing tunnel": [{ ...tunnel, with: { ...tunnel.with, adopt: "tnl-1" } }],
  },
  IpsecShare: {
    "A service published on a tunnel": [tunnel, share, ...outputs("tunnel", "nlbDnsName")],
  },
  IpsecShareSet: {
    "Many services of one tunnel": [tunnel, set, ...outputs("services", "endpoints", "ids")],
  },
  IpsecTunnelConnection: {
    "A tunnel whose connection is waited for": [tunnel, connection, ...outputs("connection", "outsideIpAddress")],
  },
  getTunnel: { "By name": read("getTunnel", "branch", { name: "branch-office" }, "nlbDnsName") },
  getShare: { "By id": read("getShare", "web", { id: "shr-1" }, "target") },
  getTunnels: {
    "Tunnels that are not ready": read(
      "getTunnels",
      "found",
      { status: ["NEW", "ERROR"], sort: "name,asc" },
      "tunnels",
    ),
  },
  getShares: {
    "Shares of one tunnel": [tunnel, ...read("getShares", "found", { ipsecTunnelId: [idOfTunnel] }, "shares")],
  },
  getTunnelConfig: {
    "The connection of a tunnel": [tunnel, ...read("getTunnelConfig", "live", { id: idOfTunnel }, "state")],
  },
  getTunnelMetrics: { "Metrics of a day": read("getTunnelMetrics", "day", { id: "tnl-1", window: "1d" }, "metrics") },
  getShareMetrics: {
    "Metrics of a quarter of an hour": read("getShareMetrics", "recent", { id: "shr-1", duration: "15m" }, "metrics"),
  },
  getSampleConfig: {
    "For the remote site": [tunnel, ...read("getSampleConfig", "sample", { id: idOfTunnel }, "sampleConfig")],
  },
};
