/* global process, require */
// The engine's own floor: a dynamic provider that does nothing, by a one-line text like ours.
const pulumi = require("@pulumi/pulumi");
const { shareArgs } = require("./shares");

const text =
  "exports.handler=()=>({check:async(o,n)=>({inputs:n}),diff:async()=>({changes:false}),create:async p=>({id:p.name,outs:p}),read:async(i,p)=>({id:i,props:p}),delete:async()=>{}})";

class Share extends pulumi.CustomResource {
  constructor(name, args) {
    super("pulumi-nodejs:dynamic/floor:Share", name, { ...args, __provider: text });
  }
}

for (let n = 0; n < Number(process.env.BENCH_SHARES); n++) new Share(`share-${n}`, shareArgs(n));
