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
  type Step,
  usual,
  web,
} from "../row";

/** Reads and lists of a service that shows what was written only later. */
const lagging = { readLagMs: 2_000, listLagMs: 2_000 };

const unplaced = { ...guest, name: "intranet", envZId: "env-2", target: "web3.internal:8443", ingressPort: 8443 };
const moved = { ...unplaced, locationId: "loc-7" };

const withTunnel = (args: object) => ({ tunnels: { hq: { ...hq, ...args } }, shares: { web } });
const elsewhere = { peerCidr: "10.21.0.0/16", locationId: "loc-2", nlbPrivateIp: "10.90.0.77" };

/** Tunnel and share made anew, each when the one before is gone or ready. */
const replaced = (args: object) => [
  "DELETE /ipsec-shares/<old web>",
  "DELETE /ipsec-tunnels/<old hq>",
  postTunnel({ ...hq, ...args }),
  postShare(),
];

const placed = (locationId: string) => ({ tunnels: { hq: { ...hq, locationId } } });

const branch = { name: "branch", peerPublicIp: "203.0.113.8", peerCidr: "10.22.0.0/16", locationId: "loc-2" };
const setOn = (tunnel: string) => ({
  services: { ipsecTunnelId: { tunnel }, envZId: "env-1", shares: { db: { target: "db.internal:1", ingressPort: 1 } } },
});
const onBranch = {
  tunnels: { branch },
  shares: { web: { ...web, ipsecTunnelId: { tunnel: "branch" } } },
  sets: setOn("branch"),
};
const postOfSet = `POST /ipsec-shares ${JSON.stringify({ name: "engine-test-services-db", ipsecTunnelId: "<hq>", envZId: "env-1", target: "db.internal:1", ingressPort: 1 })}`;

const destroyed: Step = {
  does: "destroy",
  sees: {
    effects: ["delete hq", "delete web"],
    writes: ["DELETE /ipsec-shares/<web>", "DELETE /ipsec-tunnels/<hq>"],
    kept: {},
  },
};

const onOther = { frontdoorId: "fd-2" };
const withoutSampleConfig = expect.not.objectContaining({ sampleConfig: expect.anything() as object }) as Record<
  string,
  unknown
>;

