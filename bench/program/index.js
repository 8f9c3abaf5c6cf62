/* global process, require */
// The same shares by each contender of bench/contender.ts. BENCH_CONTENDER names it.
const pulumi = require("@pulumi/pulumi");

/** The first share is different once it is edited. */
const shareArgs = (n) => ({
  name: `share-${n}`,
  frontdoorId: "fd-1",
  ipsecTunnelId: "tnl-1",
  envZId: "env-1",
  target: n === 0 && process.env.BENCH_EDITED ? "edited.internal:443" : `host-${n}.internal:443`,
  ingressPort: 1000 + n,
});

const count = Number(process.env.BENCH_SHARES);

function declareEach(Share) {
  for (let n = 0; n < count; n++) new Share(`share-${n}`, shareArgs(n));
}

function declareSet({ IpsecShareSet }) {
  const all = Array.from({ length: count }, (_, n) => shareArgs(n));
  const shares = Object.fromEntries(all.map(({ name, target, ingressPort }) => [name, { name, target, ingressPort }]));
  const { frontdoorId, ipsecTunnelId, envZId } = all[0];
  return new IpsecShareSet("shares", { frontdoorId, ipsecTunnelId, envZId, shares });
}

/** The engine's floor: a dynamic provider that does nothing, and sleeps where a service would take time. */
function floor() {
  const ms = Number(process.env.BENCH_PROVISION_SECONDS) * 1000;
  const create = ms > 0 ? `p=>new Promise(r=>setTimeout(r,${ms},{id:p.name,outs:p}))` : "async p=>({id:p.name,outs:p})";
  const text = `exports.handler=()=>({check:async(o,n)=>({inputs:n}),diff:async()=>({changes:false}),create:${create},read:async(i,p)=>({id:i,props:p}),delete:async()=>{}})`;
  return class Share extends pulumi.CustomResource {
    constructor(name, args) {
      super("pulumi-nodejs:dynamic/floor:Share", name, { ...args, __provider: text });
    }
  };
}

/** The floor of plugins: a class as every provider's SDK has one. Otherwise the engine keeps no source positions. */
const hello = () =>
  class Share extends pulumi.CustomResource {
    constructor(name, args) {
      super("hello:index:Share", name, args);
    }
  };

const declare = {
  floor: () => declareEach(floor()),
  hello: () => declareEach(hello()),
  ours: () => declareEach(require("pulumi-frontdoor").IpsecShare),
  plugin: () => declareEach(require("pulumi-frontdoor/plugin").IpsecShare),
  set: () => declareSet(require("pulumi-frontdoor")),
  pluginSet: () => declareSet(require("pulumi-frontdoor/plugin")),
  empty: () => undefined,
};
declare[process.env.BENCH_CONTENDER]();
