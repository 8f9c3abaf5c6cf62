import type { Row } from "../row";
import { found, left } from "./left";
import { created, guest, hq, postShare, postTunnel, ready, seeded } from "./program";

const share = { shares: { web: guest } };
const tunnel = { tunnels: { hq } };
const failed = 'the service reports ERROR; it is kept in the state: run "pulumi up" again';
const sentOnceMore = new RegExp(`^web: .*IPsec share "web" \\(<web>\\): ${failed}, it sends the share once more`);

const moved = { ...guest, target: "web2.internal:443" };

/** What ends in ERROR, and what the next up makes of it. */
export const errors: Row[] = [
  ...left({
    name: "a share whose create ends in ERROR keeps its id, and the next up sends it once more",
    steps: [
      {
        does: "up",
        program: share,
        before(service) {
          service.seedTunnel(seeded);
          service.faults.failNext({ kind: "share", op: "create" });
        },
        sees: {
          effects: ["create web"],
          writes: [postShare(seeded.id)],
          errors: [sentOnceMore],
          kept: { web: { status: "ERROR" } },
        },
      },
    ],
    next: {
      does: "up",
      program: share,
      sees: {
        effects: ["update web"],
        writes: [`PUT /ipsec-shares/<web> ${JSON.stringify(guest)}`],
        kept: { web: ready },
      },
    },
    refresh: found.web,
  }),
  ...left({
    name: "a share whose update ends in ERROR is sent once more as a whole by the next up",
    steps: [
      created,
      {
        does: "up",
        program: { shares: { web: moved } },
        before: ({ faults }) => faults.failNext({ kind: "share", op: "update" }),
        sees: {
          effects: ["update web"],
          writes: ['PATCH /ipsec-shares/<web> {"target":"web2.internal:443"}'],
          errors: [sentOnceMore],
          kept: { web: { status: "ERROR", target: "web2.internal:443" } },
        },
      },
    ],
    next: {
      does: "up",
      program: { shares: { web: moved } },
      sees: {
        effects: ["update web"],
        writes: [`PUT /ipsec-shares/<web> ${JSON.stringify(moved)}`],
        kept: { web: ready },
      },
    },
    refresh: found.web,
  }),
  ...left({
    name: "a tunnel whose create ends in ERROR is kept, and the next up replaces it",
    steps: [
      {
        does: "up",
        program: tunnel,
        before: ({ faults }) => faults.failNext({ kind: "tunnel", op: "create" }),
        sees: {
          effects: ["create hq"],
          writes: [postTunnel()],
          errors: [new RegExp(`^hq: .*IPsec tunnel "hq" \\(<hq>\\): ${failed}, it replaces the tunnel`)],
          kept: { hq: { status: "ERROR" } },
        },
      },
    ],
    next: {
      does: "up",
      program: tunnel,
      sees: { effects: ["replace hq"], writes: ["DELETE /ipsec-tunnels/<old hq>", postTunnel()], kept: { hq: ready } },
    },
    refresh: found.hq,
  }),
];
