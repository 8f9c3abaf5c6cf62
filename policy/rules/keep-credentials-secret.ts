import { text } from "../known";
import { resourceRule } from "../rule";
import { plainKeysOf } from "../stack-config";

/** The credentials among the inputs of a provider, default or explicit. */
const credentials: Partial<Record<string, readonly string[]>> = {
  "pulumi:providers:frontdoor": ["token", "clientSecret"],
  "pulumi:providers:pulumi-nodejs": ["frontdoor:token", "frontdoor:clientSecret"],
};

export const keepCredentialsSecret = resourceRule(
  {
    name: "keep-credentials-secret",
    topic: "Secrets",
    description: "The service's credentials must be secret configuration.",
    reason:
      "If you set a credential without --secret, Pulumi writes it unencrypted to Pulumi.<stack>.yaml, which is mostly in a repository. The dynamic provider then also has it unencrypted in the state.",
    fix: "set it again with pulumi config set --secret, remove it from the repository's history, and replace it at the service.",
    unknowns:
      "The policy compares the credentials of default and explicit providers with the plain values of the stack's configuration, under any key. It does not see a credential in the program itself or in the environment.",
    severity: "critical",
    settings: {},
    baseline: "mandatory",
    strict: { enforcementLevel: "mandatory" },
  },
  "any resource",
  ({ type, props }, _settings, report) => {
    const given = (credentials[type] ?? []).map((name) => text(props, name) ?? "").filter((value) => value !== "");
    const plain = [...new Set(given.flatMap(plainKeysOf))].sort();
    if (plain.length > 0) report(`Plain configuration: ${plain.join(", ")}.`);
  },
);
