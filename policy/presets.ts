import type { PolicyPackConfig } from "@pulumi/policy";
import { policies } from "./policies";

/** The levels and settings of the pack without a configuration. Examples and small set-ups pass. */
export const baseline: PolicyPackConfig = Object.fromEntries(
  policies.map(({ about }) => [about.name, { enforcementLevel: about.baseline }]),
);

/** The preset for production: narrow limits, and every policy mandatory or remediating. */
export const strict: PolicyPackConfig = Object.fromEntries(policies.map(({ about }) => [about.name, about.strict]));
