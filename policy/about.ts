import type { EnforcementLevel, ResourceValidationPolicy, Severity, StackValidationPolicy } from "@pulumi/policy";

// The declarations of users' programs reach this module. rule.ts, which makes the policies, speaks of zod.

/** The description of a policy. The engine's texts and the policy's page are generated from it. */
export interface About {
  name: string;
  topic: "Peers" | "Applications" | "Life cycle" | "Secrets" | "Cryptography";
  /** First line of every violation. */
  description: string;
  /** The problem that the rule prevents. */
  reason: string;
  /** The action that fixes a violation. It is the last line of every violation. */
  fix: string;
  /** What the policy cannot see, beyond values that are not known yet. */
  unknowns?: string;
  severity: Severity;
  /** The schemas of the settings, by name. They have no type here, because users' programs compile without zod. */
  settings: object;
  /** Level by default and in the preset `baseline`, if it is not mandatory. */
  baseline?: EnforcementLevel;
  /** Settings in the preset `strict`, in which a policy is mandatory unless `enforcementLevel` is among them. */
  strict?: Record<string, unknown> & { enforcementLevel?: EnforcementLevel };
  /** The changes of a remediation, if the policy has one. */
  remedy?: string;
  /** The sources of the defaults. */
  sources?: readonly { title: string; url: string; says: string }[];
}

/** A policy that checks one resource at a time. */
export type ResourceRule = ResourceValidationPolicy & { readonly about: About };

/** A policy that checks a whole stack. It can also see each resource before its registration. */
export type StackRule = StackValidationPolicy &
  Pick<ResourceValidationPolicy, "validateResource"> & { readonly about: About };

/** A policy of this package, with its description. */
export type FrontdoorPolicy = ResourceRule | StackRule;
