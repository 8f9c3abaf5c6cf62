// Builds the Pulumi engine where its download cannot be had; see scripts/setup/engine.mjs.
module pulumi-frontdoor/engine

go 1.24.7

require github.com/pulumi/pulumi/pkg/v3 v3.213.0

// The module's own replace, which counts only when it is repeated here.
replace github.com/atotto/clipboard => github.com/tgummerer/clipboard v0.0.0-20241001131231-d02d263e614e
