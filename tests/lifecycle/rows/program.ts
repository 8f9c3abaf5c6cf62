import type { Step } from "../row";

/** A tunnel and a share on it, as most rows declare them. */
export const hq = { name: "hq", peerPublicIp: "203.0.113.7", peerCidr: "10.20.0.0/16" };
export const web = {
  ...{ name: "web", ipsecTunnelId: { tunnel: "hq" }, envZId: "env-1" },
  ...{ target: "web.internal:443", ingressPort: 443 },
};
export const both = { tunnels: { hq }, shares: { web } };

/** A share on a tunnel that others have made. */
export const seeded = { id: "tnl-seeded", locationId: "loc-seeded" };
export const guest = { ...web, ipsecTunnelId: seeded.id };

/** What is sent to make them. */
export const postTunnel = (args: object = hq): string => `POST /ipsec-tunnels ${JSON.stringify(args)}`;
export const postShare = (ipsecTunnelId = "<hq>"): string =>
  `POST /ipsec-shares ${JSON.stringify({ ...web, ipsecTunnelId })}`;

/** What the state shows of what is ready. */
export const ready = { status: "DEPLOYED" };

/** They are there before anything else happens. */
export const made = {
  does: "up",
  program: both,
  sees: {
    effects: ["create hq", "create web"],
    writes: [postTunnel(), postShare()],
    kept: { hq: ready, web: ready },
  },
} satisfies Step;
export const created = {
  does: "up",
  program: { shares: { web: guest } },
  before: (service) => service.seedTunnel(seeded),
  sees: { effects: ["create web"], writes: [postShare(seeded.id)], kept: { web: ready } },
} satisfies Step;
