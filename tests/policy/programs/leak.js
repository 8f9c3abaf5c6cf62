/* global require, exports, Buffer */
const pulumi = require("@pulumi/pulumi");
const { IpsecTunnel } = require("pulumi-frontdoor");

const { sampleConfig } = new IpsecTunnel("hq", { peerPublicIp: "203.0.113.7", peerCidr: "10.20.0.0/16" });

exports.kept = sampleConfig;
exports.leaked = pulumi.unsecret(sampleConfig).apply((text) => [Buffer.from(`site: ${text}`).toString("base64")]);
