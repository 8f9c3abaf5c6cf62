import type { Resources } from "../../harness/stack";
import { type Row, type Step, both, hq, made, postShare, postTunnel, ready, web } from "../row";

type Options = Record<string, unknown>;

const place = { locationId: "loc-1" };
const moved = { ...hq, locationId: "loc-2" };
const replaced = { ...hq, peerCidr: "10.21.0.0/16" };

/** A tunnel and a share on it, with these arguments and options. */
const program = (tunnel: Options, share: Options, args: { tunnel?: object; share?: object } = {}): Resources => ({
  tunnels: { hq: { ...hq, ...args.tunnel, opts: tunnel } },
  shares: { web: { ...web, ...args.share, opts: share } },
});
const withBoth = (opts: Options, args: { tunnel?: object; share?: object } = {}) => program(opts, opts, args);

const up = (resources: Resources, sees: Step["sees"], flags: readonly string[] = []): Step => ({
  does: "up",
  ...{ program: resources, sees, flags },
});

const kept = { hq: ready, web: ready };
const all = ["replace hq", "replace web"];
const recreated = ["DELETE /ipsec-shares/<old web>", "DELETE /ipsec-tunnels/<old hq>"];

const urn = (type: string, name: string) => [
  `urn:pulumi:test::engine::pulumi-nodejs:dynamic/frontdoor:${type}::${name}`,
  `urn:pulumi:test::engine::frontdoor:index:${type}::${name}`,
];

/** A site with one service. */
const withSite = (more: object = {}): Resources => ({
  sites: {
    hq: {
      ...{ ...hq, envZId: web.envZId, ...more },
      shares: { web: { name: web.name, target: web.target, ingressPort: web.ingressPort } },
    },
  },
});
const keptSite = { hq: ready, "hq-web": ready };
const recreatedSite = ["DELETE /ipsec-shares/<old hq-web>", "DELETE /ipsec-tunnels/<old hq>"];
const postSiteShare = postShare();
const replaceTunnel = ["--replace", "**IpsecTunnel::hq"];

