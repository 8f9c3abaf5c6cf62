import { text } from "../known";
import { isKnownType } from "../resources";
import { resourceRule } from "../rule";

/** Matches the package's own tokens, of the dynamic provider and the plugin. Other packages have their own name before the colon. */
const ownToken = /^(?:pulumi-[a-z]+:dynamic\/)?frontdoor:/;

export const refuseUnknownTypes = resourceRule(
  {
    name: "refuse-unknown-types",
    topic: "Life cycle",
    description: "Every resource of this provider must have a type that these policies know.",
    reason:
      "A policy skips types that it does not know. A type of a newer version of the package would pass every other rule here. So would a type that a program invents to reach the provider.",
    fix: "use IpsecTunnel and IpsecShare, or update the policy pack to a version that knows the type.",
    unknowns:
      "Types are always known. The policy sees tokens of the package `frontdoor`, and dynamic resources whose provider names `pulumi-frontdoor`. It does not see a resource whose code reaches the package by another path, or calls the service itself.",
    severity: "high",
    settings: {},
    baseline: "mandatory",
    strict: { enforcementLevel: "mandatory" },
  },
  "any resource",
  ({ type, props }, _settings, report) => {
    if (isKnownType(type)) return;
    if (ownToken.test(type)) report("It has a type of the front door that no policy here knows.");
    else if (text(props, "__provider")?.includes("pulumi-frontdoor"))
      report("Its provider is the front door's, and no policy here knows its type.");
  },
);
