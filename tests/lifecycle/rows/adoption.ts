import type { Resources } from "../../harness/stack";
import { both, hq, made, postShare, postTunnel, ready, type Row, type Step, web } from "../row";

/** The answer to a token that may not read. */
const forbidden = { status: 403, body: { error: "access_denied", message: "no right to read this" } };
const other = { peerPublicIp: "203.0.113.9", peerCidr: "10.29.0.0/16", locationId: "loc-2" };
const otherWeb = { target: "other.internal:8443", ingressPort: 8443 };

/** A tunnel and a share of each of two customers, made by hand. */
const twoCustomers: Step["before"] = (service) => {
  service.seedTunnel({ ...hq, id: "tnl-one" });
  service.seedShare({ ...web, id: "shr-one", ipsecTunnelId: "tnl-one" });
  service.seedTunnel({ ...hq, ...other, name: "two", id: "tnl-two" });
  service.seedShare({ ...web, ...otherWeb, name: "two", id: "shr-two", ipsecTunnelId: "tnl-two" });
};

interface Given {
  tunnel?: object;
  share?: object;
}
const unnamedHq = { ...hq, name: undefined };
const { ipsecTunnelId, envZId, target, ingressPort } = web;
const part = { envZId, target, ingressPort };

interface Shape {
  what: string;
  programOf: (given: Given) => Resources;
  /** The logical names, and the share in the state. */
  names: [tunnel: string, other: string];
  held: string;
  /** The derived names of the tunnel and the share. */
  derived: [tunnel: string, share: string];
  /** What the refusal of another share says. */
  wayOut: RegExp;
}

/** The ways in which a program declares a tunnel and a share on it. */
const shapes: Shape[] = [
  {
    what: "a tunnel and a share",
    programOf: ({ tunnel, share }: Given) => ({
      tunnels: { hq: { ...unnamedHq, ...tunnel } },
      shares: { web: { ipsecTunnelId, ...part, ...share } },
    }),
    names: ["hq", "web"],
    ...{ held: "web", derived: ["engine-test-hq", "engine-test-web"] },
    wayOut:
      /`adopt` names shr-two\. Nothing was changed\. .*`pulumi state delete '\S+::web'` \(Pulumi names what depends on it\), then/,
  },
  {
    what: "a site",
    programOf: ({ tunnel, share }: Given) => ({
      sites: { hq: { ...unnamedHq, ...tunnel, shares: { web: { ...part, ...share } } } },
    }),
    names: ["hq", "hq-web"],
    ...{ held: "hq-web", derived: ["engine-test-hq-22178d4f", "engine-test-hq-web-6a8dad65"] },
    wayOut:
      /`adopt` names shr-two\. Nothing was changed\. .*`pulumi state delete '\S+::hq-web'` \(Pulumi names what depends on it\), then/,
  },
  {
    what: "a tunnel and a set",
    programOf: ({ tunnel, share }: Given) => ({
      tunnels: { hq: { ...unnamedHq, ...tunnel } },
      sets: { services: { ipsecTunnelId, shares: { web: { ...part, ...share } } } },
    }),
    names: ["hq", "services"],
    ...{ held: "services[web]", derived: ["engine-test-hq", "engine-test-services-web"] },
    wayOut:
      /shares\["web"\]: the state has <services\[web\]>, and `adopt` names shr-two\. Nothing was changed\. .*`retain: true` instead/,
  },
];

