import type { PolicyResource } from "@pulumi/policy";
import { announces, withoutKeys } from "../announcements";
import { text } from "../known";
import { kindOf, ofKind } from "../resources";
import { stackRule } from "../rule";
import { readingOf, Sample } from "../samples";
import { allTexts, type Found, plainTexts } from "../secretness";

/** What a resource was registered with: at the end of a run only its outputs are told. */
interface Inputs {
  plain: readonly Found[];
  secret: readonly Found[];
}
const registered = new Map<string, Inputs>();

export const keepSampleConfigSecret = stackRule(
  {
    name: "keep-sample-config-secret",
    topic: "Secrets",
    description: "A tunnel's sample configuration must stay secret.",
    reason:
      "The sample configuration holds the pre-shared key. As a plain output or a plain input of another resource it stands unencrypted in the state, in previews and logs, and in every stack that refers to this one; with it anyone can pose as the remote site.",
    fix: "take pulumi.unsecret, or whatever made the value plain, away (pulumi.secret(...) marks a value), and have the tunnel's key changed if the text has already left.",
    unknowns:
      "Before the first `pulumi up` the sample configuration is unknown, and so is all that is made of it: a leak shows at the end of that `up`, and in every preview from then on. Keys to look for are those of the tunnels' stored sample configurations and those in any secret input or output of the stack; they are looked for in every plain input and output and in the names of properties: as they are, in other letters, with spaces or hyphens between, escaped, in hex or in base64, up to three encodings deep. Beside, every plain output is refused that announces a key as configurations of common devices do, known or not (encrypt-pre-shared-keys does the same with inputs), so that it need not be stored (`storeSampleConfig: false`) to be found. A sample configuration whose key was taken out is no violation; where the sample announces no key in a known form, three or more of its lines count. Not seen is a key alone that nothing announces and no secret value of the run holds; nor what is compressed, encrypted, hashed, reversed or cut into pieces, and what leaves by other ways than resources and outputs.",
    severity: "critical",
    settings: {},
    baseline: "mandatory",
    strict: { enforcementLevel: "mandatory" },
  },
  (resources, _settings, report) => {
    const samples = ofKind(resources, "tunnel").flatMap(({ name, props }) => {
      const sample = text(props, "sampleConfig");
      return sample === undefined
        ? []
        : [{ sample: new Sample(sample), whose: ` of the sample configuration of tunnel "${name}"` }];
    });
    const others = [...new Set(resources.flatMap((resource) => secretTexts(resource).map((found) => found.text)))]
      .map((secret) => ({ sample: new Sample(secret), whose: " of a secret of this stack" }))
      .filter(({ sample }) => sample.hasKey);
    for (const resource of resources) {
      const plain = plainTexts(resource.props);
      const inputs = registered.get(resource.urn)?.plain ?? [];
      const isInput = new Set(inputs.map(asKey));
      // Where secrets cannot be told from others, a tunnel's own sample is taken to be as the SDK makes it.
      const outputs = (
        plain ?? allTexts(resource.props).filter(({ path }) => path !== "sampleConfig" || !kindOf(resource.type))
      ).filter((found) => !isInput.has(asKey(found)));
      const held = [...inputs, ...outputs].flatMap((found) => {
        const reading = readingOf(found.text);
        for (const { sample, whose } of [...samples, ...others]) {
          const what = sample.in(reading);
          if (what !== undefined) return [{ found, what: `${what}${whose}` }];
        }
        const isNew = plain && !isInput.has(asKey(found));
        return isNew && announces(found, reading) ? [{ found, what: "a pre-shared key" }] : [];
      });
      if (held.length === 0) continue;
      const said = withoutKeys(held.map(({ found }) => found)).map(
        (path, index) => `${place(resource)} ${path} holds ${held[index]?.what ?? ""}`,
      );
      report(`${[...new Set(said)].join("; ")}${plain ? ", and is plain." : `; ${cannotTell}`}`, resource);
    }
    registered.clear();
  },
  ({ urn, props }) => {
    const plain = plainTexts(props);
    if (plain) registered.set(urn, { plain, secret: secretOf(props, plain) });
  },
);

const asKey = ({ path, text }: Found) => JSON.stringify([path, text]);

function secretTexts({ urn, props }: PolicyResource): readonly Found[] {
  const plain = plainTexts(props);
  return [...(plain ? secretOf(props, plain) : []), ...(registered.get(urn)?.secret ?? [])];
}

function secretOf(props: object, plain: readonly Found[]): Found[] {
  const known = new Set(plain.map(asKey));
  return allTexts(props).filter((found) => !known.has(asKey(found)));
}

/** Said where the SDK's inside does not let secrets be told from others. */
const cannotTell =
  "whether it is secret cannot be told, as the pack runs on another copy of @pulumi/policy than pulumi-frontdoor's (npm dedupe).";

const place = ({ type }: PolicyResource) => (type === "pulumi:pulumi:Stack" ? "Stack output" : "Property");
