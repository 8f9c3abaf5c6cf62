/* global require, exports, Buffer */
// One tunnel's sample configuration is stored; the other's is not, and is read.
const pulumi = require("@pulumi/pulumi");
const { getSampleConfig, IpsecTunnel } = require("pulumi-frontdoor");

const { sampleConfig } = new IpsecTunnel("hq", { peerPublicIp: "203.0.113.7", peerCidr: "10.20.0.0/16" });
const branch = new IpsecTunnel("branch", {
  peerPublicIp: "203.0.113.8",
  peerCidr: "10.21.0.0/16",
  locationId: "loc-2",
  storeSampleConfig: false,
});
const sample = getSampleConfig({ id: branch.id });
const plain = pulumi.unsecret(sample);

/** Without outputs: its inputs are all there is to see. */
class Device extends pulumi.ComponentResource {
  constructor(name, args) {
    super("company:site:Device", name, args);
  }
}
class Note extends pulumi.dynamic.Resource {
  constructor(name, args) {
    super({ create: async () => ({ id: "note", outs: {} }) }, name, args);
  }
}

exports.kept = [sampleConfig, sample];
exports.stored = pulumi.unsecret(sampleConfig).apply((text) => [Buffer.from(`site: ${text}`).toString("base64")]);
exports.leaked = plain;
new Device("router", { settings: plain.apply((text) => Buffer.from(text).toString("base64")) });
// The key only: announced by nothing, but the output above holds it as a secret.
const word = plain.apply((text) => /pre-shared-key (\S+)/.exec(text)[1]);
new Device("switch", { word: word.apply((key) => key.toUpperCase()) });
exports.bytes = word.apply((key) => [...Buffer.from(key)]);
exports.buffer = word.apply((key) => Buffer.from(key));
new Note("note", { plain });
