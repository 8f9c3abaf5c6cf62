import { type Row, type Step, created, guest, hq, postShare, postTunnel, ready, seeded, web } from "../row";

const moved = { ...guest, target: "web2.internal:443" };
const impatient = { opts: { customTimeouts: { create: "2s", update: "2s", delete: "2s" } } };
const patient = { opts: { customTimeouts: { create: "2m", update: "2m", delete: "6s" } } };
const late = (name: string) => new RegExp(`<${name}>.*NEW after \\d{1,2} s.*\\[deadline\\]`);

/** What is stuck gets on while it is waited for: at the second look from now on, or a later one. */
const whenWaitedFor =
  (name: string, status: "DEPLOYED" | "DELETED", look = 2): Step["before"] =>
  (service, id) => {
    let looks = 0;
    service.settings.onAnswer = ({ method }) => {
      looks += method === "GET" ? 1 : 0;
      if (looks === look) service.setStatus(id(name), status);
    };
  };

/** An `up` that changes the target of the share with one PATCH. */
const updated = (to: typeof guest, options: object, errors: RegExp[] | undefined, kept: object): Step => ({
  does: "up",
  program: { shares: { web: { ...to, ...options } } },
  sees: {
    effects: ["update web"],
    writes: [`PATCH /ipsec-shares/<web> ${JSON.stringify({ target: to.target })}`],
    ...(errors && { errors }),
    kept: { web: { ...kept } },
  },
});

/** An update that ends at its deadline while reads lag behind. After these steps it is reverted. */
const lagging = (name: string, lagMs: number, ...between: Step[]): Row => ({
  name,
  settings: { readLagMs: 0 },
  steps: [
    created,
    {
      ...updated(moved, impatient, [/<web>.*after \d{1,2} s.*\[deadline\]/], { target: moved.target }),
      before: ({ settings }) => Object.assign(settings, { readLagMs: lagMs, listLagMs: lagMs }),
    },
    ...between,
    updated(guest, patient, undefined, { ...ready, target: guest.target }),
  ],
});

/**
 * After a destroy that its deadline has ended, an `up` raises `customTimeouts.delete`, and another one removes it. Each takes effect, without a
 * request. The dynamic provider shows an update, because a delete gets only the outputs. Pulumi itself keeps the timeouts of the plugin.
 */
const raised = (adapter: "dynamic" | "plugin"): Row => {
  const program = (timeout?: string) => ({
    shares: { web: { ...guest, ...(timeout && { opts: { customTimeouts: { delete: timeout } } }) } },
  });
  const isDynamic = adapter === "dynamic";
  const sees = {
    effects: isDynamic ? ["update web"] : [],
    isSilent: true as const,
    says: isDynamic ? [/customTimeouts only: nothing is sent/] : [],
  };
  const given = (timeout?: string): Step[] => [
    { does: "preview", program: program(timeout), sees },
    {
      does: "up",
      program: program(timeout),
      before: (service, id) => {
        service.setStatus(id("web"), "DEPLOYED");
      },
      sees: { ...sees, kept: { web: ready } },
    },
  ];
  const deletes = { effects: ["delete web"], writes: ["DELETE /ipsec-shares/<web>"] };
  const ends = (after: RegExp): Step => ({
    does: "destroy",
    before: ({ faults }) => faults.stickNext({ kind: "share", op: "delete" }),
    sees: { ...deletes, errors: [new RegExp(`DELETING after ${after.source} s.*\\[not-deleted\\]`)] },
  });
  return {
    adapter,
    name: "a changed customTimeouts.delete takes effect in the next destroy",
    steps: [
      { ...created, program: program("2s") },
      ends(/[2-4]/),
      ...given("8s"),
      ends(/([89]|1\d)/),
      ...given(),
      {
        does: "destroy",
        before(service, id) {
          service.faults.stickNext({ kind: "share", op: "delete" });
          whenWaitedFor("web", "DELETED", 15)?.(service, id);
        },
        sees: { ...deletes, kept: {} },
      },
    ],
  };
};

/** What customTimeouts end, and what the next command makes of it. */
export const timeouts: Row[] = [
  ...(["dynamic", "plugin"] as const).map(raised),
  {
    name: "a share whose create customTimeouts end is kept, and the next up only waits, after a refresh",
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
          errors: [late("web")],
          kept: { web: { status: "NEW" } },
        },
      },
      // Of what is not ready only a read tells what the service has filled in.
      { does: "refresh", sees: { effects: ["update web"], kept: { web: { locationId: seeded.locationId } } } },
      {
        does: "up",
        program: { shares: { web: { ...guest, ...patient } } },
        before: whenWaitedFor("web", "DEPLOYED"),
        sees: { effects: ["update web"], kept: { web: ready } },
      },
    ],
  },
  lagging(
    "an update that customTimeouts end while reads lag behind, and that is reverted, is undone at the service",
    12_000,
  ),
  ...(["share", "tunnel"] as const).map((noun): Row => {
    const name = noun === "share" ? "web" : "hq";
    const post = noun === "share" ? postShare(seeded.id) : postTunnel();
    const deleted = (action: RegExp): Step => ({
      does: "destroy",
      before({ faults }) {
        if (!faults.pending()) faults.stickNext({ kind: noun, op: "delete" });
      },
      sees: {
        effects: [`delete ${name}`],
        writes: [`DELETE /ipsec-${noun}s/<${name}>`],
        errors: [new RegExp(`<${name}>.*DELETING after \\d{1,2} s.*${action.source} <${name}>\\. \\[not-deleted\\]`)],
      },
    });
    return {
      name: `a ${noun} that a second destroy finds DELETING all the time is NetFoundry's to remove`,
      steps: [
        {
          does: "up",
          program:
            noun === "share"
              ? { shares: { web: { ...guest, ...patient } } }
              : { tunnels: { hq: { ...hq, ...patient } } },
          before: (service) => {
            if (noun === "share") service.seedTunnel(seeded);
          },
          sees: { effects: [`create ${name}`], writes: [post], kept: { [name]: ready } },
        },
        deleted(/Run the command again.*NetFoundry about/),
        deleted(/An earlier delete was already under way\. Ask NetFoundry about/),
      ],
    };
  }),
];

/** On Pulumi, such a pause takes two minutes. */
export const readTimeouts: Row[] = [
  {
    name: "customTimeouts.read is the deadline of a refresh",
    steps: [
      { ...created, program: { shares: { web: { ...guest, opts: { customTimeouts: { read: "60s" } } } } } },
      {
        does: "refresh",
        before: ({ faults }) => faults.answerNext({ method: "GET", status: 429, headers: { "retry-after": "120" } }),
        sees: { errors: [/\[long-pause\]/] },
      },
    ],
  },
];

/** The retry begins once a create has met its deadline. */
const firstEndsMs = 4_000;

/** Error hooks (`onError`) that ask for a retry in the same run. The walk has those of tunnels, shares and sets. */
export const hooks: Row[] = [
  {
    name: "an error hook that retries the create of a connection waits again",
    settings: { connectionStatus: "DOWN" },
    steps: [
      {
        does: "up",
        retries: "update what exists",
        program: { connections: { up: { tunnelId: seeded.id, opts: { customTimeouts: { create: "4s" } } } } },
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
