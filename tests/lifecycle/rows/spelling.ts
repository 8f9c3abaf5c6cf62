import type { Emulator } from "../../../emulator";
import { showEach } from "../../harness/shown";
import { created, guest, hq, postTunnel, ready, type Row, seeded, type Step, web } from "../row";

const tunnel = { ...hq, name: "Branch", locationId: "eu-West-1", nlbPrivateIp: "10.90.0.77" };
const share = { ...web, name: "Web", envZId: "Env-1", locationId: "eu-West-1" };
const program = { tunnels: { hq: tunnel }, shares: { web: share } };
const kept = { hq: { ...ready, ...tunnel }, web: { ...ready, ...share, ipsecTunnelId: expect.any(String) as string } };

const made: Step = {
  does: "up",
  program,
  sees: {
    effects: ["create hq", "create web"],
    writes: [postTunnel(tunnel), `POST /ipsec-shares ${JSON.stringify({ ...share, ipsecTunnelId: "<hq>" })}`],
    kept,
  },
};

const unplaced = { ...share, locationId: undefined };
/** The program in another spelling of the location. */
const tidied = {
  tunnels: { hq: { ...tunnel, locationId: "eu-west-1" } },
  shares: { web: { ...share, locationId: "eu-west-1" } },
};

const showing = (service: Emulator, kind: "share" | "tunnel", values: object): void => {
  showEach(service, kind, (entry) => ({ ...entry, ...values }));
};

const differs = (name: string) => new RegExp(`<${name}>.*Frontdoor shows .*\\[value-differs\\]`);
const address = { nlbPrivateIp: "10.90.0.10" };
const otherAddress: Step = {
  does: "up",
  program: { tunnels: { hq: { ...hq, ...address } } },
  sees: { effects: ["update hq"], errors: [differs("hq")] },
};

/** A service that shows other values than were sent. */
const others: Row[] = [
  ...(
    [
      ["name", "acme-web", ""],
      ["envZId", "environments/env-1", "; so if the answer to the POST is lost"],
      ["target", "other.internal:443", "; so if the answer to the POST is lost"],
    ] as const
  ).flatMap(([field, value, lost]): Row[] => [
    {
      name: `a create whose ${field} is shown as another value fails with its id in the state${lost}`,
      steps: [
        {
          ...created,
          before(service) {
            service.seedTunnel(seeded);
            showing(service, "share", { [field]: value });
            if (lost) service.faults.answerNext({ method: "POST", status: 503, when: "after" });
          },
          sees: {
            ...created.sees,
            // What is found after a lost answer is brought to the program.
            writes: lost
              ? [...created.sees.writes, `PATCH /ipsec-shares/<web> ${JSON.stringify({ [field]: guest[field] })}`]
              : created.sees.writes,
            errors: [differs("web")],
            kept: { web: { ...ready, [field]: value } },
          },
        },
      ],
    },
    {
      name: `an empty ${field}, which a share must have, is no value: nothing is created or written again`,
      steps: [
        {
          ...created,
          before(service) {
            service.seedTunnel(seeded);
            showing(service, "share", { [field]: "" });
          },
          sees: { ...created.sees, kept: { web: { ...ready, [field]: guest[field] } } },
        },
      ],
    },
  ]),
  {
    name: "a create whose tunnel shows another value fails, and neither the next up nor one after a refresh replaces it",
    steps: [
      {
        ...otherAddress,
        before(service) {
          showing(service, "tunnel", { nlbPrivateIp: "10.90.0.99" });
        },
        sees: {
          effects: ["create hq"],
          writes: [postTunnel({ ...hq, ...address })],
          errors: [differs("hq")],
          kept: { hq: { ...ready, nlbPrivateIp: "10.90.0.99" } },
        },
      },
      otherAddress,
      { does: "refresh", sees: {} },
      { ...otherAddress, sees: {} },
    ],
  },
];

