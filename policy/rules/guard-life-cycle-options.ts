import { z } from "zod";
import { read, UNKNOWN } from "../known";
import { kindOf } from "../resources";
import { resourceRule } from "../rule";

/** What policies here judge, of each kind. */
const judged = {
  tunnel: ["peerPublicIp", "peerCidr", "locationId", "frontdoorId", "nlbPrivateIp", "name", "storeSampleConfig"],
  share: ["ipsecTunnelId", "target", "ingressPort", "envZId", "envId", "locationId", "frontdoorId", "name"],
};

export const guardLifeCycleOptions = resourceRule(
  {
    name: "guard-life-cycle-options",
    topic: "Life cycle",
    description: "Options must not take a tunnel or share out of what the policies judge.",
    reason:
      "With ignoreChanges on what a policy judges the old value stays, whatever the program says by now: reviewers read one network or port and another one is published. An adopted resource comes with all that someone else has set on it.",
    fix: "take the property out of ignoreChanges (an input that is left out is not managed anyway), or have the id that is adopted put into approvedAdoptions.",
    unknowns:
      "Options are always known; an unknown `adopt` counts as not approved. Engines do not tell a pack of `retainOnDelete`, `deletedWith` or `import`: a tunnel that is to stay after its stack is gone is not seen, and neither is an import with the plugin's classes.",
    severity: "medium",
    settings: {
      approvedAdoptions: z
        .array(z.string().min(1).max(128))
        .default([])
        .describe("Ids of existing tunnels and shares that may be adopted."),
      ignorable: z
        .array(z.string().min(1).max(200))
        .default([])
        .describe("Properties that ignoreChanges may name though policies judge them."),
    },
    baseline: "advisory",
    strict: { enforcementLevel: "mandatory" },
  },
  ["tunnel", "share"],
  ({ type, props, opts }, { approvedAdoptions, ignorable }, report) => {
    const kind = kindOf(type);
    const names = kind === undefined ? [] : judged[kind].filter((name) => !ignorable.includes(name));
    // `target`, `["target"]` and `*` are paths of the engine's.
    const firsts = opts.ignoreChanges.map((path) => /^(?:\["?)?([^.["\]]*)/.exec(path)?.[1] ?? path);
    const ignored = firsts.includes("*") ? names : names.filter((name) => firsts.includes(name));
    if (ignored.length > 0) report(`ignoreChanges holds what policies judge: ${ignored.join(", ")}.`);
    const adopted = read(props, "adopt");
    const isApproved = adopted !== UNKNOWN && approvedAdoptions.includes(String(adopted));
    if (adopted !== undefined && !isApproved) report("adopt names a resource that approvedAdoptions does not hold.");
  },
);
