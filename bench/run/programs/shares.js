/* global exports, process */
/** The same inputs for every contender; the first share is otherwise once it is edited. */
exports.shareArgs = (n) => ({
  name: `share-${n}`,
  frontdoorId: "fd-1",
  ipsecTunnelId: "tnl-1",
  envZId: "env-1",
  target: n === 0 && process.env.BENCH_EDITED ? "edited.internal:443" : `host-${n}.internal:443`,
  ingressPort: 1000 + n,
});

/** The same as one set, by these classes. */
exports.declareSet = ({ IpsecShareSet }) => {
  const all = Array.from({ length: Number(process.env.BENCH_SHARES) }, (_, n) => exports.shareArgs(n));
  const shares = Object.fromEntries(all.map(({ name, target, ingressPort }) => [name, { name, target, ingressPort }]));
  const { frontdoorId, ipsecTunnelId, envZId } = all[0];
  return new IpsecShareSet("shares", { frontdoorId, ipsecTunnelId, envZId, shares });
};
