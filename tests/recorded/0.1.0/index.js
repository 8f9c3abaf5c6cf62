/* global exports, require */
const pulumi = require("@pulumi/pulumi");
const dynamic = require("pulumi-frontdoor");
const plugin = require("pulumi-frontdoor/plugin");

/** The same of either family of classes, at locations of its own. */
function declare(family, { IpsecShare, IpsecShareSet, IpsecSite, IpsecTunnel }) {
  const at = (number) => ({
    peerPublicIp: `203.0.113.${number}`,
    peerCidr: `10.${number}.0.0/16`,
    locationId: `${family}-${number}`,
  });
  const web = { target: "intranet.corp.example:443", ingressPort: 443 };
  const mail = { target: "mail.corp.example:25", ingressPort: 25 };

  // As few arguments as there can be where other tunnels are, too.
  const office = new IpsecTunnel(`${family}-office`, at(7));
  new IpsecShare(`${family}-web`, { ...web, ipsecTunnelId: office.id, envZId: "env-agent-1" });
  const database = { target: pulumi.secret("10.8.0.15:5432"), ingressPort: 5432, envId: "env-agent-2" };
  new IpsecShareSet(`${family}-services`, {
    ipsecTunnelId: office.id,
    envZId: "env-agent-1",
    shares: { mail, database },
  });

  // As many as there can be, a secret and other spellings among them.
  const lab = new IpsecTunnel(
    `${family}-lab`,
    {
      ...at(9),
      name: `${family}-lab-of-our-own`,
      nlbPrivateIp: family === "dynamic" ? "10.90.0.77" : "10.90.0.78",
      frontdoorId: "fd-1",
      storeSampleConfig: false,
    },
    { customTimeouts: { create: "40m", delete: "40m" }, protect: true },
  );
  new IpsecShare(
    `${family}-archive`,
    {
      name: `${family}-archive-of-our-own`,
      ipsecTunnelId: lab.id,
      envId: "env-agent-2",
      target: pulumi.secret("ARCHIVE.corp.example:8443"),
      ingressPort: 8443,
      locationId: `${family}-9`,
      frontdoorId: "fd-1",
    },
    { customTimeouts: { update: "20m" }, parent: lab },
  );

  const shares = { web, mail: { ...mail, envId: "env-agent-4" } };
  const plant = new IpsecSite(`${family}-plant`, { ...at(11), envZId: "env-agent-3", shares });
  new IpsecSite(`${family}-depot`, { ...at(12), envZId: "env-agent-3", asSet: true, shares });

  exports[`${family}SampleConfig`] = office.sampleConfig;
  exports[`${family}Endpoints`] = plant.endpoints;
}

declare("dynamic", dynamic);
declare("plugin", plugin);

const options = { provider: new plugin.Provider("own", { frontdoorId: "fd-1", requestsPerSecond: 50 }) };
const yard = new plugin.IpsecTunnel("yard", { peerPublicIp: "203.0.113.20", peerCidr: "10.20.0.0/16" }, options);
const gate = { ipsecTunnelId: yard.id, envZId: "env-agent-1", target: "gate.corp.example:443", ingressPort: 443 };
new plugin.IpsecShare("gate", gate, options);
