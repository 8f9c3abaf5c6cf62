import { items } from "../known";
import { resourceRule } from "../rule";
import { textsOf } from "../secretness";

const credentials = ["frontdoor:token", "frontdoor:clientSecret"];

/** Credentials that a provider's resource holds in the clear; the plugin makes secrets of all, and names those that were none. */
function plainIn(type: string, props: Record<string, unknown>): readonly string[] {
  if (type === "pulumi:providers:frontdoor") return items(props, "plainCredentials");
  if (type !== "pulumi:providers:pulumi-nodejs") return [];
  const plain = (textsOf(props)?.plain ?? []).filter(({ path, text }) => credentials.includes(path) && text !== "");
  return plain.map(({ path }) => path);
}

export const keepCredentialsSecret = resourceRule(
  {
    name: "keep-credentials-secret",
    topic: "Secrets",
    description: "The service's credentials must be secret configuration.",
    reason:
      "Set without --secret, frontdoor:token and frontdoor:clientSecret stand in the clear in Pulumi.<stack>.yaml, mostly in a repository, and in the state of the provider.",
    fix: "set it again with pulumi config set --secret, take it out of the repository's history, and have the service issue a new one.",
    unknowns:
      "Credentials from the environment are not looked at. Seen is the configuration of stacks that use a resource or an explicit provider of this package; one that came as a plain text once and is secret now is not seen.",
    severity: "critical",
    settings: {},
    baseline: "mandatory",
    strict: { enforcementLevel: "mandatory" },
  },
  "any resource",
  ({ type, props }, _settings, report) => {
    const plain = plainIn(type, props);
    if (plain.length > 0) report(`Plain configuration: ${plain.join(", ")}.`);
  },
);
