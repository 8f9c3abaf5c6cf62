// The plugin's classes, with IpsecSite as programs in other languages declare it: the plugin makes its children.
const pulumi = require("@pulumi/pulumi");
const classes = require("pulumi-frontdoor/plugin");

const outputs = ["tunnelId", "nlbDnsName", "vpnConnectionId", "sampleConfig", "endpoints", "shareIds"];

class IpsecSite extends pulumi.ComponentResource {
  constructor(name, args, opts) {
    const asked = Object.fromEntries(outputs.map((output) => [output, undefined]));
    super("frontdoor:index:IpsecSite", name, { ...asked, ...args }, opts, true);
  }
}

module.exports = { ...classes, IpsecSite };
