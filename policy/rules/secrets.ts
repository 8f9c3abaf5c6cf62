import type { PolicyResource } from "@pulumi/policy";
import { isInStack, ofKind } from "../names";
import { resourceRule, stackRule } from "../rule";
import { containsKey, isKeyProperty, LeakSearch, withoutKeys } from "../keys";
import { type Found, plainKeysOf, read, secretOf, text, type Texts, textsOf } from "../sdk";
import { patternList } from "../settings";

export const avoidStoredKeys = resourceRule(
  {
    name: "avoid-stored-keys",
    topic: "Secrets",
    description: "A tunnel's sample configuration must not be kept in the state.",
    reason:
      "The sample configuration contains the pre-shared key. The state encrypts it, but everyone who may decrypt the stack's secrets can read it, even in old checkpoints and exports.",
    fix: "set storeSampleConfig: false, and read the text with getSampleConfig when you hand it over.",
    unknowns:
      "The policy checks only the setting. An old state can contain the text until the next `up` with storeSampleConfig: false.",
    severity: "medium",
    settings: {
      stacks: patternList(["*"]).describe("Names of the stacks to check, as patterns. `*` is any run of characters."),
    },
    baseline: "disabled",
  },
  "tunnel",
  ({ urn, props }, { stacks }, report) => {
    if (isInStack(urn, stacks) && isStored(props))
      report("The sample configuration, with its pre-shared key, would be stored in the state.");
  },
);

const isStored = (props: object) => [undefined, true].includes(read(props, "storeSampleConfig") as boolean | undefined);

// If @pulumi/policy hides what is secret, the policies here find nothing, and check-the-pack says so.

/** The plain inputs that contain a key. */
const plainKeys = (props: object) => (textsOf(props)?.plain ?? []).filter(containsKey);

export const encryptPreSharedKeys = resourceRule(
  {
    name: "encrypt-pre-shared-keys",
    topic: "Secrets",
    description: "Pre-shared keys must not be plain inputs of a resource.",
    reason:
      "A plain input is unencrypted in the state and in previews. Unlike keep-sample-config-secret, this policy checks every resource before Pulumi creates it. It also finds keys in configurations of other tunnels.",
    fix: "wrap the value in pulumi.secret(...), or keep it in secret configuration (pulumi config set --secret).",
    unknowns:
      "The policy finds a key in three cases:\n\n- The input has a name such as `psk` or `presharedKeys`.\n- A line sets the key in the format of IOS, ASA, Junos, PAN-OS, FortiOS or strongSwan.\n- A name stands before a random value, as in `psk = …`.\n\nThe policy also looks into base64. It does not find a short key in another format, or a key that is compressed, split or in an asset.",
    severity: "critical",
    settings: {},
    remedy:
      "makes the input secret. It does not change the program, so a run without the policy makes the input plain again. Fix the program as well",
  },
  "any resource",
  ({ props }, _settings, report) => {
    const paths = [...new Set(withoutKeys(plainKeys(props)))].join(", ");
    if (paths !== "") report(`Plain inputs contain a pre-shared key: ${paths}.`);
  },
  ({ props }) => {
    const found = plainKeys(props);
    if (found.length === 0) return undefined;
    for (const { path, text } of found) makeSecret(props, path.split("."), text);
    return props;
  },
);

function makeSecret(props: Record<string, unknown>, [key = "", ...inner]: string[], text: string): void {
  const value = props[key];
  if (typeof value === "object" && value !== null) makeSecret(value as Record<string, unknown>, inner, text);
  // A name with a dot in it, or an asset: the policy reports it, but cannot fix it.
  else if (inner.length === 0 && value === text) props[key] = secretOf(text);
}

/** The credentials among the inputs of a provider, default or explicit. */
const credentials: Partial<Record<string, readonly string[]>> = {
  "pulumi:providers:frontdoor": ["token", "clientSecret", "credentialsFile"],
  "pulumi:providers:pulumi-nodejs": ["frontdoor:token", "frontdoor:clientSecret", "frontdoor:credentialsFile"],
};

export const keepCredentialsSecret = resourceRule(
  {
    name: "keep-credentials-secret",
    topic: "Secrets",
    description: "Frontdoor's credentials must be secret configuration.",
    reason:
      "If you set a credential without --secret, Pulumi writes it unencrypted to Pulumi.<stack>.yaml, which is usually in a repository. The dynamic provider then also has it unencrypted in the state.",
    fix: "set it again with pulumi config set --secret, remove it from the repository's history, and replace it in Frontdoor. For an API account, set frontdoor:credentialsFile to the path of its file.",
    unknowns: "The policy does not see a credential in the program itself or in the environment.",
    severity: "critical",
    settings: {},
  },
  "any resource",
  ({ type, props }, _settings, report) => {
    const values = (credentials[type] ?? []).flatMap((name) => {
      const value = text(props, name) ?? "";
      // A path is no secret. The content of the file, which is no valid setting, is one.
      return value === "" || (name.endsWith("credentialsFile") && !value.includes("{")) ? [] : [value];
    });
    const plain = [...new Set(values.flatMap((value) => plainKeysOf(value) ?? []))].sort();
    if (plain.length > 0) report(`Plain configuration: ${plain.join(", ")}.`);
  },
);

