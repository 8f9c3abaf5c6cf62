/* global process, require */
// The engine's own floor: a dynamic provider that does nothing, by a one-line text like ours.
const pulumi = require("@pulumi/pulumi");
const { shareArgs } = require("./shares");

// Where a service would take time it sleeps as long.
const ms = Number(process.env.BENCH_PROVISION_SECONDS) * 1000;
const create = ms > 0 ? `p=>new Promise(r=>setTimeout(r,${ms},{id:p.name,outs:p}))` : "async p=>({id:p.name,outs:p})";
const text = `exports.handler=()=>({check:async(o,n)=>({inputs:n}),diff:async()=>({changes:false}),create:${create},read:async(i,p)=>({id:i,props:p}),delete:async()=>{}})`;

class Share extends pulumi.CustomResource {
  constructor(name, args) {
    super("pulumi-nodejs:dynamic/floor:Share", name, { ...args, __provider: text });
  }
}

for (let n = 0; n < Number(process.env.BENCH_SHARES); n++) new Share(`share-${n}`, shareArgs(n));
