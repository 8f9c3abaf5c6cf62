/* global require, process */
// As many shares as SHARES says, a hundred on each tunnel, none of which breaks a rule of the baseline; with AS_SET in one set.
const { IpsecShare, IpsecShareSet, IpsecTunnel } = require("pulumi-frontdoor");

const perTunnel = 100;
const tunnel = (site) =>
  new IpsecTunnel(`site-${site}`, {
    peerPublicIp: `203.0.113.${site + 1}`,
    peerCidr: `10.${site}.0.0/16`,
    locationId: `loc-${site}`,
  });
const share = (number) => ({ target: `service-${number}.internal:443`, ingressPort: 20_000 + number });
const numbers = Array.from({ length: Number(process.env.SHARES) }, (_, number) => number);

if (process.env.AS_SET) {
  const shares = Object.fromEntries(numbers.map((number) => [`share-${number}`, share(number)]));
  new IpsecShareSet("shares", { ipsecTunnelId: tunnel(0).id, envZId: "env-1", shares });
} else {
  for (const number of numbers) {
    if (number % perTunnel === 0) var { id: ipsecTunnelId } = tunnel(number / perTunnel);
    new IpsecShare(`share-${number}`, { ipsecTunnelId, envZId: "env-1", ...share(number) });
  }
}