/** What is made, changed and deleted as the program says. */
export const changes: Row[] = [
  {
    name: "bad inputs are refused on their properties at preview, and nothing is sent",
    steps: [
      {
        does: "preview",
        program: { tunnels: { hq: { ...hq, peerCidr: "10.20.0.1/16", peerPublicIp: "127.0.0.1" } } },
        sees: {
          errors: [
            /property peerCidr .*has a problem: .*Did you mean 10\.20\.0\.0\/16\?/,
            /property peerPublicIp .*has a problem: must be an IPv4 address/,
          ],
          isSilent: true,
        },
      },
    ],
  },
  {
    name: "a private peer is sent, and the service decides",
    settings: { peerMustBePublic: false },
    steps: [
      {
        does: "up",
        program: { tunnels: { hq: { ...hq, peerPublicIp: "10.0.0.1" } } },
        sees: {
          effects: ["create hq"],
          writes: [postTunnel({ ...hq, peerPublicIp: "10.0.0.1" })],
          kept: { hq: ready },
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
        ...made,
        sees: {
          ...made.sees,
          kept: { hq: { ...ready, sampleConfig: "[secret]", locationId: "loc-1" }, web: ready },
          waitsMs: 2_300,
        },
      },
      { does: "up", program: both, sees: {} },
      destroyed,
    ],
  },
  {
    name: "a share's change is one PATCH with exactly that, done when lagging reads show it, and a cleared location a PUT",
    steps: [
      created,
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
        program: { shares: { web: moved } },
        before: ({ settings }) => Object.assign(settings, { readLagMs: 0, listLagMs: 0 }),
        sees: {
          effects: ["update web"],
          writes: [
            'PATCH /ipsec-shares/<web> {"envZId":"env-2","target":"web3.internal:8443","ingressPort":8443,"name":"intranet","locationId":"loc-7"}',
          ],
          kept: { web: { ...ready, name: "intranet", locationId: "loc-7" } },
        },
      },
      { does: "up", program: { shares: { web: { ...moved, envZId: undefined, envId: "env-2" } } }, sees: {} },
      { does: "preview", program: { shares: { web: moved } }, sees: {} },
      {
        does: "up",
        program: { shares: { web: unplaced } },
        sees: {
          effects: ["update web"],
          writes: [`PUT /ipsec-shares/<web> ${JSON.stringify(unplaced)}`],
          kept: { web: ready },
        },
      },
    ],
  },
  {
    name: "a share and a set that move to a new tunnel, in the edit that removes their old one, are updates in preview and up",
    steps: [
      {
        does: "up",
        program: { tunnels: { hq: { ...hq, locationId: "loc-1" } }, shares: { web }, sets: setOn("hq") },
        sees: {
          effects: ["create hq", "create services", "create web"],
          writes: [postTunnel({ ...hq, locationId: "loc-1" }), postShare(), postOfSet],
          inAnyOrder: true,
          kept: { hq: ready, web: ready, services: ready },
        },
      },
      {
        does: "preview",
        program: onBranch,
        sees: { effects: ["create branch", "delete hq", "update services", "update web"] },
      },
      {
        does: "up",
        program: onBranch,
        sees: {
          effects: ["create branch", "delete hq", "update services", "update web"],
          writes: [
            postTunnel(branch),
            'PATCH /ipsec-shares/<web> {"ipsecTunnelId":"<branch>","locationId":"loc-2"}',
            'PATCH /ipsec-shares/<services[db]> {"ipsecTunnelId":"<branch>","locationId":"loc-2"}',
            "DELETE /ipsec-tunnels/<hq>",
          ],
          inAnyOrder: true,
          kept: { branch: ready, web: ready, services: ready },
        },
      },
    ],
  },
  {
    name: "another rotation replaces the tunnel with its shares, delete first, and is never sent; a number equals its text",
    settings: { listLagMs: 5_000 },
    steps: [
      made,
      { does: "preview", program: withTunnel({ rotation: 1 }), sees: { effects: ["replace hq", "replace web"] } },
      {
        does: "up",
        program: withTunnel({ rotation: 1 }),
        sees: {
          effects: ["replace hq", "replace web"],
          writes: replaced({}),
          kept: { hq: { ...ready, rotation: 1 }, web: ready },
        },
      },
      { does: "up", program: withTunnel({ rotation: "1" }), sees: {} },
      { does: "refresh", sees: {} },
      { does: "up", program: withTunnel({}), sees: {} },
      {
        does: "up",
        program: withTunnel({ rotation: "2026-12" }),
        sees: {
          effects: ["replace hq", "replace web"],
          writes: replaced({}),
          kept: { hq: { ...ready, rotation: "2026-12" }, web: ready },
        },
      },
    ],
  },
  {
    name: "a tunnel's peerCidr or own address replaces share and tunnel delete-first, its locationId make-first with a PATCH of the share",
    settings: { teardownMs: 300 },
    steps: [
      {
        ...made,
        sees: {
          ...made.sees,
          kept: { hq: { ...ready, locationId: "loc-1", nlbPrivateIp: "10.90.0.10" }, web: ready },
          waitsMs: 300,
        },
      },
      // What the service has filled in is no change, left out or given.
      { does: "up", program: withTunnel({ locationId: "loc-1", nlbPrivateIp: "10.90.0.10" }), sees: {} },
      {
        does: "preview",
        program: withTunnel({ peerCidr: "10.21.0.0/16" }),
        sees: { effects: ["replace hq", "replace web"] },
      },
      {
        does: "up",
        program: withTunnel({ peerCidr: "10.21.0.0/16" }),
        sees: {
          effects: ["replace hq", "replace web"],
          writes: replaced({ peerCidr: "10.21.0.0/16" }),
          kept: { hq: { ...ready, peerCidr: "10.21.0.0/16" }, web: ready },
          waitsMs: 300,
        },
      },
      {
        does: "preview",
        program: withTunnel({ peerCidr: "10.21.0.0/16", locationId: "loc-2" }),
        sees: { effects: ["replace hq", "update web"] },
      },
      {
        does: "up",
        program: withTunnel({ peerCidr: "10.21.0.0/16", locationId: "loc-2" }),
        sees: {
          effects: ["replace hq", "update web"],
          writes: [
            postTunnel({ ...hq, peerCidr: "10.21.0.0/16", locationId: "loc-2" }),
            'PATCH /ipsec-shares/<web> {"ipsecTunnelId":"<hq>","locationId":"loc-2"}',
            "DELETE /ipsec-tunnels/<old hq>",
          ],
          kept: { hq: { ...ready, locationId: "loc-2" }, web: ready },
          waitsMs: 300,
        },
      },
      {
        does: "up",
        program: withTunnel(elsewhere),
        sees: {
          effects: ["replace hq", "replace web"],
          writes: replaced(elsewhere),
          kept: { hq: { ...ready, nlbPrivateIp: "10.90.0.77" }, web: ready },
        },
      },
      destroyed,
    ],
  },
  {
    name: "a tunnel and a share move to another front door, under the ids that they had on the old one",
    settings: { idsPerFrontdoor: true, tokens: { [usual.token ?? ""]: ["fd-1", "fd-2"] } },
    steps: [
      made,
      {
        does: "up",
        program: { tunnels: { hq: { ...hq, ...onOther } }, shares: { web: { ...web, ...onOther } } },
        sees: {
          effects: ["replace hq", "replace web"],
          writes: [postTunnel(), postShare(), "DELETE /ipsec-shares/<web>", "DELETE /ipsec-tunnels/<hq>"],
          kept: { hq: { ...ready, frontdoorId: "fd-2" }, web: { ...ready, frontdoorId: "fd-2" } },
        },
      },
      destroyed,
    ],
  },
  {
    name: "storeSampleConfig: false takes the sample configuration out of the state, and true puts it back",
    steps: [
      made,
      {
        does: "up",
        program: withTunnel({ storeSampleConfig: false }),
        sees: { effects: ["update hq"], kept: { hq: withoutSampleConfig, web: ready } },
      },
      {
        does: "up",
        program: both,
        sees: { effects: ["update hq"], kept: { hq: { ...ready, sampleConfig: "[secret]" }, web: ready } },
      },
    ],
  },
];

