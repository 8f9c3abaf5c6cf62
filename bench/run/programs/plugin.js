/* global process, require */
// Shares as a user of the plugin's classes writes them.
const { IpsecShare } = require("pulumi-frontdoor/plugin");
const { shareArgs } = require("./shares");

for (let n = 0; n < Number(process.env.BENCH_SHARES); n++) new IpsecShare(`share-${n}`, shareArgs(n));
