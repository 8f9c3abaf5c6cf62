import { z } from "zod";
import { read, UNKNOWN } from "../known";
import { kindOf } from "../resources";
import { resourceRule } from "../rule";

/** The properties that the policies check, by kind. */
const judged = {
  tunnel: ["peerPublicIp", "peerCidr", "locationId", "frontdoorId", "nlbPrivateIp", "name", "storeSampleConfig"],
  share: ["ipsecTunnelId", "target", "ingressPort", "envZId", "envId", "locationId", "frontdoorId", "name"],
};

/** Each violation has only its own fix. */
const fixes = {
  ignored: "remove the property from ignoreChanges. An omitted input is not managed anyway.",
  adopted: "For an adopted resource, review it and add its id to approvedAdoptions.",
};

export const guardLifeCycleOptions = resourceRule(
  {
    name: "guard-life-cycle-options",
    topic: "Life cycle",
    description: "Pulumi options and `adopt` must not bypass the policies on a tunnel or share.",
    reason:
      "With ignoreChanges on a checked property, the old value stays, whatever the program says. Reviewers then read one network or port, and another one is published. An adopted resource comes with all the settings that someone else made.",
    fix: `${fixes.ignored} ${fixes.adopted}`,
    unknowns:
      "Options are always known. An unknown `adopt` counts as not approved. Engines do not pass `retainOnDelete`, `deletedWith` and `import` to a pack. So the policy does not see a tunnel that stays after its stack is gone, or an import with the plugin's classes.",
    severity: "medium",
    settings: {
      approvedAdoptions: z
        .array(z.string().min(1).max(128))
        .default([])
        .describe("Ids of existing tunnels and shares that may be adopted."),
      ignorable: z
        .array(z.string().min(1).max(200))
        .default([])
        .describe("Checked properties that ignoreChanges may name."),
    },
    baseline: "advisory",
    strict: { enforcementLevel: "mandatory" },
  },
  ["tunnel", "share"],
  ({ type, props, opts }, { approvedAdoptions, ignorable }, report) => {
    const kind = kindOf(type);
    const names = kind === undefined ? [] : judged[kind].filter((name) => !ignorable.includes(name));
    // The engine's paths are `target`, `["target"]` and `*`.
    const firsts = opts.ignoreChanges.map((path) => /^(?:\["?)?([^.["\]]*)/.exec(path)?.[1] ?? path);
    const ignored = firsts.includes("*") ? names : names.filter((name) => firsts.includes(name));
    if (ignored.length > 0)
      report(`ignoreChanges names properties that the policies check: ${ignored.join(", ")}.`, fixes.ignored);
    const adopted = read(props, "adopt");
    const isApproved = adopted !== UNKNOWN && approvedAdoptions.includes(String(adopted));
    if (adopted !== undefined && !isApproved)
      report("adopt names a resource that approvedAdoptions does not hold.", fixes.adopted);
  },
);
