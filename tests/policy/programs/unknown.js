/* global require, exports */
// Every input but one tunnel's is known only once that tunnel exists, and by then breaks about every rule.
const { IpsecShare, IpsecTunnel } = require("pulumi-frontdoor");

const hq = new IpsecTunnel("hq", { peerPublicIp: "203.0.113.7", peerCidr: "10.20.0.0/16", storeSampleConfig: false });
const later = (value) => hq.vpnConnectionId.apply(() => value);

new IpsecTunnel("branch", {
  name: later("x"),
  peerPublicIp: later("203.0.113.8"),
  peerCidr: later("10.20.0.0/16"),
  locationId: later("loc-2"),
  nlbPrivateIp: later("10.0.0.1"),
  frontdoorId: later("fd-1"),
  storeSampleConfig: later(true),
});
for (const name of ["a", "b", "c"]) {
  new IpsecShare(name, {
    name: later("x"),
    ipsecTunnelId: later("tnl-1"),
    envZId: later("env-1"),
    target: later("8.8.8.8:22"),
    ingressPort: later(22),
    locationId: later("loc-3"),
    frontdoorId: later("fd-1"),
  });
}
exports.everything = later({ sample: ["pre-shared-key Example7only+key"] });
