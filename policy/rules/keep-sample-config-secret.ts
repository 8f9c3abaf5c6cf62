import type { PolicyResource } from "@pulumi/policy";
import { announces, withoutKeys } from "../announcements";
import { isKeyProperty } from "../keys";
import { text } from "../known";
import { kindOf, ofKind } from "../resources";
import { stackRule } from "../rule";
import { readingOf, Sample } from "../samples";
import { allTexts, type Found, type Texts, textsOf } from "../secretness";

/** The registered inputs of resources, by URN. At the end of a run the engine passes only outputs. */
const registered = new Map<string, Texts>();

export const keepSampleConfigSecret = stackRule(
  {
    name: "keep-sample-config-secret",
    topic: "Secrets",
    description: "A tunnel's sample configuration must stay secret.",
    reason:
      "The sample configuration holds the pre-shared key, and with it anyone can pose as the remote site. As a plain output, or a plain input of another resource, it is unencrypted in the state, in previews and in logs. Every stack that refers to this one also has it.",
    fix: "remove pulumi.unsecret, or mark the value with pulumi.secret(...). If the text has left the stack, have the tunnel's key changed.",
    unknowns:
      "Before the first `pulumi up` the sample configuration is unknown, and so is everything made from it. The policy reports a leak at the end of that `up`, and in every later preview. It looks for the keys in the stored sample configurations, and in every secret input or output of the stack. It recognises a key in a secret by the words before it, or by the name of its property (`tunnel1PresharedKey`). It looks in every plain input and output, in the names of properties, and in URNs. It finds a key also in other letter case, with spaces or hyphens inside, or as a list of bytes. The key can be up to three encodings deep: hex, base64, or the escapes of a URL, a page or a program. The policy also refuses every plain output with a key that is announced as in configurations of common devices. So the key need not be stored to be found (`storeSampleConfig: false`). The policy encrypt-pre-shared-keys does the same for inputs. A sample configuration without its key is no violation. If the sample configuration announces no key in a known form, the policy refuses three or more of its lines. The policy does not see a key that nothing announces and that no secret of the run holds. It does not see a key of fewer than eight letters and digits. It does not see text that is compressed, encrypted, hashed, reversed, cut into pieces or in another encoding. It does not see the content of assets, ids that a provider gives, aliases, or other ways out of a program.",
    severity: "critical",
    settings: {},
    baseline: "mandatory",
    strict: { enforcementLevel: "mandatory" },
  },
  (judged, _settings, report) => {
    // The set holds the properties of its shares.
    const resources = judged.filter((each) => !("setUrn" in each));
    const samples = ofKind(resources, "tunnel").flatMap(({ name, props }) => {
      const sample = text(props, "sampleConfig");
      return sample === undefined
        ? []
        : [{ sample: new Sample(sample), whose: ` of the sample configuration of tunnel "${name}"` }];
    });
    const others = secretSamples(resources).map((sample) => ({ sample, whose: " of a secret of this stack" }));
    const heldIn = onceEach((held) => {
      for (const { sample, whose } of [...samples, ...others]) {
        const what = sample.in(readingOf(held));
        if (what !== undefined) return `${what}${whose}`;
      }
      return undefined;
    });
    for (const resource of resources) {
      const told = textsOf(resource.props);
      const inputs = registered.get(resource.urn)?.plain ?? [];
      const isInput = new Set(inputs.map(asKey));
      // If secretness is unknown, a tunnel's own sample configuration counts as secret, as the SDK makes it.
      const outputs = (
        told?.plain ?? allTexts(resource.props).filter(({ path }) => path !== "sampleConfig" || !kindOf(resource.type))
      ).filter((found) => !isInput.has(asKey(found)));
      const held = [
        ...inputs.map((found) => ({ found, what: heldIn(found.text) })),
        ...outputs.map((found) => ({
          found,
          what: heldIn(found.text) ?? (told && announces(found) ? "a pre-shared key" : undefined),
        })),
      ].filter(({ what }) => what !== undefined);
      const inUrn = heldIn(resource.urn);
      if (held.length === 0 && inUrn === undefined) continue;
      const said = withoutKeys(held.map(({ found }) => found)).map(
        (path, index) => `${place(resource, path)} holds ${held[index]?.what ?? ""}`,
      );
      if (inUrn !== undefined) said.push(`Its URN holds ${inUrn}`);
      report(`${[...new Set(said)].join("; ")}${told ? ", and is plain." : `. ${cannotTell}`}`, resource);
    }
    registered.clear();
  },
  ({ urn, props }) => {
    const told = textsOf(props);
    if (told) registered.set(urn, told);
  },
);

const asKey = ({ path, text }: Found) => `${path}\n${text}`;

/** Caches the result for each text, because most texts occur in many resources. */
function onceEach(look: (text: string) => string | undefined): (text: string) => string | undefined {
  const seen = new Map<string, string | undefined>();
  return (text) => {
    if (!seen.has(text)) seen.set(text, look(text));
    return seen.get(text);
  };
}

/** Returns the keys in the resources' secrets: keys that a text announces, and values of properties that are named as keys. */
function secretSamples(resources: readonly PolicyResource[]): Sample[] {
  const secrets = resources.flatMap(({ urn, props }) => [
    ...(textsOf(props)?.secret ?? []),
    ...(registered.get(urn)?.secret ?? []),
  ]);
  const keys = secrets.filter(isKeyProperty).map(({ text }) => text);
  return [
    ...[...new Set(secrets.map(({ text }) => text))].map((secret) => new Sample(secret)),
    ...[...new Set(keys)].map((key) => new Sample(key, true)),
  ].filter(({ hasKey }) => hasKey);
}

/** Reported if another copy of the SDK hides which values are secret. */
const cannotTell =
  "The policy cannot tell if it is secret, because the pack uses another copy of @pulumi/policy than pulumi-frontdoor. Run npm dedupe.";

function place({ type }: PolicyResource, path: string): string {
  const what = type === "pulumi:pulumi:Stack" ? "Stack output" : "Property";
  return path === "" ? `The name of a ${what.toLowerCase()}` : `${what} ${path}`;
}
