// @pulumi/pulumi loads it for providers that are closures. It is loaded once somebody looks into it.
module.exports = new Proxy({}, { get: (_, key) => require("typescript/lib/typescript.js")[key] });