const toOtherNetwork = { tunnels: { hq: { ...hq, peerCidr: "10.21.0.0/16" } }, shares: { web } };

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
        program: toOtherNetwork,
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
        program: toOtherNetwork,
        before: (service) => {
          service.removeShare("shr-foreign");
        },
        sees: {
          effects: ["create web", "replace hq"],
          writes: ["DELETE /ipsec-tunnels/<old hq>", postTunnel(toOtherNetwork.tunnels.hq), postShare()],
          kept: { hq: ready, web: ready },
        },
      },
    ],
  },
  {
    name: "a tunnel's value that drifted replaces nothing, neither does writing it into the program, and an edit does",
    steps: [
      {
        does: "up",
        program: placed("loc-1"),
        sees: { effects: ["create hq"], writes: [postTunnel({ ...hq, locationId: "loc-1" })], kept: { hq: ready } },
      },
      {
        does: "refresh",
        before: (service) => {
          service.settings.spellings = { locationId: "other" };
        },
        sees: { effects: ["update hq"], kept: { hq: { ...ready, locationId: "x-loc-1" } } },
      },
      { does: "preview", program: placed("loc-1"), sees: {} },
      { does: "up", program: placed("loc-1"), sees: {} },
      { does: "up", program: placed("x-loc-1"), sees: {} },
      {
        does: "up",
        program: placed("loc-2"),
        before: (service) => {
          service.settings.spellings = {};
        },
        sees: {
          effects: ["replace hq"],
          writes: [postTunnel({ ...hq, locationId: "loc-2" }), "DELETE /ipsec-tunnels/<old hq>"],
          kept: { hq: { ...ready, locationId: "loc-2" } },
        },
      },
    ],
  },
  {
    name: "a refresh drops what was deleted by hand, and the next up makes it anew",
    steps: [made, removed, made],
  },
];
