import { text } from "../known";
import { resourceRule } from "../rule";
import { plainKeysOf } from "../stack-config";

/** The credentials among the inputs of a provider, default or explicit. */
const credentials: Partial<Record<string, readonly string[]>> = {
  "pulumi:providers:frontdoor": ["token", "clientSecret", "credentialsFile"],
  "pulumi:providers:pulumi-nodejs": ["frontdoor:token", "frontdoor:clientSecret", "frontdoor:credentialsFile"],
};

export const keepCredentialsSecret = resourceRule(
  {
    name: "keep-credentials-secret",
    topic: "Secrets",
    description: "The service's credentials must be secret configuration.",
    reason:
      "If you set a credential without --secret, Pulumi writes it unencrypted to Pulumi.<stack>.yaml, which is mostly in a repository. The dynamic provider then also has it unencrypted in the state.",
    fix: "set it again with pulumi config set --secret, remove it from the repository's history, and replace it at the service. For an API account, set frontdoor:credentialsFile to the path of its file.",
    unknowns:
      "The policy compares the credentials of default and explicit providers with the plain values of the stack's configuration, under any key. It does not see a credential in the program itself or in the environment.",
    severity: "critical",
    settings: {},
    baseline: "mandatory",
    strict: { enforcementLevel: "mandatory" },
  },
  "any resource",
  ({ type, props }, _settings, report) => {
    const given = (credentials[type] ?? []).flatMap((name) => {
      const value = text(props, name) ?? "";
      // A path is no secret. The content of the file, which is no valid setting, is one.
      return value === "" || (name.endsWith("credentialsFile") && !value.includes("{")) ? [] : [value];
    });
    const plain = [...new Set(given.flatMap(plainKeysOf))].sort();
    if (plain.length > 0) report(`Plain configuration: ${plain.join(", ")}.`);
  },
);
