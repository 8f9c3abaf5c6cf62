/* global exports */
/** The same inputs for every contender. */
exports.shareArgs = (n) => ({
  name: `share-${n}`,
  frontdoorId: "fd-1",
  ipsecTunnelId: "tnl-1",
  envZId: "env-1",
  target: `host-${n}.internal:443`,
  ingressPort: 1000 + n,
});
