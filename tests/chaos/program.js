/* global exports, require */
// Makes what resources.json beside it says. `{ "tunnel": "hq" }` stands for that tunnel, or its id; `opts.place` and `opts.was` say
// where a resource is ("component:c1", "site:hq", at the top without) and under which names and in which places it was before.
const pulumi = require("@pulumi/pulumi");
const { imports, tunnels = {}, shares = {}, sets = {} } = require("./resources.json");
const { IpsecShare, IpsecShareSet, IpsecSite, IpsecTunnel } = require(imports);

class Plain extends pulumi.ComponentResource {
  constructor(name) {
    super("chaos:index:Plain", name);
  }
}
const types = { component: "chaos:index:Plain", site: "frontdoor:index:IpsecSite" };

const components = {};
const made = {};
const madeShares = {};

const aliasesOf = (name, was = []) =>
  was.map((before) => {
    const [kind, parent] = (before.place ?? "").split(":");
    return {
      name: before.name ?? name,
      parent: kind ? pulumi.createUrn(parent, types[kind]) : pulumi.rootStackResource,
    };
  });

function optionsOf(name, { place, was, deletedWith, dependsOn = [], ...rest } = {}) {
  const [kind, parent] = (place ?? "").split(":");
  if (kind === "component") components[parent] ??= new Plain(parent);
  return {
    ...rest,
    ...(kind === "component" && { parent: components[parent] }),
    ...(was && { aliases: aliasesOf(name, was) }),
    ...(deletedWith && { deletedWith: made[deletedWith.tunnel] }),
    // One of them may have been renamed or removed since.
    dependsOn: dependsOn.flatMap((share) => madeShares[share] ?? []),
  };
}

const resolved = (args) =>
  Object.fromEntries(Object.entries(args).map(([key, value]) => [key, value?.tunnel ? made[value.tunnel].id : value]));

const without = (args, ...keys) => Object.fromEntries(Object.entries(args).filter(([key]) => !keys.includes(key)));

const isIn = (site, { opts }) => opts?.place === `site:${site}`;

/** A site's resources are its own: that they were elsewhere before can only be said by a transformation. */
function makeSite(name, { opts, ...args }) {
  const members = Object.entries(shares).filter(([, share]) => isIn(name, share));
  const { was, ...rest } = without(opts, "place");
  const before = { [name]: was, ...Object.fromEntries(members.map(([share, { opts }]) => [share, opts.was])) };
  const transformations = [
    (one) =>
      before[one.name] && one.type !== types.site
        ? { props: one.props, opts: pulumi.mergeOptions(one.opts, { aliases: aliasesOf(one.name, before[one.name]) }) }
        : undefined,
  ];
  const own = members.map(([share, each]) => [share.slice(name.length + 1), without(each, "opts", "ipsecTunnelId")]);
  return new IpsecSite(name, { ...args, shares: Object.fromEntries(own) }, { ...rest, transformations }).tunnel;
}

for (const [name, tunnel] of Object.entries(tunnels)) {
  const { opts, ...args } = tunnel;
  made[name] = isIn(name, tunnel)
    ? makeSite(name, tunnel)
    : new IpsecTunnel(name, resolved(args), optionsOf(name, opts));
}
for (const [name, { opts, ...args }] of Object.entries(shares)) {
  if (!opts?.place?.startsWith("site:")) madeShares[name] = new IpsecShare(name, resolved(args), optionsOf(name, opts));
}
for (const [name, { opts, ...args }] of Object.entries(sets))
  new IpsecShareSet(name, resolved(args), optionsOf(name, opts));

for (const [name, tunnel] of Object.entries(made)) {
  exports[`${name}Id`] = tunnel.id;
  exports[`${name}SampleConfig`] = tunnel.sampleConfig;
}
