import { PolicyPack, type StackValidationPolicy } from "@pulumi/policy";
import { except, guardDangerousPorts, policies, strict } from "pulumi-frontdoor/policy";

/** A day such as "2027-03-31" in a pack of your own, at most a year ahead; here one that an example never reaches. */
const inAQuarter = new Date(Date.now() + 90 * 86_400_000).toISOString().slice(0, 10);

// The desktops move behind the gateway in spring. Until then this share is let be; from the day after, it is a violation again
// that says which exception has expired.
const guarded = except(guardDangerousPorts, [
  { resource: "IpsecShare::desktop", until: inAQuarter, reason: "remote desktops until the gateway is up, OPS-7" },
]);

/** A rule of our own beside them. */
const noLooseTunnels: StackValidationPolicy = {
  name: "no-loose-tunnels",
  description: "Every stack with shares must have its tunnel in it.",
  enforcementLevel: "advisory",
  validateStack: ({ resources }, reportViolation) => {
    const has = (kind: string) => resources.some(({ type }) => type.endsWith(`:${kind}`));
    if (has("IpsecShare") && !has("IpsecTunnel")) reportViolation("There is no tunnel in this stack.");
  },
};

new PolicyPack(
  "our-company",
  { policies: [...policies.filter(({ name }) => name !== guarded.name), guarded, noLooseTunnels] },
  // The preset, but with the peers of our examples allowed, and without remediation.
  {
    ...strict,
    "no-loose-tunnels": "advisory",
    "use-public-peers": "mandatory",
    "avoid-stored-keys": "advisory",
  },
);
