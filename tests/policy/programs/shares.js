/* global require, process */
// As many shares as SHARES says, a hundred on each tunnel, none of which breaks a rule of the baseline.
const { IpsecShare, IpsecTunnel } = require("pulumi-frontdoor");

const perTunnel = 100;
for (let made = 0; made < Number(process.env.SHARES); made++) {
  const site = Math.floor(made / perTunnel);
  if (made % perTunnel === 0) {
    var { id: ipsecTunnelId } = new IpsecTunnel(`site-${site}`, {
      peerPublicIp: `203.0.113.${site + 1}`,
      peerCidr: `10.${site}.0.0/16`,
      locationId: `loc-${site}`,
    });
  }
  const target = `service-${made}.internal:443`;
  new IpsecShare(`share-${made}`, { ipsecTunnelId, envZId: "env-1", target, ingressPort: 8000 + (made % perTunnel) });
}
