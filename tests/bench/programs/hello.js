/* global process, require */
// The same inputs for a plugin that does nothing.
const pulumi = require("@pulumi/pulumi");
const { shareArgs } = require("./shares");

for (let n = 0; n < Number(process.env.BENCH_SHARES); n++)
  new pulumi.CustomResource("hello:index:Share", `share-${n}`, shareArgs(n));
