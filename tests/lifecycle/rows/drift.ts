import type { Row } from "../row";
import { both, created, guest, hq, made, postShare, postTunnel, ready, web } from "./program";

const moved = { tunnels: { hq: { ...hq, peerCidr: "10.21.0.0/16" } }, shares: { web } };

/** What others do at the service. */
export const drift: Row[] = [
  ...[
    {
      answer: { status: 404, headers: { "content-type": "text/html" }, body: "<p>Not here</p>" },
      says: /web page \(404\)/,
    },
    {
      answer: { status: 403, body: { error: "not_found", message: "Front door with identifier x was not found" } },
      says: /403 not_found: .*\[not-found-front-door\]/,
    },
  ].map(({ answer, says }): Row => ({
    name: `a refresh that is answered with ${answer.status} by something else than the resource fails, and the state keeps all`,
    steps: [
      made,
      {
        does: "refresh",
        before: ({ faults }) => faults.answerNext({ ...answer, times: 1000 }),
        sees: { errors: [says] },
      },
    ],
  })),
  {
    name: "a tunnel with somebody else's share is neither replaced nor deleted, and keeps its own shares while it is declared",
    steps: [
      made,
      {
        does: "up",
        program: moved,
        before(service, id) {
          service.seedShare({ id: "shr-foreign", name: "guest", ipsecTunnelId: id("hq") });
        },
        sees: { effects: ["replace web"], errors: [/<hq>.*shr-foreign.*\[tunnel-in-use\]/] },
      },
      { does: "up", program: both, sees: {} },
      {
        does: "destroy",
        sees: {
          effects: ["delete hq", "delete web"],
          writes: ["DELETE /ipsec-shares/<web>", "DELETE /ipsec-tunnels/<hq>"],
          errors: [/<hq>.*shr-foreign.*\[tunnel-in-use\]/],
          kept: { hq: ready },
        },
      },
      {
        does: "up",
        program: moved,
        before: (service) => {
          service.removeShare("shr-foreign");
        },
        sees: {
          effects: ["create web", "replace hq"],
          writes: ["DELETE /ipsec-tunnels/<old hq>", postTunnel(moved.tunnels.hq), postShare()],
          kept: { hq: ready, web: ready },
        },
      },
    ],
  },
  {
    name: "a refresh shows what was changed by hand, and the next up puts it back",
    steps: [
      created,
      {
        does: "refresh",
        before: (service, id) => service.patchShare(id("web"), { target: "elsewhere:443" }),
        sees: { effects: ["update web"], kept: { web: { ...ready, target: "elsewhere:443" } } },
      },
      {
        does: "up",
        program: { shares: { web: guest } },
        sees: {
          effects: ["update web"],
          writes: ['PATCH /ipsec-shares/<web> {"target":"web.internal:443"}'],
          kept: { web: { ...ready, target: "web.internal:443" } },
        },
      },
    ],
  },
  {
    name: "a refresh drops what was deleted by hand, and the next up makes it anew",
    steps: [
      made,
      {
        does: "refresh",
        before(service, id) {
          service.removeShare(id("web"));
          service.removeTunnel(id("hq"));
        },
        sees: { effects: ["delete hq", "delete web"], kept: {} },
      },
      made,
    ],
  },
];
