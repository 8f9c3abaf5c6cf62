import type { Emulator } from "../../../emulator";
import type { Resources } from "../../harness/stack";
import { web as things } from "../../harness/things";
import type { Retries } from "../../model/program";
import { guest, hq, postShare, postTunnel, ready, type Row, seeded, web } from "../row";

const impatient = { opts: { customTimeouts: { create: "4s", update: "4s" } } };
const refused = { method: "GET", status: 401, body: { error: "unauthorized", message: "who are you" } } as const;
/** The retry begins once a create has met its deadline. */
const firstEndsMs = 4_000;

const kinds: { what: string; name: string; kind: "tunnel" | "share"; program: Resources; post: string }[] = [
  {
    what: "a tunnel",
    name: "hq",
    kind: "tunnel",
    program: { tunnels: { hq: { ...hq, ...impatient } } },
    post: postTunnel(),
  },
  {
    ...{ what: "a share", name: "web", kind: "share", post: postShare(seeded.id) },
    program: { shares: { web: { ...guest, ...impatient } } },
  },
  {
    ...{ what: "a set", name: "services", kind: "share", post: postShare(seeded.id) },
    program: {
      sets: { services: { ipsecTunnelId: seeded.id, shares: { web: things }, ...impatient } },
    },
  },
];

/** Does this at the first read that comes so long after the POST. */
function afterPost({ settings, clock }: Emulator, ms: number, act: () => void): void {
  let postedAtMs = Infinity;
  settings.onAnswer = ({ method }) => {
    if (method === "POST") postedAtMs = clock.now();
    if (clock.now() - postedAtMs < ms) return;
    settings.onAnswer = null;
    act();
  };
}

const rowsFor = (retries: Retries): Row[] => [
  ...kinds.flatMap(({ what, name, kind, program, post }): Row[] => [
    {
      name: `an error hook that retries the create of ${what} resumes it: ${retries}`,
      steps: [
        {
          ...{ does: "up", program, retries },
          before(service) {
            if (kind === "share") service.seedTunnel(seeded);
            service.faults.stickNext({ kind, op: "create" });
            afterPost(service, firstEndsMs + 500, () => {
              for (const { id } of [...service.tunnels(), ...service.shares()]) service.setStatus(id, "DEPLOYED");
            });
          },
          sees: { effects: [`create ${name}`], writes: [post], kept: { [name]: ready } },
        },
      ],
    },
    {
      name: `an error hook whose retry of ${what} fails for another reason keeps the id: ${retries}`,
      steps: [
        {
          ...{ does: "up", program, retries },
          before(service) {
            if (kind === "share") service.seedTunnel(seeded);
            service.faults.stickNext({ kind, op: "create" });
            service.faults.answerNext({ ...refused, path: /^\/ipsec-(tunnel|share)s\/[^/]+$/, times: 1000 });
          },
          sees: {
            effects: [`create ${name}`],
            writes: [post],
            errors: [/./],
            kept: { [name]: { status: "NEW" } },
          },
        },
        {
          ...{ does: "up", program },
          before(service) {
            service.faults.clear();
            for (const { id } of [...service.tunnels(), ...service.shares()]) service.setStatus(id, "DEPLOYED");
          },
          sees: { effects: [`update ${name}`], kept: { [name]: ready } },
        },
      ],
    },
  ]),
];

/** Error hooks (`onError`) that ask for a retry in the same run. */
export const hooks: Row[] = [
  ...rowsFor("create again"),
  ...rowsFor("update what exists"),
  {
    name: "an error hook that retries the create of a connection waits again",
    settings: { connectionStatus: "DOWN" },
    steps: [
      {
        does: "up",
        retries: "update what exists",
        program: { connections: { up: { tunnelId: seeded.id, ...impatient } } },
        before(service) {
          service.seedTunnel(seeded);
          const startedMs = service.clock.now();
          service.settings.onAnswer = () => {
            if (service.clock.now() - startedMs > firstEndsMs) service.settings.connectionStatus = "UP";
          };
        },
        sees: { effects: ["create up"], kept: { up: { tunnelId: seeded.id } } },
      },
    ],
  },
  {
    name: "an error hook that retries a create whose POST was lost late in the run sends no second one",
    settings: { provisionMs: 60_000 },
    steps: [
      {
        does: "up",
        retries: "create again",
        program: {
          tunnels: { hq },
          shares: { web: { ...web, opts: { customTimeouts: { create: "20s" } } } },
        },
        before: ({ faults }) => faults.add({ fault: "late", method: "POST", path: /ipsec-shares/, delayMs: 35_000 }),
        sees: {
          effects: ["create hq", "create web"],
          writes: [postTunnel(), postShare()],
          errors: [/<web>.*\[deadline\]/],
          kept: { hq: ready, web: { status: "NEW" } },
        },
      },
      {
        ...{ does: "up", program: { tunnels: { hq }, shares: { web } } },
        sees: { effects: ["update web"], kept: { hq: ready, web: ready } },
      },
    ],
  },
];
