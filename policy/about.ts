import type { EnforcementLevel, ResourceValidationPolicy, Severity, StackValidationPolicy } from "@pulumi/policy";

/** What a policy says of itself: the engine's texts and the policy's page are made from it. */
export interface About {
  name: string;
  topic: "Peers" | "Services" | "Life cycle" | "Secrets" | "Cryptography";
  /** First line of every violation. */
  description: string;
  /** What goes wrong without the rule. */
  reason: string;
  /** What to do, last line of every violation. */
  fix: string;
  /** What it does while a value is unknown, and what it cannot see. */
  unknowns: string;
  severity: Severity;
  /** Their schemas by name. No type of theirs stands here: users' programs compile without the package that they are made with. */
  settings: object;
  /** Level by default and in the preset `baseline`. */
  baseline: EnforcementLevel;
  /** Level and settings in the preset `strict`. */
  strict: { enforcementLevel: EnforcementLevel } & Record<string, unknown>;
  /** What a remediation changes, where there is one. */
  remedy?: string;
  /** Where the defaults come from. */
  sources?: readonly { title: string; url: string; says: string }[];
}

/** A policy on one resource at a time. */
export type ResourceRule = ResourceValidationPolicy & { readonly about: About };

/** A policy on a whole stack, which may look at resources before, too. */
export type StackRule = StackValidationPolicy &
  Pick<ResourceValidationPolicy, "validateResource"> & { readonly about: About };

/** A policy of this package, with what it says of itself. */
export type FrontdoorPolicy = ResourceRule | StackRule;
