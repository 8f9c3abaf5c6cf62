/* global process */
require("./compile-cache.cjs");

delete process.env.PULUMI_NODEJS_TYPESCRIPT;
