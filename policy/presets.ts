import type { PolicyPackConfig } from "@pulumi/policy";
import { policies } from "./policies";

/** Passes what examples and small set-ups do; the levels and settings that the pack has by itself. */
export const baseline: PolicyPackConfig = Object.fromEntries(
  policies.map(({ about }) => [about.name, { enforcementLevel: about.baseline }]),
);

/** For production: narrow limits, and every policy mandatory or remediated. */
export const strict: PolicyPackConfig = Object.fromEntries(policies.map(({ about }) => [about.name, about.strict]));