const [one, two] = [
  { tunnel: { adopt: "tnl-one" }, share: { adopt: "shr-one" } },
  { tunnel: { adopt: "tnl-two", ...other }, share: { adopt: "shr-two", ...otherWeb } },
];
const refusedTunnel =
  /^hq: IPsec tunnel "hq" \(<hq>\): the state has <hq>, and `adopt` names tnl-two\. Nothing was changed\. .*'\S+::hq'` \(Pulumi names what depends on it\), then .*\[adopt-differs-from-state\]$/m;

/** Steps that refuse a program, in a preview and in an `up`. */
const refused = (program: Resources, error: RegExp): Step[] =>
  (["preview", "up"] as const).map((does) => ({ does, program, sees: { errors: [error] } }));

/** A colleague's share has the port that an update wants. Only a create can adopt it. */
const portOfColleague: Row = {
  name: "a share that is changed to the port of a colleague's is not told to adopt that share",
  settings: { duplicateIngressPort: "refused" },
  steps: [
    made,
    {
      does: "up",
      program: { ...both, shares: { web: { ...web, ingressPort: 8443 } } },
      before: (service, id) =>
        service.seedShare({ ...web, ...otherWeb, name: "theirs", id: "shr-theirs", ipsecTunnelId: id("hq") }),
      sees: {
        effects: ["update web"],
        writes: ['PATCH /ipsec-shares/<web> {"ingressPort":8443}'],
        errors: [
          /^web: .*shr-theirs.*Choose another `ingressPort`, or first remove shr-theirs where it was created\. \[port-in-use\]/,
        ],
      },
    },
    { does: "up", program: both, sees: {} },
  ],
};

/** A tunnel that has failed is adopted by mistake. */
const failedAdoption: Row = {
  name: "a wrong adopt of a tunnel that has failed is not corrected in place: the tunnel is not deleted",
  steps: [
    {
      does: "up",
      program: { tunnels: { hq: { ...unnamedHq, adopt: "tnl-one" } } },
      before(service) {
        service.seedTunnel({ ...hq, id: "tnl-one" });
        service.setStatus("tnl-one", "ERROR");
        service.seedTunnel({ ...hq, ...other, name: "two", id: "tnl-two" });
      },
      sees: { effects: ["create hq"], errors: [/\[tunnel-error\]/], kept: { hq: { status: "ERROR" } } },
    },
    ...refused({ tunnels: { hq: { ...unnamedHq, ...other, adopt: "tnl-two" } } }, refusedTunnel),
  ],
};

/** A share of another customer is adopted by mistake. */
const otherShare: Row = {
  name: "the preview of an adopted share says in which arguments it differs, its tunnel included",
  steps: [
    {
      does: "preview",
      program: { shares: { db: { ...web, ...otherWeb, ipsecTunnelId: "tnl-two", name: undefined, adopt: "shr-one" } } },
      before: twoCustomers,
      sees: {
        effects: ["create db"],
        says: [/\badopts shr-one, which has another ipsecTunnelId, target, ingressPort$/m],
      },
    },
  ],
};

const ofShapes = shapes.flatMap(({ what, programOf, names, held, derived, wayOut }): Row[] => {
  const kept = Object.fromEntries(names.map((each) => [each, ready]));
  const creates = names.map((each) => `create ${each}`);
  const adopts: Step = { does: "up", program: programOf(one), before: twoCustomers, sees: { effects: creates, kept } };
  return [
    {
      name: `a wrong adopt of ${what} is not corrected in place: the preview refuses it, and what was adopted stays`,
      steps: [
        adopts,
        ...refused(programOf(two), refusedTunnel),
        ...refused(programOf({ ...one, tunnel: { adopt: "tnl-two" } }), refusedTunnel),
        ...refused(programOf({ ...one, share: { adopt: "shr-two" } }), wayOut),
        ...refused(programOf({ ...one, share: { ...otherWeb, adopt: "shr-two" } }), wayOut),
        { does: "up", program: programOf(one), sees: {} },
        // Nothing is adopted any more.
        { does: "up", program: programOf({}), sees: {} },
        { does: "refresh", sees: {} },
        ...refused(programOf({ share: { adopt: "shr-two" } }), wayOut),
        ...refused(programOf({ tunnel: { adopt: "tnl-two" } }), refusedTunnel),
        { does: "up", program: programOf(one), sees: {} },
      ],
    },
    {
      name: `what ${what} adopts is read in the preview, which refuses what a destroy, or another kind or front door, has taken`,
      steps: [
        {
          does: "preview",
          program: programOf(one),
          before: twoCustomers,
          sees: { effects: creates, says: [/\badopts tnl-one$/m] },
        },
        ...refused(
          programOf({ tunnel: { adopt: "shr-one" } }),
          /^hq: .* no resource shr-one of this kind\. .*\[adopt-missing\]/,
        ),
        {
          does: "up",
          program: programOf({ tunnel: { frontdoorId: "fd-2", adopt: "tnl-one" } }),
          sees: { effects: ["create hq"], errors: [/^hq: .*fd-2.*\[not-found-front-door\]/] },
        },
        // In CI, a preview can have no right to read.
        {
          does: "preview",
          program: programOf(one),
          before: ({ faults }) => faults.answerNext({ ...forbidden, path: /ipsec-/, times: 1000 }),
          sees: { effects: creates, says: [/\badopts tnl-one, which this run could not read$/m] },
        },
        {
          does: "up",
          program: programOf(one),
          before({ faults }) {
            faults.clear();
          },
          sees: { effects: creates, kept },
        },
        {
          does: "destroy",
          sees: {
            effects: creates.map((effect) => effect.replace("create", "delete")).sort(),
            writes: [`DELETE /ipsec-shares/<${held}>`, "DELETE /ipsec-tunnels/<hq>"],
            kept: {},
          },
        },
        ...refused(
          programOf(one),
          /^hq: .* has no resource tnl-one of this kind\. Nothing was adopted\. If it was deleted, remove `adopt`\./,
        ),
        {
          does: "preview",
          program: programOf({ share: one.share }),
          sees: { effects: ["create hq"], errors: [/ has no resource shr-one of this kind\. .*remove `adopt`\./] },
        },
        {
          does: "up",
          program: programOf({}),
          sees: {
            effects: creates,
            writes: [postTunnel({ ...hq, name: derived[0] }), postShare().replace('"web"', `"${derived[1]}"`)],
            kept,
          },
        },
      ],
    },
    {
      name: `an adopt that stays in the program of ${what} has no effect after a replacement, also after a refresh`,
      steps: [
        adopts,
        ...["10.21.0.0/16", "10.22.0.0/16"].flatMap((peerCidr): Step[] => {
          const program = programOf({ ...one, tunnel: { ...one.tunnel, peerCidr } });
          const effects = creates.map((effect) => effect.replace("create", "replace"));
          return [
            { does: "preview", program, sees: { effects } },
            {
              does: "up",
              program,
              sees: {
                effects,
                writes: [
                  `DELETE /ipsec-shares/<old ${held}>`,
                  "DELETE /ipsec-tunnels/<old hq>",
                  postTunnel({ ...hq, name: derived[0], peerCidr }),
                  postShare().replace('"web"', `"${derived[1]}"`),
                ],
                kept,
              },
            },
            { does: "refresh", sees: {} },
            { does: "up", program, sees: {} },
          ];
        }),
      ],
    },
  ];
});

/** What `adopt` says of an id that the state does not have, has, or had. */
export const adoption: Row[] = [...ofShapes, failedAdoption, otherShare, portOfColleague];
