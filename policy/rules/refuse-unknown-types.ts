import { text } from "../known";
import { isKnownType } from "../resources";
import { resourceRule } from "../rule";

/** The package's own tokens, by either host. Other makers' front doors have their package before the colon. */
const ownToken = /^(?:pulumi-[a-z]+:dynamic\/)?frontdoor:/;

export const refuseUnknownTypes = resourceRule(
  {
    name: "refuse-unknown-types",
    topic: "Life cycle",
    description: "Every resource of the front door must be of a type that these policies know.",
    reason:
      "A policy passes over what it does not know. A type that came with a newer version of the package, or one that a program has made up to reach the provider, would pass every other rule here.",
    fix: "use IpsecTunnel and IpsecShare, or update the policy pack to one that knows the type.",
    unknowns:
      "Types are always known. Seen are tokens of the package `frontdoor`, and dynamic resources whose provider names `pulumi-frontdoor`; one whose code reaches the package by another path, or calls the service by itself, is not seen.",
    severity: "high",
    settings: {},
    baseline: "mandatory",
    strict: { enforcementLevel: "mandatory" },
  },
  "any resource",
  ({ type, props }, _settings, report) => {
    if (isKnownType(type)) return;
    if (ownToken.test(type)) report("It is of a type of the front door that no policy here knows.");
    else if (text(props, "__provider")?.includes("pulumi-frontdoor"))
      report("Its provider is the front door's, and its type is none that a policy here knows.");
  },
);
