import type { PolicyResource } from "@pulumi/policy";
import { text } from "../known";
import { kindOf, ofKind } from "../resources";
import { stackRule } from "../rule";
import { Sample } from "../samples";
import { allTexts, type Found, plainTexts } from "../secretness";

export const keepSampleConfigSecret = stackRule(
  {
    name: "keep-sample-config-secret",
    topic: "Secrets",
    description: "A tunnel's sample configuration must stay secret.",
    reason:
      "The sample configuration holds the pre-shared key. As a plain output or a plain input of another resource it stands unencrypted in the state, in previews and logs, and in every stack that refers to this one; with it anyone can pose as the remote site.",
    fix: "take pulumi.unsecret, or whatever made the value plain, away (pulumi.secret(...) marks a value), and have the tunnel's key changed if the text has already left.",
    unknowns:
      "Before the first `pulumi up` the sample configuration is unknown, and so is all that is made of it: a leak shows at the end of that `up`, and in every preview from then on. Seen are the text itself, three or more of its lines, and its pre-shared key: as it is, escaped, in hex or in base64. Not seen is what is compressed, encrypted, hashed or cut into pieces, and what leaves by other ways than resources and outputs.",
    severity: "critical",
    settings: {},
    baseline: "mandatory",
    strict: { enforcementLevel: "mandatory" },
  },
  (resources, _settings, report) => {
    const samples = ofKind(resources, "tunnel").flatMap(({ name, props }) => {
      const sample = text(props, "sampleConfig");
      return sample === undefined ? [] : [{ name, sample: new Sample(sample) }];
    });
    if (samples.length === 0) return;
    for (const resource of resources) {
      const plain = plainTexts(resource.props);
      // Where secrets cannot be told from others, a tunnel's own sample is taken to be as the SDK makes it.
      const texts =
        plain ?? allTexts(resource.props).filter(({ path }) => path !== "sampleConfig" || !kindOf(resource.type));
      for (const { name, sample } of samples) {
        const held = texts.flatMap((found) => {
          const what = sample.in(found.text);
          return what === undefined ? [] : [`${place(resource, found)} holds ${what} of the sample configuration`];
        });
        if (held.length === 0) continue;
        const where = `${held.join("; ")} of tunnel "${name}"`;
        report(plain ? `${where}, and is plain.` : `${where}; ${cannotTell}`, resource);
      }
    }
  },
);

/** Said where the SDK's inside does not let secrets be told from others. */
const cannotTell =
  "whether it is secret cannot be told, as the pack runs on another copy of @pulumi/policy than pulumi-frontdoor's (npm dedupe).";

const place = ({ type }: PolicyResource, { path }: Found) =>
  `${type === "pulumi:pulumi:Stack" ? "Stack output" : "Property"} ${path}`;
