/* global process, require */
// Shares as a user of the package writes them.
const { IpsecShare } = require("pulumi-frontdoor");
const { shareArgs } = require("./shares");

for (let n = 0; n < Number(process.env.BENCH_SHARES); n++) new IpsecShare(`share-${n}`, shareArgs(n));
