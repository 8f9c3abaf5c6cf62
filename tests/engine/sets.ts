import type { Stack } from "../harness/stack";

export const hq = { name: "hq", peerPublicIp: "203.0.113.7", peerCidr: "10.20.0.0/16", locationId: "loc-1" };
export const on = { ipsecTunnelId: { tunnel: "hq" }, envZId: "env-1" };
export const port = (ingressPort: number, more: object = {}) => ({
  target: `h${ingressPort}.internal:443`,
  ingressPort,
  ...more,
});
export const both = { web: port(443), db: port(5432) };

/** A tunnel and a set of it. */
export const program = (shares: object, more: object = {}, tunnel: object = {}) => ({
  tunnels: { hq: { ...hq, ...tunnel } },
  sets: { services: { ...on, shares, ...more } },
});

/** A single share on that tunnel, which adopts this one. */
export const singleOn = (share: object, adopt: string | undefined, more: object = {}) => ({
  ...on,
  ...share,
  adopt,
  ...more,
});

/** The same tunnel as JavaScript, for programs that declare things late. */
export const tunnelSource = `const hq = new frontdoor.IpsecTunnel("hq", ${JSON.stringify(hq)});
const place = { ipsecTunnelId: hq.id, envZId: "env-1" };`;

interface SetOutputs {
  shares: Record<string, { name: string; target: string; status: string }>;
  ids: Record<string, string>;
  status: string;
}

export const outputsOfSet = (stack: Stack) => stack.kept()["services"]?.outputs as unknown as SetOutputs;

/** The ports of the shares that there are, by id. */
export const livePorts = (stack: Stack) =>
  Object.fromEntries(
    stack.emulator.shares().flatMap((each) => (each.status === "DELETED" ? [] : [[each.id, each.ingressPort]])),
  );
