import type { Resources } from "../../harness/stack";
import { type Row, type Step, guest, hq, made, postShare, postTunnel, ready, seeded, web } from "../row";

const port = { target: "web.internal:443", ingressPort: 443 };
const site = (shares: object) => ({ sites: { hq: { ...hq, envZId: "env-1", shares } } });

/** The derived name of the share `web`. */
const derivedWeb = "engine-test-web";
const unnamed = { ...guest, name: undefined };
const later = { ...unnamed, ingressPort: 8443 };
/** A share under another key, by an alias. */
const renamed = { ...unnamed, opts: { aliases: [{ name: "web" }] } };
const postOther = postShare(seeded.id).replace('"web"', '"other"').replace("443}", "8443}");
const madeWeb: Step = {
  does: "up",
  program: { shares: { web: unnamed } },
  before: (service) => service.seedTunnel(seeded),
  sees: {
    effects: ["create web"],
    writes: [postShare(seeded.id).replace('"web"', JSON.stringify(derivedWeb))],
    kept: { web: { ...ready, name: derivedWeb } },
  },
};

const shareOf = (item: number, index: number) => ({
  ...{ name: `engine-test-share-${index}`, ipsecTunnelId: seeded.id, envZId: "env-1" },
  ...{ target: `host-${item}.internal:443`, ingressPort: item },
});
const tunnelOf = (item: number, index: number) => ({
  ...{ name: `engine-test-tunnel-${index}`, peerPublicIp: `203.0.113.${item}`, peerCidr: `10.${item}.0.0/16` },
  locationId: `loc-${item}`,
});
const unnamedOf = (what: string, bodyOf: (item: number, index: number) => object, items: readonly number[]) =>
  Object.fromEntries(items.map((item, index) => [`${what}-${index}`, { ...bodyOf(item, index), name: undefined }]));

/** Logical names are the index of a list, of which an edit removes the first item, or lets two change places. */
const byIndex = [
  {
    what: "share",
    bodyOf: shareOf,
    programOf: (items: readonly number[]) => ({ shares: unnamedOf("share", shareOf, items) }),
    writeOf: (item: number, index: number) =>
      `PATCH /ipsec-shares/<share-${index}> {"target":"host-${item}.internal:443","ingressPort":${item}}`,
    code: "port-in-use",
  },
  {
    what: "tunnel",
    bodyOf: tunnelOf,
    programOf: (items: readonly number[]) => ({ tunnels: unnamedOf("tunnel", tunnelOf, items) }),
    writeOf: (item: number, index: number) => `POST /ipsec-tunnels ${JSON.stringify(tunnelOf(item, index))}`,
    code: "place-taken",
  },
].map(({ what, bodyOf, programOf, ...others }) => {
  const made: Step = {
    does: "up",
    program: programOf([1, 2]),
    before: (service) => what === "share" && service.seedTunnel(seeded),
    sees: {
      effects: [`create ${what}-0`, `create ${what}-1`],
      writes: [1, 2].map((item, index) => `POST /ipsec-${what}s ${JSON.stringify(bodyOf(item, index))}`),
      inAnyOrder: true,
      kept: { [`${what}-0`]: ready, [`${what}-1`]: ready },
    },
  };
  return { what, programOf, made, ...others };
});

/** Steps that refuse a program because of a name that two of its resources would have, in whatever order. */
const refusesName = (
  name: string,
  programs: Resources[],
  commands: readonly ("preview" | "up")[] = ["preview", "up"],
): Step[] => {
  const isTwice = new RegExp(`resources "\\S+" and "\\S+" have the same name "${name}" .*\\[name-twice\\]`);
  // A run without a preview can meet the other one in Frontdoor first.
  const inUp = new RegExp(
    `${isTwice.source}|already exists\\. .*another \`name\`.*\\[identical-exists\\]|${name}.*has this derived name`,
  );
  return programs.flatMap((program): Step[] =>
    commands.map((does) => ({
      does,
      program,
      sees: { effects: expect.any(Array) as string[], errors: [does === "up" ? inUp : isTwice] },
    })),
  );
};

/** The derived name of a new share is that of another one: it needs a name of its own. */
const nameTaken = (how: string, steps: Step[], api: Record<string, unknown>): Row => ({
  name: `a derived name that a share has kept after it ${how} is refused before a write, and a name of its own helps`,
  steps: [
    ...steps,
    ...refusesName(derivedWeb, [{ shares: { web: later, api } }, { shares: { api, web: later } }]),
    {
      does: "up",
      program: { shares: { api, web: { ...later, name: "other" } } },
      sees: {
        effects: ["create web"],
        writes: [postOther],
        kept: { api: { ...ready, name: derivedWeb }, web: { ...ready, name: "other" } },
      },
    },
  ],
});

