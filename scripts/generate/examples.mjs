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

// What the printers in languages/ have in common. A program is a list of statements, as examples.mjs has them.

export const capital = (name) => name[0].toUpperCase() + name.slice(1);
export const snake = (name) => name.replace(/[A-Z]/g, "_$&").toLowerCase();
export const quoted = (value) => JSON.stringify(value);
export const indent = (text, by) => text.replace(/^(?=.)/gm, by);

/** The statements of one kind: `make`, `call` or `output`. */
export const those = (program, kind) => program.filter((statement) => kind in statement);

/** Whether this is the name of a resource, and not of a function's result. */
export const madeIn = (program, as) => those(program, "make").some((statement) => statement.as === as);

/**
 * Prints a value: a property of something by `of`, a list of printed values by `list`, a text, number or boolean by `plain`, and many
 * of one type of the schema by `byKey`, which is given the type and pairs of a key and what the one has.
 */
export const valued = ({ of, list, byKey, plain = quoted }) => {
  const print = (value) => {
    if (Array.isArray(value)) return list(value.map(print), value);
    if (value.byKey) return byKey(value.each, Object.entries(value.byKey));
    return value.of ? of(...value.of) : plain(value);
  };
  return print;
};

export const members = (given, print) => Object.entries(given).map(([name, value]) => print(name, value));

/** The types of which a program has many by their keys. */
export const eachIn = (program) => [
  ...new Set(
    those(program, "make").flatMap(({ with: all }) =>
      Object.values(all).flatMap(({ byKey, each }) => (byKey ? each : [])),
    ),
  ),
];

/** What comes before the outputs, in order. */
export const body = (program, make, call) =>
  program
    .filter((statement) => !("output" in statement))
    .map((statement) => ("make" in statement ? make(statement) : call(statement)))
    .join("\n");
