/* global exports, require */
const pulumi = require("@pulumi/pulumi");
const { IpsecShare, IpsecSite, IpsecTunnel } = require("pulumi-frontdoor");

// As few arguments as there can be.
const office = new IpsecTunnel("branch-office", { peerPublicIp: "203.0.113.7", peerCidr: "10.20.0.0/16" });
const services = {
  web: { target: "intranet.corp.example:443", ingressPort: 443 },
  database: { target: "10.8.0.15:5432", ingressPort: 5432 },
};
for (const [name, service] of Object.entries(services))
  new IpsecShare(name, { ...service, ipsecTunnelId: office.id, envZId: "env-agent-1" });

// As many as there can be, a secret and other spellings among them.
const lab = new IpsecTunnel(
  "lab",
  {
    name: "lab-of-our-own",
    peerPublicIp: "203.0.113.9",
    peerCidr: "10.30.0.0/16",
    locationId: "loc-2",
    nlbPrivateIp: "10.90.0.77",
    frontdoorId: "fd-1",
    storeSampleConfig: false,
  },
  { customTimeouts: { create: "40m", delete: "40m" }, protect: true },
);
const archive = new IpsecShare(
  "archive",
  {
    name: "archive-of-our-own",
    ipsecTunnelId: lab.id,
    envId: "env-agent-2",
    target: pulumi.secret("ARCHIVE.corp.example:8443"),
    ingressPort: 8443,
    locationId: "loc-2",
    frontdoorId: "fd-1",
  },
  { customTimeouts: { update: "20m" }, parent: lab },
);

const plant = new IpsecSite("plant", {
  peerPublicIp: "203.0.113.11",
  peerCidr: "10.40.0.0/16",
  locationId: "loc-3",
  envZId: "env-agent-3",
  shares: {
    web: { target: "plant.corp.example:443", ingressPort: 443 },
    mail: { target: "mail.corp.example:25", ingressPort: 25, envId: "env-agent-4" },
  },
});

exports.sampleConfig = office.sampleConfig;
exports.archive = archive.target;
exports.endpoints = plant.endpoints;