/** Whose a resource is, what it is called, and what of it is a secret. */
export const identity: Row[] = [
  {
    name: "a secret stays one under whatever key it ends, in a refresh and in a change too",
    steps: [
      {
        does: "up",
        program: { shares: { web: { ...guest, envZId: undefined, envId: { secret: "hush-env" } } } },
        before: (service) => service.seedTunnel(seeded),
        sees: {
          effects: ["create web"],
          writes: [postShare(seeded.id).replace("env-1", "hush-env")],
          kept: { web: { ...ready, envZId: "[secret]", target: web.target } },
        },
      },
      { does: "refresh", sees: {} },
      {
        does: "up",
        program: {
          shares: { web: { ...guest, envZId: { secret: "hush-other" }, target: { secret: "hush.internal:1" } } },
        },
        sees: {
          effects: ["update web"],
          writes: ['PATCH /ipsec-shares/<web> {"envZId":"hush-other","target":"hush.internal:1"}'],
          kept: { web: { ...ready, envZId: "[secret]", target: "[secret]" } },
        },
      },
    ],
  },
  {
    name: "what is adopted is not made, a share's differences are one PATCH, and without adopt nothing changes",
    steps: [
      {
        does: "up",
        program: {
          tunnels: { hq: { ...hq, adopt: "tnl-by-hand" } },
          shares: { web: { ...web, adopt: "shr-by-hand", target: "web2.internal:443" } },
        },
        before(service) {
          service.seedTunnel({ ...hq, id: "tnl-by-hand" });
          service.seedShare({ ...web, id: "shr-by-hand", ipsecTunnelId: "tnl-by-hand" });
        },
        sees: {
          effects: ["create hq", "create web"],
          writes: ['PATCH /ipsec-shares/<web> {"target":"web2.internal:443"}'],
          kept: { hq: { ...ready, sampleConfig: "[secret]" }, web: { ...ready, target: "web2.internal:443" } },
        },
      },
      {
        does: "up",
        program: { tunnels: { hq }, shares: { web: { ...web, target: "web2.internal:443" } } },
        sees: {},
      },
    ],
  },
  {
    name: "what is not there, is being deleted, or differs in what can't be changed, is not adopted",
    steps: [
      {
        does: "up",
        program: { tunnels: { hq: { ...hq, adopt: "tnl-by-hand" } } },
        sees: {
          errors: [
            /^hq: .*tnl-by-hand.*If it was deleted, remove `adopt`\. Otherwise correct the id\. \[adopt-missing\]/,
          ],
          kept: {},
        },
      },
      {
        does: "up",
        program: { tunnels: { hq: { ...hq, adopt: "tnl-by-hand", peerCidr: "10.30.0.0/16" } } },
        before: (service) => service.seedTunnel({ ...hq, id: "tnl-by-hand" }),
        sees: {
          effects: ["create hq"],
          errors: [/^hq: .*tnl-by-hand.*peerCidr.*10\.20\.0\.0\/16.*\[adopt-differs\]/],
          kept: {},
        },
      },
      {
        does: "up",
        program: { tunnels: { hq: { ...hq, adopt: "tnl-by-hand" } } },
        before: (service) => {
          service.setStatus("tnl-by-hand", "DELETING");
        },
        sees: { errors: [/^hq: .*is deleting tnl-by-hand.*Remove `adopt`\. \[adopt-missing\]/], kept: {} },
      },
    ],
  },
  ...([409, 400] as const).map((conflictStatus): Row => ({
    name: `a rename without an alias is refused with the id that holds the place or the port, if the service says ${conflictStatus}`,
    settings: { conflictStatus },
    steps: [
      made,
      {
        does: "up",
        program: { tunnels: { head: { ...hq, name: "head" } } },
        sees: {
          effects: ["create head"],
          writes: [postTunnel({ ...hq, name: "head" })],
          errors: [/^head: .*<hq>.*\[place-taken\]/],
        },
      },
      {
        does: "up",
        program: { tunnels: { hq }, shares: { site: { ...web, name: undefined } } },
        sees: {
          effects: ["create site"],
          writes: [postShare().replace('"web"', '"engine-test-site"')],
          errors: [/^site: .*443.*<hq>.*<web>.*\[port-in-use\]/],
        },
      },
    ],
  })),
  ...byIndex.map(({ what, programOf, made, writeOf, code }): Row => ({
    name: `${what}s that are named by the order of a list: the refusal says that the edit removes the holder`,
    settings: { duplicateIngressPort: "refused" },
    steps: [
      made,
      {
        does: "up",
        program: programOf([2]),
        sees: {
          effects: [`${what === "share" ? "update" : "replace"} ${what}-0`],
          writes: [writeOf(2, 0)],
          errors: [
            new RegExp(
              `${what} "engine-test-${what}-1" \\(<${what}-1>\\).* If this edit removes <${what}-1>, remove it first, in a separate \`pulumi up\`\\. ` +
                `If names follow the order of a list, use keys instead\\. \\[${code}\\]`,
            ),
          ],
        },
      },
    ],
  })),
  ...byIndex.map(({ what, programOf, made, writeOf, code }): Row => ({
    name: `${what}s that are named by the order of a list, of which two lines change places: each refusal says to use keys`,
    settings: { duplicateIngressPort: "refused" },
    steps: [
      made,
      {
        does: "up",
        program: programOf([2, 1]),
        sees: {
          effects: [0, 1].map((index) => `${what === "share" ? "update" : "replace"} ${what}-${index}`),
          writes: [2, 1].map(writeOf),
          inAnyOrder: true,
          errors: [
            new RegExp(`^${what}-\\d: .*If names follow the order of a list, use keys instead\\. \\[${code}\\]`),
          ],
        },
      },
    ],
  })),
  nameTaken(
    "was renamed with an alias, and moved to another tunnel",
    [
      madeWeb,
      { does: "up", program: { shares: { api: renamed } }, sees: { kept: { api: { ...ready, name: derivedWeb } } } },
      {
        does: "up",
        program: { shares: { api: { ...renamed, ipsecTunnelId: "tnl-other" } } },
        before: (service) => service.seedTunnel({ id: "tnl-other", locationId: "loc-other" }),
        sees: {
          effects: ["update api"],
          writes: ['PATCH /ipsec-shares/<api> {"ipsecTunnelId":"tnl-other","locationId":"loc-other"}'],
          kept: { api: { ...ready, name: derivedWeb } },
        },
      },
    ],
    { ...renamed, ipsecTunnelId: "tnl-other" },
  ),
  {
    name: "a share that can be one of the stack test-eu is not taken for one of this stack, and those of this stack are none of others",
    settings: { duplicateIngressPort: "refused" },
    steps: [
      {
        does: "up",
        program: site({ web: port }),
        sees: {
          effects: ["create hq", "create hq-web"],
          writes: [postTunnel(), postShare().replace('"web"', '"engine-test-hq-web-6a8dad65"')],
          kept: { hq: ready, "hq-web": ready },
        },
      },
      {
        does: "preview",
        program: { sites: { hq: { ...hq, peerCidr: "10.21.0.0/16", envZId: "env-1", shares: { web: port } } } },
        before: (service, id) =>
          service.seedShare({
            ...{ ...guest, ipsecTunnelId: id("hq"), ingressPort: 8443 },
            ...{ id: "shr-eu", name: "engine-test-eu-web-1a2b3c4d" },
          }),
        sees: {
          effects: ["replace hq", "replace hq-web"],
          says: [/may be other stacks' are on this tunnel \(shr-eu\)/],
        },
      },
      {
        does: "up",
        program: site({ web: { ...port, ingressPort: 8443 } }),
        sees: {
          effects: ["update hq-web"],
          writes: ['PATCH /ipsec-shares/<hq-web> {"ingressPort":8443}'],
          errors: [
            /^hq-web: .*\(shr-eu\).* Choose another `ingressPort`, or first remove shr-eu where it was created\./,
          ],
        },
      },
    ],
  },
  ...[seeded.id, "tnl-other"].map((tunnelId): Row => ({
    name: `a derived name that another stack's share has is refused, and a name of its own helps: on ${tunnelId}`,
    steps: [
      {
        does: "up",
        program: { shares: { web: unnamed } },
        before(service) {
          service.seedTunnel(seeded);
          service.seedTunnel({ id: "tnl-other", locationId: "loc-other" });
          service.seedShare({
            ...guest,
            ingressPort: 8443,
            name: derivedWeb,
            ipsecTunnelId: tunnelId,
            id: "shr-moved",
          });
        },
        sees: {
          effects: ["create web"],
          errors: [
            /^web: .*shr-moved .*Nothing was created\. If another stack manages it, set another `name`\..*\[identical-exists\]/,
          ],
        },
      },
      {
        does: "up",
        program: { shares: { web: { ...unnamed, name: "other" } } },
        sees: {
          effects: ["create web"],
          writes: [postShare(seeded.id).replace('"web"', '"other"')],
          kept: { web: { ...ready, name: "other" } },
        },
      },
    ],
  })),
];
