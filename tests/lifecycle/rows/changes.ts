import type { Row } from "../row";
import { both, guest, hq, postShare, postTunnel, ready, seeded, web } from "./program";

/** Reads and lists of a service that shows what was written only later. */
const lagging = { readLagMs: 2_000, listLagMs: 2_000 };

export const changes: Row[] = [
  {
    name: "bad inputs are refused on their properties at preview, and nothing is sent",
    steps: [
      {
        does: "preview",
        program: { tunnels: { hq: { ...hq, peerCidr: "10.20.0.1/16", peerPublicIp: "10.0.0.1" } } },
        sees: {
          errors: [
            /property peerCidr .*has a problem: .*did you mean 10\.20\.0\.0\/16\?/,
            /property peerPublicIp .*has a problem: must be a public IPv4 address/,
          ],
          isSilent: true,
        },
      },
    ],
  },
  {
    name: "a first preview, in which the share's tunnel is unknown, sends nothing",
    steps: [{ does: "preview", program: both, sees: { effects: ["create hq", "create web"], isSilent: true } }],
  },
  {
    name: "what is made is waited for, what is the same is not written, and a share goes before its tunnel",
    settings: lagging,
    steps: [
      {
        does: "up",
        program: both,
        sees: {
          effects: ["create hq", "create web"],
          writes: [postTunnel(), postShare()],
          kept: { hq: { ...ready, sampleConfig: "[secret]", locationId: "loc-1" }, web: ready },
          waitsMs: 2_300,
        },
      },
      { does: "up", program: both, sees: {} },
      {
        does: "destroy",
        sees: {
          effects: ["delete hq", "delete web"],
          writes: ["DELETE /ipsec-shares/<web>", "DELETE /ipsec-tunnels/<hq>"],
          kept: {},
        },
      },
    ],
  },
  {
    name: "a share's change is one PATCH with exactly that, done when lagging reads show it, and a cleared location a PUT",
    steps: [
      {
        does: "up",
        program: { shares: { web: guest } },
        before: (service) => service.seedTunnel(seeded),
        sees: { effects: ["create web"], writes: [postShare(seeded.id)], kept: { web: ready } },
      },
      {
        does: "up",
        program: { shares: { web: { ...guest, target: "web2.internal:443" } } },
        before: ({ settings }) => Object.assign(settings, lagging),
        sees: {
          effects: ["update web"],
          writes: ['PATCH /ipsec-shares/<web> {"target":"web2.internal:443"}'],
          kept: { web: { ...ready, target: "web2.internal:443" } },
          waitsMs: 2_300,
        },
      },
      {
        does: "up",
        program: { shares: { web: { ...guest, name: "intranet", ingressPort: 8443, locationId: "loc-7" } } },
        sees: {
          effects: ["update web"],
          writes: [
            'PATCH /ipsec-shares/<web> {"target":"web.internal:443","ingressPort":8443,"name":"intranet","locationId":"loc-7"}',
          ],
          kept: { web: { ...ready, name: "intranet", locationId: "loc-7" } },
        },
      },
      {
        does: "up",
        program: { shares: { web: guest } },
        sees: {
          effects: ["update web"],
          writes: [`PUT /ipsec-shares/<web> ${JSON.stringify(guest)}`],
          kept: { web: ready },
        },
      },
    ],
  },
  {
    name: "a tunnel's peerCidr replaces share and tunnel delete-first, its locationId make-first with a PATCH of the share",
    steps: [
      {
        does: "up",
        program: both,
        sees: {
          effects: ["create hq", "create web"],
          writes: [postTunnel(), postShare()],
          kept: { hq: ready, web: ready },
        },
      },
      {
        does: "up",
        program: { tunnels: { hq: { ...hq, peerCidr: "10.21.0.0/16" } }, shares: { web } },
        sees: {
          effects: ["replace hq", "replace web"],
          writes: [
            "DELETE /ipsec-shares/<old web>",
            "DELETE /ipsec-tunnels/<old hq>",
            postTunnel({ ...hq, peerCidr: "10.21.0.0/16" }),
            postShare(),
          ],
          kept: { hq: { ...ready, peerCidr: "10.21.0.0/16" }, web: ready },
        },
      },
      {
        does: "up",
        program: { tunnels: { hq: { ...hq, peerCidr: "10.21.0.0/16", locationId: "loc-2" } }, shares: { web } },
        sees: {
          effects: ["replace hq", "update web"],
          writes: [
            postTunnel({ ...hq, peerCidr: "10.21.0.0/16", locationId: "loc-2" }),
            'PATCH /ipsec-shares/<web> {"ipsecTunnelId":"<hq>"}',
            "DELETE /ipsec-tunnels/<old hq>",
          ],
          kept: { hq: { ...ready, locationId: "loc-2" }, web: ready },
        },
      },
    ],
  },
];
