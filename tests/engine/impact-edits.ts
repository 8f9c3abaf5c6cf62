import type { Resources } from "../harness/stack";

const hq = { name: "hq", peerPublicIp: "203.0.113.7", peerCidr: "10.20.0.0/16", locationId: "loc-1" };
const branch = { name: "branch", peerPublicIp: "203.0.113.8", peerCidr: "10.30.0.0/16", locationId: "loc-2" };
const port = (ingressPort: number, more: object = {}) => ({ target: `h${ingressPort}:443`, ingressPort, ...more });
const on = (tunnel: string, ingressPort: number, more: object = {}) => ({
  ...{ ipsecTunnelId: { tunnel }, envZId: "env-1" },
  ...port(ingressPort, more),
});

const tunnels = { hq, branch };
const shares = { web: on("hq", 443), db: on("hq", 5432) };
const keys = { a: port(1001), b: port(1002), c: port(1003) };
const setOf = (all: object, more: object = {}) => ({
  services: { ipsecTunnelId: { tunnel: "hq" }, envZId: "env-1", shares: all, ...more },
});

const start = { tunnels, shares, sets: setOf(keys) };
const moved = { hq: { ...hq, locationId: "loc-3" }, branch };
const recut = { hq: { ...hq, peerCidr: "10.21.0.0/16" }, branch };

/** Edits of one program, each after the one before. */
export const edits: [name: string, program: Resources][] = [
  ["everything is created", start],
  ["a share gets another target", { ...start, shares: { ...shares, web: on("hq", 443, { target: "web2:443" }) } }],
  ["a share gets a location", { ...start, shares: { ...shares, web: on("hq", 443, { locationId: "loc-7" }) } }],
  ["a share loses its location", start],
  ["one key changes, one goes and one comes", { ...start, sets: setOf({ a: keys.a, b: port(1012), d: port(1004) }) }],
  ["a key takes the port of a key that goes", { ...start, sets: setOf({ a: port(1012), d: port(1004) }) }],
  ["a key is retained", { ...start, sets: setOf({ a: port(1012), d: port(1004, { retain: true }) }) }],
  ["a retained key goes", { ...start, sets: setOf({ a: port(1012) }) }],
  ["a tunnel keeps no sample configuration", { ...start, tunnels: { hq: { ...hq, storeSampleConfig: false }, branch } }],
  ["a tunnel gets another network", { ...start, tunnels: recut }],
  ["a tunnel moves", { ...start, tunnels: moved }],
  ["a tunnel gets another network while one of its shares leaves", { ...start, tunnels, shares: { db: shares.db } }],
  [
    "a share moves to another tunnel while its own is replaced",
    { ...start, tunnels: recut, shares: { web: on("hq", 443), db: on("branch", 5432) } },
  ],
  ["a set moves to another tunnel", { ...start, tunnels: recut, sets: setOf(keys, { ipsecTunnelId: { tunnel: "branch" } }) }],
  [
    "a moved tunnel is deleted first by its options",
    { ...start, tunnels: { hq: { ...moved.hq, opts: { deleteBeforeReplace: true } }, branch } },
  ],
  [
    "a share is replaced by its options",
    { ...start, tunnels: moved, shares: { ...shares, web: on("hq", 443, { target: "web3:443", opts: { replaceOnChanges: ["target"] } }) } },
  ],
  ["a share and its options stay", { ...start, tunnels: moved, shares: { ...shares, db: on("hq", 5432, { opts: { retainOnDelete: true } }) } }],
  ["a share leaves and stays at the service", { ...start, tunnels: moved, shares: { web: shares.web } }],
  ["a share in a secret environment", { ...start, tunnels: moved, shares: { web: shares.web, safe: on("hq", 8443, { envZId: { secret: "env-9" } }) } }],
  ["another secret environment", { ...start, tunnels: moved, shares: { web: shares.web, safe: on("hq", 8443, { envZId: { secret: "env-8" } }) } }],
  ["a set in a secret environment", { ...start, tunnels: moved, shares: { web: shares.web }, sets: setOf(keys, { envZId: { secret: "env-9" } }) }],
  ["a key of a secret set goes", { ...start, tunnels: moved, shares: { web: shares.web }, sets: setOf({ a: keys.a }, { envZId: { secret: "env-9" } }) }],
  ["everything leaves", {}],
];
