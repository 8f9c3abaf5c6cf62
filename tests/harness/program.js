/* global exports, require, setImmediate */
// Makes what resources.json beside it says, options included. In arguments `{ "tunnel": "hq" }` stands for the id of that tunnel, and
// `{ "secret": "…" }` for a secret, also in the shares of a set. In options `deletedWith`, `dependsOn` and `parent` name what was made before, `transforms` are options by type, given to all children, and `after`
// is what is registered first, without being depended on (it needs a `name`).
const pulumi = require("@pulumi/pulumi");
const {
  imports,
  groups = {},
  tunnels = {},
  shares = {},
  sites = {},
  sets = {},
  connections = {},
} = require("./resources.json");
const { IpsecShare, IpsecShareSet, IpsecSite, IpsecTunnel, IpsecTunnelConnection } = require(imports);

const made = {};

class Group extends pulumi.ComponentResource {
  constructor(name, args, opts) {
    super("test:index:Group", name, args, opts);
  }
}

/** No dependency: it is only registered once the other one is there. */
const registered = (name) => new Promise((resolve) => setImmediate(() => made[name].urn.apply(resolve)));

function meant(value) {
  if (value?.tunnel) return made[value.tunnel].id;
  if (value?.secret) return pulumi.secret(value.secret);
  const isMap = typeof value === "object" && value !== null && !Array.isArray(value);
  return isMap ? Object.fromEntries(Object.entries(value).map(([key, each]) => [key, meant(each)])) : value;
}

function resolved(args, after) {
  const entries = Object.entries(args).map(([key, value]) => [key, meant(value)]);
  return { ...Object.fromEntries(entries), ...(after && { name: registered(after).then(() => args.name) }) };
}

/** Not the resource's own options: those that reach it once its constructor has ended. */
const transformed = (byType) => (args) => {
  const [, more] = Object.entries(byType).find(([type]) => args.type.endsWith(`:${type}`)) ?? [];
  return more && { props: args.props, opts: { ...args.opts, ...more } };
};

const options = ({ deletedWith, parent, dependsOn, transforms, ...rest }) => ({
  ...rest,
  ...(dependsOn && { dependsOn: dependsOn.map((name) => made[name]) }),
  ...(deletedWith && { deletedWith: made[deletedWith] }),
  ...(parent && { parent: made[parent] }),
  ...(transforms && { transforms: [transformed(transforms)] }),
});

for (const [Resource, all] of [
  [Group, groups],
  [IpsecTunnel, tunnels],
  [IpsecShare, shares],
  [IpsecSite, sites],
  [IpsecShareSet, sets],
  [IpsecTunnelConnection, connections],
])
  for (const [name, { opts: { after, ...opts } = {}, ...args }] of Object.entries(all))
    made[name] = new Resource(name, resolved(args, after), options(opts));

for (const name of Object.keys(tunnels)) {
  exports[`${name}Id`] = made[name].id;
  exports[`${name}SampleConfig`] = made[name].sampleConfig;
}
for (const name of Object.keys(sets)) exports[`${name}Shares`] = made[name].shares;
