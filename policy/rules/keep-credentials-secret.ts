import { resourceRule } from "../rule";
import { plainTexts } from "../secretness";

/** Under which names the providers' resources show the stack configuration: all of it, or the plugin's own. */
const credentials: Record<string, readonly string[]> = {
  "pulumi:providers:pulumi-nodejs": ["frontdoor:token", "frontdoor:clientSecret"],
  "pulumi:providers:frontdoor": ["token", "clientSecret"],
};

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
    const names = credentials[type];
    if (!names) return;
    const plain = (plainTexts(props) ?? []).filter(({ path, text }) => names.includes(path) && text !== "");
    if (plain.length > 0) report(`Plain configuration: ${plain.map(({ path }) => path).join(", ")}.`);
  },
);
