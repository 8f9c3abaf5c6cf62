import type { PolicyResource } from "@pulumi/policy";
import { announces, withoutKeys } from "../announcements";
import { isKeyProperty } from "../keys";
import { text } from "../known";
import { kindOf, ofKind } from "../resources";
import { stackRule } from "../rule";
import { readingOf, Sample } from "../samples";
import { allTexts, type Found, type Texts, textsOf } from "../secretness";

/** What resources were registered with, by URN: at the end of a run only outputs are told. */
const registered = new Map<string, Texts>();

export const keepSampleConfigSecret = stackRule(
  {
    name: "keep-sample-config-secret",
    topic: "Secrets",
    description: "A tunnel's sample configuration must stay secret.",
    reason:
      "The sample configuration holds the pre-shared key. As a plain output or a plain input of another resource it stands unencrypted in the state, in previews and logs, and in every stack that refers to this one; with it anyone can pose as the remote site.",
    fix: "take pulumi.unsecret, or whatever made the value plain, away (pulumi.secret(...) marks a value), and have the tunnel's key changed if the text has already left.",
    unknowns:
      "Before the first `pulumi up` the sample configuration is unknown, and so is all that is made of it: a leak shows at the end of that `up`, and in every preview from then on. Keys to look for are those of the tunnels' stored sample configurations and those in any secret input or output of the stack; they are looked for in every plain input and output, in the names of properties, and in URNs: as they are, in other letters, with spaces or hyphens between, escaped as in a URL, a page or a program, as a list of bytes, in hex or in base64, up to three encodings deep. In a secret a key is known by what announces it or by the name of its property (`tunnel1PresharedKey`). Beside, every plain output is refused that announces a key as configurations of common devices do, known or not (encrypt-pre-shared-keys does the same with inputs), so that it need not be stored (`storeSampleConfig: false`) to be found. A sample configuration whose key was taken out is no violation; where the sample announces no key in a known form, three or more of its lines count. Not seen is a key alone that nothing announces and no secret value of the run holds, or one of fewer than eight letters and digits; nor what is compressed, encrypted, hashed, reversed, cut into pieces (also over a list) or in other encodings; nor the content of files and addresses that assets name, ids that a provider gives, aliases, and what leaves by other ways than resources and outputs.",
    severity: "critical",
    settings: {},
    baseline: "mandatory",
    strict: { enforcementLevel: "mandatory" },
  },
  (judged, _settings, report) => {
    // What a share of a set holds, the set holds.
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
      // Where secrets cannot be told from others, a tunnel's own sample is taken to be as the SDK makes it.
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
      report(`${[...new Set(said)].join("; ")}${told ? ", and is plain." : `; ${cannotTell}`}`, resource);
    }
    registered.clear();
  },
  ({ urn, props }) => {
    const told = textsOf(props);
    if (told) registered.set(urn, told);
  },
);

const asKey = ({ path, text }: Found) => `${path}\n${text}`;

/** Most texts stand in many resources. */
function onceEach(look: (text: string) => string | undefined): (text: string) => string | undefined {
  const seen = new Map<string, string | undefined>();
  return (text) => {
    if (!seen.has(text)) seen.set(text, look(text));
    return seen.get(text);
  };
}

/** The keys in the secrets that the resources have or were registered with: those that a text announces, and the whole of what a property is named a key. */
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

/** Said where the SDK's inside does not let secrets be told from others. */
const cannotTell =
  "whether it is secret cannot be told, as the pack runs on another copy of @pulumi/policy than pulumi-frontdoor's (npm dedupe).";

function place({ type }: PolicyResource, path: string): string {
  const what = type === "pulumi:pulumi:Stack" ? "Stack output" : "Property";
  return path === "" ? `The name of a ${what.toLowerCase()}` : `${what} ${path}`;
}
