/* global process, require */
// The same inputs for a plugin that does nothing, by a class as every provider's SDK has one: else the engine keeps no source positions.
const pulumi = require("@pulumi/pulumi");
const { shareArgs } = require("./shares");

class Share extends pulumi.CustomResource {
  constructor(name, args) {
    super("hello:index:Share", name, args);
  }
}

for (let n = 0; n < Number(process.env.BENCH_SHARES); n++) new Share(`share-${n}`, shareArgs(n));
