/* global exports, require */
// Makes what resources.json beside it says; `{ "tunnel": "hq" }` stands for the id of that tunnel.
const { IpsecShare, IpsecTunnel } = require("pulumi-frontdoor");
const { tunnels = {}, shares = {} } = require("./resources.json");

const made = {};
const resolved = (args) =>
  Object.fromEntries(Object.entries(args).map(([key, value]) => [key, value?.tunnel ? made[value.tunnel].id : value]));

for (const [name, { opts, ...args }] of Object.entries(tunnels))
  made[name] = new IpsecTunnel(name, resolved(args), opts);
for (const [name, { opts, ...args }] of Object.entries(shares)) new IpsecShare(name, resolved(args), opts);

for (const [name, tunnel] of Object.entries(made)) {
  exports[`${name}Id`] = tunnel.id;
  exports[`${name}SampleConfig`] = tunnel.sampleConfig;
}
