/* global exports, require */
// Registers what program.json beside it says. `{ "secret": "…" }` stands for a secret.
const pulumi = require("@pulumi/pulumi");
const { imports, registrations } = require("./program.json");
const { IpsecShare, IpsecShareSet, IpsecTunnel } = require(imports);

const classes = { tunnels: IpsecTunnel, shares: IpsecShare, sets: IpsecShareSet };

class Component extends pulumi.ComponentResource {
  constructor(name) {
    super("prove:index:Component", name);
  }
}

const meant = (value) => (value?.secret === undefined ? value : pulumi.secret(value.secret));
const made = {};
let component;

for (const { slot, kind, name, isInside, aliases, args, on } of registrations) {
  if (isInside) component ??= new Component("around");
  const given = Object.fromEntries(Object.entries(args).map(([key, value]) => [key, meant(value)]));
  made[slot] = new classes[kind](
    name,
    { ...given, ...(on && { ipsecTunnelId: made[on].id }) },
    {
      aliases,
      ...(isInside && { parent: component }),
    },
  );
  if (kind === "tunnels") exports[`${slot}SampleConfig`] = made[slot].sampleConfig;
}