/** What Pulumi's options and flags do with tunnels and shares; the model of the engine knows few of them. */
export const options: Row[] = [
  {
    name: "protect: neither a removal, a replacement nor a destroy writes anything",
    steps: [
      { ...made, program: withBoth({ protect: true }) },
      up({}, { effects: ["delete web"], errors: [/protect/] }),
      up(withBoth({ protect: true }, { tunnel: replaced }), { errors: [/protect/] }),
      { does: "destroy", sees: { effects: ["delete web"], errors: [/protect/] } },
      up(both, { kept }),
      up(program({}, {}, { tunnel: replaced }), {
        effects: all,
        writes: [...recreated, postTunnel(replaced), postShare()],
        kept,
      }),
    ],
  },
  {
    name: "retainOnDelete: what leaves the program stays at the service",
    steps: [
      { ...made, program: withBoth({ retainOnDelete: true }) },
      up({}, { effects: ["delete hq", "delete web"], kept: {}, leaves: ["hq", "web"] }),
    ],
  },
  {
    name: "ignoreChanges: an edit or a drift of what is ignored writes nothing, and another field is written",
    steps: [
      { ...made, program: program({ ignoreChanges: ["peerCidr"] }, { ignoreChanges: ["target"] }) },
      up(
        program(
          { ignoreChanges: ["peerCidr"] },
          { ignoreChanges: ["target"] },
          { tunnel: replaced, share: { target: "web2.internal:443" } },
        ),
        { kept: { hq: { ...ready, peerCidr: hq.peerCidr }, web: { ...ready, target: web.target } } },
      ),
      {
        ...up(program({}, { ignoreChanges: ["target"] }, { share: { ingressPort: 8443 } }), {
          effects: ["update web"],
          writes: ['PATCH /ipsec-shares/<web> {"ingressPort":8443}'],
          kept: { hq: ready, web: { ...ready, target: "elsewhere.internal:443" } },
        }),
        before: (service, id) => service.patchShare(id("web"), { target: "elsewhere.internal:443" }),
      },
      up(program({}, {}, { share: { ingressPort: 8443 } }), {
        effects: ["update web"],
        writes: ['PATCH /ipsec-shares/<web> {"target":"web.internal:443"}'],
        kept,
      }),
    ],
  },
  {
    name: "ignoreChanges: a wildcard ignores an edit of every field",
    steps: [
      { ...made, program: program({ ignoreChanges: ["*"] }, { ignoreChanges: ["*"] }) },
      up(
        program(
          { ignoreChanges: ["*"] },
          { ignoreChanges: ["*"] },
          { tunnel: replaced, share: { target: "web2.internal:443" } },
        ),
        { kept: { hq: { ...ready, peerCidr: hq.peerCidr }, web: { ...ready, target: web.target } } },
      ),
    ],
  },
  {
    name: "ignoreChanges: the environment is ignored under either name",
    steps: [
      { ...made, program: program({}, { ignoreChanges: ["envId"] }, { share: { envZId: undefined, envId: "env-1" } }) },
      up(program({}, { ignoreChanges: ["envId"] }, { share: { envZId: undefined, envId: "env-2" } }), { kept }),
      up(program({}, { ignoreChanges: ["envZId"] }, { share: { envZId: "env-2" } }), { kept }),
    ],
  },
  {
    name: "replaceOnChanges: a share is deleted and created again",
    steps: [
      { ...made, program: program({}, { replaceOnChanges: ["target"] }) },
      up(program({}, { replaceOnChanges: ["target"] }, { share: { target: "web2.internal:443" } }), {
        effects: ["replace web"],
        writes: ["DELETE /ipsec-shares/<old web>", postShare().replace("web.internal:443", "web2.internal:443")],
        kept,
      }),
    ],
  },
  {
    name: "deletedWith: a share is deleted at the service before its tunnel",
    steps: [
      { ...made, program: program({}, { deletedWith: "hq" }) },
      up(program({}, { deletedWith: "hq" }, { tunnel: replaced }), {
        effects: all,
        writes: [...recreated, postTunnel(replaced), postShare()],
        kept,
      }),
      up(
        { tunnels: { hq: replaced } },
        {
          effects: ["delete web"],
          writes: ["DELETE /ipsec-shares/<web>"],
          kept: { hq: ready },
        },
      ),
    ],
  },
  {
    name: "deleteBeforeReplace: false is refused in the same place, and moves the share to a new place",
    steps: [
      {
        ...made,
        program: withBoth({ deleteBeforeReplace: false }, { tunnel: place }),
        sees: { ...made.sees, writes: [postTunnel({ ...hq, ...place }), postShare()] },
      },
      up(withBoth({ deleteBeforeReplace: false }, { tunnel: { ...replaced, ...place } }), {
        effects: ["replace hq"],
        // The service refuses it: the place is taken.
        writes: [postTunnel({ ...replaced, ...place })],
        errors: [/deleteBeforeReplace/],
      }),
      up(withBoth({ deleteBeforeReplace: false }, { tunnel: moved }), {
        effects: ["replace hq", "update web"],
        writes: [
          postTunnel(moved),
          'PATCH /ipsec-shares/<web> {"ipsecTunnelId":"<hq>","locationId":"loc-2"}',
          "DELETE /ipsec-tunnels/<old hq>",
        ],
        kept,
      }),
    ],
  },
  {
    name: "deleteBeforeReplace: true deletes the share and its tunnel before a move",
    steps: [
      {
        ...made,
        program: withBoth({ deleteBeforeReplace: true }, { tunnel: place }),
        sees: { ...made.sees, writes: [postTunnel({ ...hq, ...place }), postShare()] },
      },
      up(withBoth({ deleteBeforeReplace: true }, { tunnel: moved }), {
        effects: all,
        writes: [...recreated, postTunnel(moved), postShare()],
        kept,
      }),
    ],
  },
  {
    name: "a site's tunnel is deleted first for another name, and for --replace with deleteBeforeReplace of the site",
    steps: [
      {
        does: "up",
        program: withSite(),
        sees: { effects: ["create hq", "create hq-web"], writes: [postTunnel(), postSiteShare], kept: keptSite },
      },
      up(withSite({ name: "hq-key-2" }), {
        effects: ["replace hq", "replace hq-web"],
        writes: [...recreatedSite, postTunnel({ ...hq, name: "hq-key-2" }), postSiteShare],
        kept: keptSite,
      }),
      up(withSite({ name: "hq-key-2", rotation: 2 }), {
        effects: ["replace hq", "replace hq-web"],
        writes: [...recreatedSite, postTunnel({ ...hq, name: "hq-key-2" }), postSiteShare],
        kept: { hq: { ...ready, rotation: 2 }, "hq-web": ready },
      }),
      up(
        withSite({ name: "hq-key-2", rotation: 2 }),
        { effects: ["replace hq"], errors: [/another `rotation`.*deleteBeforeReplace.*\[identical-exists\]/] },
        replaceTunnel,
      ),
      up(
        withSite({ name: "hq-key-2", rotation: 2, opts: { deleteBeforeReplace: true } }),
        {
          effects: ["replace hq", "replace hq-web"],
          writes: [...recreatedSite, postTunnel({ ...hq, name: "hq-key-2" }), postSiteShare],
          kept: { hq: { ...ready, rotation: 2 }, "hq-web": ready },
        },
        replaceTunnel,
      ),
    ],
  },
  {
    name: "--target updates only the share, and the next up replaces the tunnel",
    steps: [
      made,
      up(
        program({}, {}, { tunnel: replaced, share: { ingressPort: 8443 } }),
        { effects: ["update web"], writes: ['PATCH /ipsec-shares/<web> {"ingressPort":8443}'], kept },
        ["--target", "**::web"],
      ),
      up(program({}, {}, { tunnel: replaced, share: { ingressPort: 8443 } }), {
        effects: all,
        writes: [...recreated, postTunnel(replaced), postShare().replace("443}", "8443}")],
        kept,
      }),
    ],
  },
  {
    name: "aliases: a tunnel and a share move into a site without a write",
    steps: [
      made,
      up(
        {
          sites: {
            hq: {
              ...{ ...hq, envZId: web.envZId },
              shares: { web: { name: web.name, target: web.target, ingressPort: web.ingressPort } },
              opts: {
                transforms: {
                  IpsecTunnel: { aliases: urn("IpsecTunnel", "hq") },
                  IpsecShare: { aliases: urn("IpsecShare", "web") },
                },
              },
            },
          },
        },
        { kept: { hq: ready, "hq-web": ready } },
      ),
    ],
  },
];
