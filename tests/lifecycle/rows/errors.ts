import type { Emulator } from "../../../emulator";
import {
  both,
  created,
  guest,
  hq,
  made,
  postShare,
  postTunnel,
  ready,
  removed,
  type Row,
  seeded,
  type Step,
  web,
} from "../row";

const moved = { ...guest, target: "web2.internal:443" };
/** What an interrupted run has created, for a program that has changed since. This machine has no record of it. */
const unrecorded = (
  [
    ["a share", "shr-left", "web", "create web", { shares: { web: { ...guest, name: undefined, ingressPort: 8443 } } }],
    [
      "a tunnel",
      "tnl-left",
      "hq",
      "create hq",
      { tunnels: { hq: { ...hq, name: undefined, peerCidr: "10.29.0.0/16" } } },
    ],
    [
      "a share of a set",
      "shr-left",
      "services-web",
      "create services",
      {
        sets: {
          services: {
            ipsecTunnelId: seeded.id,
            envZId: "env-1",
            shares: { web: { target: "web.internal:443", ingressPort: 8443 } },
          },
        },
      },
    ],
  ] as const
).map(([what, id, name, effect, program]): Row => ({
  name: `${what} that an interrupted run has left is named, and not made twice, if the program has changed and no record names it`,
  steps: [
    {
      does: "up",
      program,
      before(service) {
        service.seedTunnel(seeded);
        const left = { id, name: `engine-test-${name}` };
        if (name === "hq") service.seedTunnel({ ...hq, ...left });
        else service.seedShare({ ...guest, ...left });
      },
      sees: {
        effects: [effect],
        errors: [new RegExp(`${id} .*\\[identical-exists\\]`)],
        says: [new RegExp(`Nothing was created\\. .* set \`adopt: "${id}"\`\\. \\[`)],
        kept: {},
      },
    },
  ],
}));

/** What ends in ERROR, and what the next up makes of it. */
export const errors: Row[] = [
  ...(["ERROR", "FAILED", "SUSPENDED"] as const).map((status): Row => ({
    name: `a tunnel that has worked and shows ${status} is only replaced by an edit, and goes on when it is deployed by now`,
    steps: [
      made,
      {
        does: "refresh",
        before: (service, id) => {
          service.setStatus(id("hq"), status);
        },
        sees: { effects: ["update hq"], kept: { hq: { status }, web: ready } },
      },
      {
        does: "up",
        program: both,
        before: (service, id) => {
          service.setStatus(id("hq"), "DEPLOYED");
        },
        sees: { effects: ["update hq"], kept: { hq: ready, web: ready } },
      },
      {
        does: "refresh",
        before: (service, id) => {
          service.setStatus(id("hq"), status);
        },
        sees: { effects: ["update hq"], kept: { hq: { status }, web: ready } },
      },
      {
        does: "up",
        program: both,
        sees: {
          effects: ["update hq"],
          errors: [
            /^hq: .*Frontdoor shows [A-Z]+ since 20\S+Z or before\..*Another `rotation` rebuilds.*\[tunnel-failed\]/,
          ],
          kept: { hq: { status, tunnelConfig: expect.any(Object) as object }, web: ready },
        },
      },
      {
        does: "up",
        program: { ...both, tunnels: { hq: { ...hq, rotation: 1 } } },
        sees: {
          effects: ["replace hq", "replace web"],
          writes: ["DELETE /ipsec-shares/<old web>", "DELETE /ipsec-tunnels/<old hq>", postTunnel(), postShare()],
          kept: { hq: { ...ready, rotation: 1 }, web: ready },
        },
      },
    ],
  })),
];

/** Ctrl-C while a tunnel is made: long enough for a busy machine to come in between. */
const settings = { provisionMs: 4_000 };

