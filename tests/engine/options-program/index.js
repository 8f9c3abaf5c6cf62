/* global require */
// Makes what resources.json beside it says, options included. In arguments `{ "tunnel": "hq" }` stands for the id of that tunnel;
// in options `deletedWith` and `parent` name a resource made before, and `transforms` are options by type, given to all children.
const pulumi = require("@pulumi/pulumi");
const { IpsecShare, IpsecSite, IpsecTunnel } = require("pulumi-frontdoor");
const { groups = {}, tunnels = {}, sites = {}, shares = {} } = require("./resources.json");

const made = {};
const resolved = (args) =>
  Object.fromEntries(Object.entries(args).map(([key, value]) => [key, value?.tunnel ? made[value.tunnel].id : value]));

/** Not the resource's own options: those that reach it once its constructor has ended. */
const transformed = (byType) => (args) => {
  const [, more] = Object.entries(byType).find(([type]) => args.type.endsWith(`:${type}`)) ?? [];
  return more && { props: args.props, opts: { ...args.opts, ...more } };
};

function options({ deletedWith, parent, transforms, ...rest } = {}) {
  return {
    ...rest,
    ...(deletedWith && { deletedWith: made[deletedWith] }),
    ...(parent && { parent: made[parent] }),
    ...(transforms && { transforms: [transformed(transforms)] }),
  };
}

for (const [name, { opts }] of Object.entries(groups))
  made[name] = new pulumi.ComponentResource("test:index:Group", name, {}, options(opts));
for (const [name, { opts, ...args }] of Object.entries(tunnels))
  made[name] = new IpsecTunnel(name, resolved(args), options(opts));
for (const [name, { opts, ...args }] of Object.entries(sites)) new IpsecSite(name, args, options(opts));
for (const [name, { opts, ...args }] of Object.entries(shares)) new IpsecShare(name, resolved(args), options(opts));
