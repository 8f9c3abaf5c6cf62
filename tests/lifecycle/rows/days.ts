import { showEach } from "../../harness/shown";
import {
  created,
  guest,
  hq,
  made,
  onAnswer,
  postShare,
  postTunnel,
  ready,
  type Row,
  seeded,
  type Step,
  web,
} from "../row";

const changed = { ...guest, target: "web2.internal:443" };
const patched = (change: object) => `PATCH /ipsec-shares/<web> ${JSON.stringify(change)}`;

/** As soon as the service has answered the PATCH of the share, the share is deployed with these values. */
const afterPatch =
  (change: { target?: string; ingressPort?: number }): Step["before"] =>
  (service, id) => {
    onAnswer(service, `PATCH /ipsec-shares/${id("web")}`, () => {
      service.patchShare(id("web"), change);
      service.setStatus(id("web"), "DEPLOYED");
    });
  };
const forbidden = { status: 403, body: { error: "access_denied", message: "no right to read this" } };

/** A tunnel that has worked shows its connection. */
const worked = {
  ...ready,
  tunnelConfig: expect.objectContaining({ outsideIpAddress: expect.any(String) as string }) as object,
};
const withoutSample: Step = {
  does: "up",
  program: { tunnels: { hq: { ...hq, storeSampleConfig: false } } },
  sees: { effects: ["create hq"], writes: [postTunnel()], kept: { hq: worked } },
};

/** A tunnel, and a share that does not follow it. */
const ignoring = (tunnel: object) => ({
  tunnels: { hq: { ...hq, ...tunnel } },
  shares: { web: { ...web, opts: { ignoreChanges: ["ipsecTunnelId"] } } },
});

/** Ordinary days: colleagues, replicas that lag, lost answers, secrets, narrow tokens. */
/** What is to be gone shows for so long as it was. */
const stillInError: Step["before"] = (service) => {
  for (const kind of ["share", "tunnel"] as const)
    showEach(service, kind, (entry) => (entry["status"] === "DELETING" ? { ...entry, status: "ERROR" } : entry));
};
const errorKept = { status: "ERROR" };

/** Frontdoor shows more than the specification has: settings of its console, and what it manages itself. */
const showMore: Step["before"] = (service) => {
  const managed = {
    createdAt: "2026-01-01",
    updatedBy: "ops",
    statusMessage: "x",
    _links: { self: {} },
    deletedAt: null,
  };
  showEach(service, "share", (entry) => ({
    ...entry,
    envId: entry["envZId"],
    ...managed,
    ...settingsKept,
  }));
};
/** Names that resemble those of a time or a status too. */
const settingsKept = { idleTime: 300, expiryDate: "2027-01-01", statusPage: true, tags: { team: "net" } };

const unnamed = { ...guest, name: undefined };
const consoleName = "Console Name!";

