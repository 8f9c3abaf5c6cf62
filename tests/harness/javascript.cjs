/* global process */
require("./quick.cjs");

// The engine's language host passes over a project's `typescript: false`, and the Pulumi SDK would load ts-node.
delete process.env.PULUMI_NODEJS_TYPESCRIPT;