/** A service that shows arguments in another spelling: the state has the program's, and after each up nothing is left to do. */
export const spelling: Row[] = [
  ...others,
  ...(
    [
      ...(["name", "peerPublicIp", "peerCidr", "locationId", "nlbPrivateIp"] as const),
      ...(["envZId", "target", "ipsecTunnelId"] as const),
    ] as const
  ).map((field): Row => ({
    name: `another spelling of ${field} leads to no write, and to no wait in a destroy`,
    settings: { spellings: { [field]: "upper" } },
    steps: [
      made,
      {
        does: "destroy",
        sees: {
          effects: ["delete hq", "delete web"],
          writes: ["DELETE /ipsec-shares/<web>", "DELETE /ipsec-tunnels/<hq>"],
          kept: {},
        },
      },
    ],
  })),
  {
    name: "a change of letter case alone is one PATCH, and an edit that somebody has made is none",
    steps: [
      made,
      {
        does: "up",
        program: { ...program, shares: { web: { ...share, envZId: "eNV-1" } } },
        sees: {
          effects: ["update web"],
          writes: ['PATCH /ipsec-shares/<web> {"envZId":"eNV-1"}'],
          kept: { ...kept, web: { ...kept.web, envZId: "eNV-1" } },
        },
      },
      {
        does: "up",
        program,
        before: (service, id) => service.patchShare(id("web"), { envZId: "Env-1" }),
        sees: { effects: ["update web"], kept },
      },
    ],
  },
  {
    name: "another spelling hides no change that somebody makes, and an optional field is cleared once",
    settings: { spellings: { locationId: "upper", name: "upper" } },
    steps: [
      made,
      {
        does: "refresh",
        before: (service, id) => service.patchShare(id("web"), { locationId: "us-East-1" }),
        sees: { effects: ["update web"], kept: { ...kept, web: { ...kept.web, locationId: "US-EAST-1" } } },
      },
      {
        does: "up",
        program,
        sees: {
          effects: ["update web"],
          writes: ['PATCH /ipsec-shares/<web> {"locationId":"eu-West-1"}'],
          kept,
        },
      },
      {
        does: "up",
        program: { ...program, shares: { web: unplaced } },
        sees: {
          effects: ["update web"],
          writes: [`PUT /ipsec-shares/<web> ${JSON.stringify({ ...unplaced, ipsecTunnelId: "<hq>" })}`],
          kept: { hq: ready, web: ready },
        },
      },
    ],
  },
  {
    name: "what is shown in another spelling is adopted without a write",
    settings: { spellings: { name: "upper", locationId: "upper" } },
    steps: [
      {
        does: "up",
        program: {
          tunnels: { hq: { ...tunnel, adopt: "tnl-by-hand" } },
          shares: { web: { ...share, adopt: "shr-by-hand" } },
        },
        before(service) {
          service.seedTunnel({ ...tunnel, id: "tnl-by-hand" });
          service.seedShare({ ...share, id: "shr-by-hand", ipsecTunnelId: "tnl-by-hand" });
        },
        sees: { effects: ["create hq", "create web"], kept },
      },
    ],
  },
  {
    name: "a share of others is found on its tunnel in another spelling, and the tunnel stays",
    settings: { spellings: { ipsecTunnelId: "upper" } },
    steps: [
      made,
      {
        does: "destroy",
        before: (service, id) => service.seedShare({ id: "shr-foreign", name: "guest", ipsecTunnelId: id("hq") }),
        sees: {
          effects: ["delete hq", "delete web"],
          writes: ["DELETE /ipsec-shares/<web>", "DELETE /ipsec-tunnels/<hq>"],
          errors: [/<hq>.*shr-foreign.*\[tunnel-in-use\]/],
          kept: { hq: ready },
        },
      },
    ],
  },
  {
    name: "another letter case of a location is the same location: nothing is replaced or recreated",
    steps: [
      made,
      { does: "preview", program: tidied, sees: { isSilent: true } },
      { does: "up", program: tidied, sees: { isSilent: true } },
      {
        does: "up",
        program: { ...tidied, shares: { web: { ...tidied.shares.web, target: "web2.internal:443" } } },
        sees: {
          effects: ["update web"],
          writes: ['PATCH /ipsec-shares/<web> {"target":"web2.internal:443"}'],
          kept: { hq: ready, web: { ...ready, target: "web2.internal:443" } },
        },
      },
    ],
  },
];