export const days: Row[] = [
  {
    name: "a share without a name keeps the one that somebody gives it in Frontdoor",
    steps: [
      {
        ...created,
        program: { shares: { web: unnamed } },
        sees: {
          ...created.sees,
          writes: [`POST /ipsec-shares ${JSON.stringify({ ...guest, name: "engine-test-web" })}`],
        },
      },
      {
        does: "refresh",
        before: (service, id) => {
          service.patchShare(id("web"), { name: consoleName });
        },
        sees: { effects: ["update web"], kept: { web: { ...ready, name: consoleName } } },
      },
      { does: "up", program: { shares: { web: unnamed } }, sees: {} },
      {
        does: "up",
        program: { shares: { web: { ...unnamed, target: changed.target } } },
        sees: {
          effects: ["update web"],
          writes: [patched({ target: changed.target })],
          kept: { web: { ...ready, name: consoleName, target: changed.target } },
        },
      },
    ],
  },
  {
    name: "a PUT sends back what Frontdoor shows and the provider does not know, but not what Frontdoor manages itself",
    steps: [
      {
        ...created,
        program: { shares: { web: { ...guest, locationId: "loc-2" } } },
        sees: { ...created.sees, writes: [`POST /ipsec-shares ${JSON.stringify({ ...guest, locationId: "loc-2" })}`] },
      },
      {
        does: "up",
        program: { shares: { web: guest } },
        before: showMore,
        sees: {
          effects: ["update web"],
          writes: [`PUT /ipsec-shares/<web> ${JSON.stringify({ ...guest, ...settingsKept })}`],
          kept: { web: ready },
        },
      },
      {
        does: "refresh",
        before: (service, id) => {
          service.setStatus(id("web"), "ERROR");
        },
        sees: { effects: ["update web"], kept: { web: { status: "ERROR" } } },
      },
      {
        does: "up",
        program: { shares: { web: changed } },
        sees: {
          effects: ["update web"],
          writes: [`PUT /ipsec-shares/<web> ${JSON.stringify({ ...changed, ...settingsKept })}`],
          kept: { web: { ...ready, target: changed.target } },
        },
      },
    ],
  },
  {
    name: "a tunnel and a share in ERROR, which Frontdoor deletes without another status, are waited for beyond the time in which a reading can lag",
    settings: { teardownMs: 90_000 },
    steps: [
      made,
      {
        does: "refresh",
        before: (service, id) => {
          for (const name of ["hq", "web"]) service.setStatus(id(name), "ERROR");
        },
        sees: { effects: ["update hq", "update web"], kept: { hq: errorKept, web: errorKept } },
      },
      {
        does: "destroy",
        before: stillInError,
        sees: {
          effects: ["delete hq", "delete web"],
          writes: ["DELETE /ipsec-shares/<web>", "DELETE /ipsec-tunnels/<hq>"],
          kept: {},
        },
      },
    ],
  },
  {
    name: "no message has a value of a secret argument, also not a colleague's",
    settings: { filtersHonoured: true },
    steps: [
      {
        ...created,
        program: { shares: { web: { ...guest, target: { secret: "hush-one:443" } } } },
        sees: {
          ...created.sees,
          writes: [postShare(seeded.id).replace("web.internal", "hush-one")],
          kept: { web: { ...ready, target: "[secret]" } },
        },
      },
      {
        does: "up",
        program: { shares: { web: { ...guest, target: { secret: "hush-two:443" } } } },
        before: (service, id) => {
          service.patchShare(id("web"), { target: "hush-colleague:443" });
          service.setStatus(id("web"), "DEPLOYED");
          service.clock.advance(60_000);
          afterPatch({ target: "hush-third:443" })?.(service, id);
        },
        sees: {
          effects: ["update web"],
          writes: [patched({ target: "hush-two:443" })],
          errors: [/<web>.*`target` \[secret\] instead of \[secret\].*\[value-differs\]/],
          kept: { web: { target: "[secret]" } },
        },
      },
    ],
  },
  {
    name: "a colleague's edit during a wait shows, and the next up brings the program's value",
    steps: [
      created,
      {
        does: "up",
        program: { shares: { web: changed } },
        before: afterPatch({ target: "colleague.internal:443", ingressPort: 9443 }),
        sees: {
          effects: ["update web"],
          writes: [patched({ target: changed.target })],
          errors: [/<web>.*`target` "colleague\.internal:443" instead of "web2\.internal:443".*\[value-differs\]/],
          says: [
            /<web>.*`ingressPort` 9443 instead of 443\. .*`pulumi up` sends the program's value.*\[value-differs\]/,
          ],
          kept: { web: { target: "colleague.internal:443", ingressPort: 9443 } },
        },
      },
      {
        does: "up",
        program: { shares: { web: changed } },
        sees: {
          effects: ["update web"],
          writes: [patched({ target: changed.target, ingressPort: 443 })],
          kept: { web: { ...ready, target: changed.target } },
        },
      },
    ],
  },
  ...(["share", "tunnel"] as const).map((noun): Row => {
    const [name, program] = noun === "share" ? ["web", { shares: { web: guest } }] : ["hq", { tunnels: { hq } }];
    const post = noun === "share" ? postShare(seeded.id) : postTunnel();
    let old: { id: string } | undefined;
    return {
      name: `a ${noun} that is destroyed and created again is not identical to the old one, which lists still show`,
      steps: [
        {
          does: "up",
          program,
          before: (service) => {
            if (noun === "share") service.seedTunnel(seeded);
          },
          sees: { effects: [`create ${name}`], writes: [post], kept: { [name]: ready } },
        },
        {
          does: "destroy",
          before(service) {
            old = (noun === "share" ? service.shares() : service.tunnels()).find((each) => each.name === name);
          },
          sees: { effects: [`delete ${name}`], writes: [`DELETE /ipsec-${noun}s/<${name}>`], kept: {} },
        },
        {
          does: "up",
          program,
          before(service) {
            const path = `/ipsec-${noun}s`;
            const none = { error: "not_found", message: "none" };
            const list = { content: [{ ...old, status: "DEPLOYED" }], totalElements: 1 };
            service.faults.answerNext({
              method: "GET",
              path: `${path}/${old?.id ?? ""}`,
              status: 404,
              body: none,
              times: 9,
            });
            service.faults.answerNext({
              method: "GET",
              path: new RegExp(`${path}$`),
              status: 200,
              body: list,
              times: 3,
            });
          },
          sees: { effects: [`create ${name}`], writes: [post], kept: { [name]: ready } },
        },
      ],
    };
  }),
  {
    name: "a share of a killed run that somebody renames is resumed, and not created twice",
    settings: { provisionMs: 4_000 },
    steps: [
      {
        does: "up",
        program: { shares: { web: guest } },
        before: (service) => service.seedTunnel(seeded),
        interrupt: { after: "POST /ipsec-shares", kills: "provider" },
        sees: { effects: ["create web"], writes: [postShare(seeded.id)], errors: [], kept: {} },
      },
      {
        does: "up",
        program: { shares: { web: guest } },
        before(service) {
          for (const { id } of service.shares()) service.patchShare(id, { name: "renamed" });
        },
        sees: { effects: ["create web"], writes: [patched({ name: "web" })], kept: { web: { ...ready, name: "web" } } },
      },
    ],
  },
  ...(
    [
      ["a create", []],
      ["an update that asks for it again", [withoutSample]],
    ] as const
  ).map(([what, steps]): Row => ({
    name: `a token that may not read the sample configuration does not make a tunnel one that has never worked: ${what}`,
    steps: [
      ...steps,
      {
        does: "up",
        program: { tunnels: { hq } },
        before: ({ faults }) => faults.answerNext({ ...forbidden, path: /sample-config$/, times: 1000 }),
        sees: {
          ...(steps.length > 0 ? { effects: ["update hq"] } : { effects: ["create hq"], writes: [postTunnel()] }),
          errors: [/^hq: .*sample-config: 403.*\[tunnel-incomplete\]/],
          kept: { hq: worked },
        },
      },
      {
        does: "up",
        program: { tunnels: { hq } },
        before: (service, id) => {
          service.setStatus(id("hq"), "ERROR");
        },
        sees: {
          effects: ["update hq"],
          errors: [/^hq: .*\[tunnel-failed\]/],
          kept: { hq: { ...worked, status: "ERROR" } },
        },
      },
      {
        does: "up",
        program: { tunnels: { hq } },
        before: (service, id) => {
          service.faults.clear();
          service.setStatus(id("hq"), "DEPLOYED");
        },
        sees: { effects: ["update hq"], kept: { hq: { ...worked, sampleConfig: "[secret]" } } },
      },
    ],
  })),
  {
    name: "the error of a read-only token says that it can read, but not write",
    steps: [
      created,
      ...(
        [
          [
            "POST",
            { shares: { web: guest, db: { ...guest, name: "db", ingressPort: 5432 } } },
            "create db",
            "can read, but",
          ],
          ["PATCH", { shares: { web: changed } }, "update web", "can read, but"],
          // Nothing is read before.
          ["DELETE", {}, "delete web", "does"],
        ] as const
      ).map(([method, program, effect, words]): Step => ({
        ...{ does: "up", program },
        before: ({ faults }) => faults.answerNext({ ...forbidden, method }),
        sees: {
          effects: [effect],
          writes: [expect.stringMatching(`^${method} `) as string],
          errors: [new RegExp(`403 .*This token ${words} not .* that can write in .*\\[access-refused\\]`)],
        },
      })),
    ],
  },
  {
    name: "a share that ignoreChanges keeps on a tunnel that is replaced is refused, before a write",
    steps: [
      {
        ...made,
        program: ignoring({ locationId: "loc-1" }),
        sees: { ...made.sees, writes: [postTunnel({ ...hq, locationId: "loc-1" }), postShare()] },
      },
      ...(
        [
          [["replace hq"], { locationId: "loc-2" }],
          [["replace hq", "replace web"], { locationId: "loc-1", peerCidr: "10.21.0.0/16" }],
        ] as const
      ).map(([effects, tunnel]): Step => ({
        ...{ does: "preview", program: ignoring(tunnel) },
        sees: { effects: [...effects], errors: [/web: .*ipsecTunnelId.*`ignoreChanges`.*\[tunnel-replaced\]/] },
      })),
    ],
  },
];
