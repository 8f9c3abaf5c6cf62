/* global exports, require */
// One tunnel and as many shares as the stack's configuration says.
const pulumi = require("@pulumi/pulumi");
const { IpsecSite } = require("pulumi-frontdoor");

const config = new pulumi.Config();
const number = config.requireNumber("number");
const shares = Object.fromEntries(
  Array.from({ length: config.getNumber("shares") ?? 1 }, (_, at) => [
    `service-${at + 1}`,
    { target: `service-${at + 1}.internal:443`, ingressPort: 1000 + at },
  ]),
);
if (config.get("fails")) throw new Error(`the note is ${config.get("note")}`);

const site = new IpsecSite("site", {
  peerPublicIp: `203.0.113.${number}`,
  peerCidr: `10.${number}.0.0/16`,
  locationId: `location-${number}`,
  envZId: "env-1",
  shares,
});

exports.endpoints = site.endpoints;
exports.sampleConfig = site.sampleConfig;
exports.note = config.getSecret("note");
