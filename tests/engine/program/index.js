/* global exports, require, setImmediate */
// Makes what resources.json beside it says; `{ "tunnel": "hq" }` stands for the id of that tunnel, `{ "share": "web" }` of that share.
const { ComponentResource } = require("@pulumi/pulumi");
const { IpsecShare, IpsecSite, IpsecTunnel } = require("pulumi-frontdoor");
const { components = {}, tunnels = {}, shares = {}, sites = {} } = require("./resources.json");

const made = {};
const id = ({ tunnel, share }) => made[tunnel ?? share].id;
const resolved = (args) =>
  Object.fromEntries(
    Object.entries(args).map(([key, value]) => [key, value?.tunnel || value?.share ? id(value) : value]),
  );

/** No dependency: it is only registered once the other one is there. */
const registered = (name) => new Promise((resolve) => setImmediate(() => made[name].urn.apply(resolve)));
const later = (after, args) => (after ? { ...args, name: registered(after).then(() => args.name) } : args);

const make = (Resource, all) => {
  for (const [name, { opts: { parent, after, ...opts } = {}, ...args }] of Object.entries(all))
    made[name] = new Resource(name, later(after, resolved(args)), { ...opts, ...(parent && { parent: made[parent] }) });
};

for (const name of Object.keys(components)) made[name] = new ComponentResource("test:index:Group", name);
make(IpsecTunnel, tunnels);
make(IpsecShare, shares);
make(IpsecSite, sites);

for (const name of Object.keys(tunnels)) {
  exports[`${name}Id`] = made[name].id;
  exports[`${name}SampleConfig`] = made[name].sampleConfig;
}