/** The registered inputs of resources, by URN. At the end of a run the engine passes only outputs. */
const registered = new Map<string, Texts>();

export const keepSampleConfigSecret = stackRule(
  {
    name: "keep-sample-config-secret",
    topic: "Secrets",
    description: "A tunnel's sample configuration must stay secret.",
    reason:
      "The sample configuration contains the pre-shared key. Anyone who has the key can pose as the remote site. If the text is a plain output, or a plain input of another resource, it is unencrypted in the state, in previews and in logs. Every stack that refers to this stack also gets it.",
    fix: "remove pulumi.unsecret, or mark the value with pulumi.secret(...). If anyone may have seen the text, rotate the key.",
    unknowns:
      "The policy reports a leak at the end of the first `up`, and in every later preview. It does not find a key with fewer than eight letters and digits. It does not find text that is encoded twice, compressed, encrypted, split or in an asset.",
    severity: "critical",
    settings: {},
  },
  (checked, _settings, report) => {
    // The set holds the properties of its shares.
    const resources = checked.filter((each) => !("setUrn" in each));
    const samples = ofKind(resources, "tunnel").flatMap(({ name, props }) => {
      const sample = text(props, "sampleConfig");
      return sample === undefined
        ? []
        : [{ search: new LeakSearch(sample), source: `the sample configuration of tunnel "${name}"` }];
    });
    const others = searchesForSecrets(resources).map((search) => ({ search, source: "a secret of this stack" }));
    const leakIn = cached((content) => {
      for (const { search, source } of [...samples, ...others]) {
        const leak = search.findIn(content);
        if (leak !== undefined) return `${leak} of ${source}`;
      }
      return undefined;
    });
    for (const resource of resources) {
      const inputs = registered.get(resource.urn)?.plain ?? [];
      const isInput = new Set(inputs.map(identityOf));
      const outputs = (textsOf(resource.props)?.plain ?? []).filter((found) => !isInput.has(identityOf(found)));
      const leaks = [
        ...inputs.map((found) => ({ found, leak: leakIn(found.text) })),
        ...outputs.map((found) => ({
          found,
          leak: leakIn(found.text) ?? (containsKey(found) ? "a pre-shared key" : undefined),
        })),
      ].filter(({ leak }) => leak !== undefined);
      const leakInUrn = leakIn(resource.urn);
      if (leaks.length === 0 && leakInUrn === undefined) continue;
      const sentences = withoutKeys(leaks.map(({ found }) => found)).map(
        (path, index) => `${place(resource, path)} holds ${leaks[index]?.leak ?? ""}`,
      );
      if (leakInUrn !== undefined) sentences.push(`Its URN holds ${leakInUrn}`);
      report(`${[...new Set(sentences)].join("; ")}, and is plain.`, resource);
    }
    registered.clear();
  },
  ({ urn, props }) => {
    const texts = textsOf(props);
    if (texts) registered.set(urn, texts);
  },
);

const identityOf = ({ path, text }: Found) => `${path}\n${text}`;

/** Caches the result for each text, because most texts occur in many resources. */
function cached(find: (text: string) => string | undefined): (text: string) => string | undefined {
  const results = new Map<string, string | undefined>();
  return (text) => {
    if (!results.has(text)) results.set(text, find(text));
    return results.get(text);
  };
}

/** Returns the keys in the resources' secrets: keys that a text sets, and values of properties that are named as keys. */
function searchesForSecrets(resources: readonly PolicyResource[]): LeakSearch[] {
  const secrets = resources.flatMap(({ urn, props }) => [
    ...(textsOf(props)?.secret ?? []),
    ...(registered.get(urn)?.secret ?? []),
  ]);
  const keys = secrets.filter(isKeyProperty).map(({ text }) => text);
  return [
    ...[...new Set(secrets.map(({ text }) => text))].map((secret) => new LeakSearch(secret)),
    ...[...new Set(keys)].map((key) => new LeakSearch(key, true)),
  ].filter(({ hasKey }) => hasKey);
}

function place({ type }: PolicyResource, path: string): string {
  const what = type === "pulumi:pulumi:Stack" ? "Stack output" : "Property";
  return path === "" ? `The name of a ${what.toLowerCase()}` : `${what} ${path}`;
}
