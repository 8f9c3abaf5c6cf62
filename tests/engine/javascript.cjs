/* global process */
delete process.env.PULUMI_NODEJS_TYPESCRIPT;