export const interrupts: Row[] = [
  ...unrecorded,
  {
    adapter: "dynamic",
    name: "an interrupt lets a create end and begins nothing else, and the next up goes on",
    settings,
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
    name: "a tunnel that a killed run has created with other arguments is replaced, also after a refresh",
    settings: { ...settings, readLagMs: 5_000, listLagMs: 5_000 },
    steps: [
      {
        // With an id in the answer, the next up would replace the tunnel itself.
        before: ({ faults }) => faults.add({ fault: "shape", shape: "no id", method: "POST", times: 1 }),
        does: "up",
        program: { tunnels: { hq } },
        interrupt: { after: "POST /ipsec-tunnels", kills: "provider" },
        sees: { effects: ["create hq"], writes: [postTunnel()], errors: [/./], kept: {} },
      },
      {
        does: "up",
        program: { tunnels: { hq: { ...hq, peerCidr: "10.99.0.0/16" } } },
        sees: { effects: ["create hq"], errors: [/\[tunnel-differs\]/], kept: { hq: { peerCidr: hq.peerCidr } } },
      },
      { does: "refresh", sees: { effectsOnPulumi: ["update hq"] } },
      {
        does: "up",
        program: { tunnels: { hq: { ...hq, peerCidr: "10.99.0.0/16" } } },
        sees: {
          effects: ["replace hq"],
          writes: ["DELETE /ipsec-tunnels/<old hq>", postTunnel({ ...hq, peerCidr: "10.99.0.0/16" })],
          kept: { hq: { ...ready, peerCidr: "10.99.0.0/16" } },
        },
      },
    ],
  },
  ...([1, 2] as const).map((times): Row => ({
    adapter: "plugin",
    name: `an interrupt ends a wait at once and keeps the id, and the next up waits on${times === 2 ? "; so does a second one right after it" : ""}`,
    settings,
    steps: [
      {
        does: "up",
        program: both,
        interrupt: { after: "POST /ipsec-tunnels", times },
        sees: {
          effects: ["create hq"],
          writes: [postTunnel()],
          errors: [/still .* when the run was stopped/],
          kept: { hq: { status: "NEW" } },
        },
      },
      {
        does: "up",
        program: both,
        sees: { effects: ["create web", "update hq"], writes: [postShare()], kept: { hq: ready, web: ready } },
      },
    ],
  })),
];

const hidden = { settings: { notFoundStatus: 403, deletedShownAs: "404" } } as const;
const refusal = {
  ...{ status: 403, times: 1_000 },
  body: { error: "not_found", message: "Front door with identifier fd-1 was not found" },
};
const noAccess = /<web>.*403 not_found: .*The front door's list .*\[access-refused\]/;
const notDestroyed = (says: RegExp) => ({
  ...{ effects: ["delete web"], writes: ["DELETE /ipsec-shares/<web>"], errors: [says] },
});

/** From now on, each 404 has the form of a common server framework, which a gateway's has too: it names the path. */
const namePaths = ({ faults }: Emulator) =>
  faults.onRequest({
    match: () => true,
    times: Infinity,
    async action(work, { path }) {
      const response = await work();
      return response.status === 404
        ? Response.json({ error: "Not Found", status: 404, timestamp: "t", path: `/frontdoor${path}` }, { status: 404 })
        : response;
    },
  });
const pathsNamed = {
  settings: { deletedShownAs: "404" } as const,
  first: { ...made, before: namePaths } satisfies Step,
};
const pathUnknown = { status: 404, times: 1_000, body: { error: "Not Found", path: "/frontdoor/v2/x" } };
const notTheService = /404 Not Found\. .*\[not-the-service\]/;

/** A service that never says 404: a path that names nothing is a 403 with not_found. */
export const hiding: Row[] = [
  ...(
    [
      ["a 404 that names a path", pathsNamed.settings, pathsNamed.first],
      ["a 403 with not_found", hidden.settings, made],
    ] as const
  ).map(([what, settings, first]): Row => ({
    name: `${what} means gone, in a refresh and an update, if the list lacks the resource too`,
    settings,
    steps: [
      first,
      removed,
      made,
      {
        does: "up",
        program: { ...both, shares: { web: { ...web, target: "web2.internal:443" } } },
        before: (service, id) => {
          service.removeShare(id("web"));
        },
        sees: {
          effects: ["update web"],
          errors: [/<web>.*\[share-gone\]/],
          kept: { hq: ready, web: { status: "DELETED" } },
        },
      },
    ],
  })),
  {
    ...pathsNamed,
    name: "a wrong URL, which answers each request by a 404 that names the path, removes nothing",
    steps: [
      created,
      {
        does: "refresh",
        before: ({ faults }) => faults.answerNext(pathUnknown),
        sees: { errors: [notTheService] },
      },
      {
        does: "up",
        program: { shares: { web: moved } },
        sees: {
          effects: ["update web"],
          errors: [notTheService],
        },
      },
      { does: "destroy", sees: notDestroyed(notTheService) },
    ],
  },
  {
    ...hidden,
    name: "a 403 with not_found is no access if the list shows the resource, or is refused too: refresh and destroy fail, and the state stays",
    steps: [
      created,
      {
        does: "refresh",
        before: ({ faults }, id) => faults.answerNext({ ...refusal, path: `/ipsec-shares/${id("web")}` }),
        sees: { errors: [noAccess] },
      },
      { does: "destroy", sees: notDestroyed(noAccess) },
      {
        does: "destroy",
        before: ({ faults }) => faults.answerNext(refusal),
        sees: notDestroyed(/403 not_found: .*\[not-found-front-door\]/),
      },
    ],
  },
];
