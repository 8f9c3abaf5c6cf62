import type { Row, Step } from "../row";
import { both, guest, hq, postShare, postTunnel, ready, seeded } from "./program";

const share = { shares: { web: guest } };
const tunnel = { tunnels: { hq } };
const impatient = { opts: { customTimeouts: { create: "2s", update: "2s", delete: "2s" } } };
const patient = { opts: { customTimeouts: { create: "2m", update: "2m", delete: "2m" } } };
const failed = 'the service reports ERROR; it is kept in the state: run "pulumi up" again';
const late =
  /^web: .*IPsec share "web" \(shr-\d+\): still NEW after \d+ s; it is kept in the state: run "pulumi up" again/;

/** What is stuck becomes ready while it is waited for: at the third look from now on. */
const readyWhenWaitedFor =
  (name: string): Step["before"] =>
  (service, id) => {
    let looks = 0;
    service.settings.onAnswer = ({ method }) => {
      looks += method === "GET" ? 1 : 0;
      if (looks === 3) service.setStatus(id(name), "DEPLOYED");
    };
  };

const created: Step = {
  does: "up",
  program: share,
  before: (service) => service.seedTunnel(seeded),
  sees: { effects: ["create web"], writes: [postShare(seeded.id)], kept: { web: ready } },
};

/** What ends otherwise than it was meant to, and what the next command makes of it. */
export const trouble: Row[] = [
  {
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
          errors: [new RegExp(`^web: .*IPsec share "web" \\(shr-\\d+\\): ${failed}, it sends the share once more`)],
          kept: { web: { status: "ERROR" } },
        },
      },
      {
        does: "up",
        program: share,
        sees: {
          effects: ["update web"],
          writes: [`PUT /ipsec-shares/<web> ${JSON.stringify(guest)}`],
          kept: { web: ready },
        },
      },
    ],
  },
  {
    name: "a tunnel whose create ends in ERROR is kept, and after a refresh too the next up replaces it",
    steps: [
      {
        does: "up",
        program: tunnel,
        before: ({ faults }) => faults.failNext({ kind: "tunnel", op: "create" }),
        sees: {
          effects: ["create hq"],
          writes: [postTunnel()],
          errors: [new RegExp(`^hq: .*IPsec tunnel "hq" \\(tnl-\\d+\\): ${failed}, it replaces the tunnel`)],
          kept: { hq: { status: "ERROR" } },
        },
      },
      { does: "refresh", sees: {} },
      {
        does: "up",
        program: tunnel,
        sees: {
          effects: ["replace hq"],
          writes: ["DELETE /ipsec-tunnels/<old hq>", postTunnel()],
          kept: { hq: ready },
        },
      },
    ],
  },
  {
    name: "a create that customTimeouts end is kept, and the next up only waits",
    steps: [
      {
        does: "up",
        program: { shares: { web: { ...guest, ...impatient } } },
        before(service) {
          service.seedTunnel(seeded);
          service.faults.stickNext({ kind: "share", op: "create" });
        },
        sees: {
          effects: ["create web"],
          writes: [postShare(seeded.id)],
          errors: [late],
          kept: { web: { status: "NEW" } },
        },
      },
      {
        does: "up",
        program: { shares: { web: { ...guest, ...patient } } },
        before: readyWhenWaitedFor("web"),
        sees: { effects: ["update web"], kept: { web: ready } },
      },
    ],
  },
  {
    name: "an update and a delete that customTimeouts end are kept too, and the next command only waits",
    steps: [
      created,
      {
        does: "up",
        program: { shares: { web: { ...guest, ...impatient, target: "web2.internal:443" } } },
        before: ({ faults }) => faults.stickNext({ kind: "share", op: "update" }),
        sees: {
          effects: ["update web"],
          writes: ['PATCH /ipsec-shares/<web> {"target":"web2.internal:443"}'],
          errors: [late],
          kept: { web: { status: "NEW" } },
        },
      },
      {
        does: "up",
        program: { shares: { web: { ...guest, ...impatient, target: "web2.internal:443" } } },
        before: readyWhenWaitedFor("web"),
        sees: { effects: ["update web"], kept: { web: { ...ready, target: "web2.internal:443" } } },
      },
      {
        does: "destroy",
        before: ({ faults }) => faults.stickNext({ kind: "share", op: "delete" }),
        sees: {
          effects: ["delete web"],
          writes: ["DELETE /ipsec-shares/<web>"],
          errors: [/IPsec share "web" \(shr-\d+\): delete: still DELETING after \d+ s; it stays/],
        },
      },
      {
        does: "destroy",
        before: (service, id) => service.setStatus(id("web"), "DELETED"),
        sees: { effects: ["delete web"], kept: {} },
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
        program: share,
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
        does: "refresh",
        before(service, id) {
          service.removeShare(id("web"));
          service.removeTunnel(id("hq"));
        },
        sees: { effects: ["delete hq", "delete web"], kept: {} },
      },
      {
        does: "up",
        program: both,
        sees: {
          effects: ["create hq", "create web"],
          writes: [postTunnel(), postShare()],
          kept: { hq: ready, web: ready },
        },
      },
    ],
  },
  {
    name: "an interrupt lets a create end and begins nothing else, and the next up goes on",
    settings: { provisionMs: 4_000 },
    steps: [
      {
        does: "up",
        program: both,
        interrupt: { after: "POST /ipsec-tunnels", times: 1 },
        sees: { effects: ["create hq"], writes: [postTunnel()], errors: [], kept: { hq: ready } },
      },
      {
        does: "up",
        program: both,
        sees: { effects: ["create web"], writes: [postShare()], kept: { hq: ready, web: ready } },
      },
    ],
  },
  {
    name: "a second interrupt ends a create at once, and the next up takes over what it had begun",
    settings: { provisionMs: 4_000 },
    steps: [
      {
        does: "up",
        program: both,
        interrupt: { after: "POST /ipsec-tunnels", times: 2 },
        sees: { effects: ["create hq"], writes: [postTunnel()], errors: [], kept: {} },
      },
      {
        does: "up",
        program: both,
        sees: { effects: ["create hq", "create web"], writes: [postShare()], kept: { hq: ready, web: ready } },
      },
    ],
  },
];
