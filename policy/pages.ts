import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { baseline, policies, strict } from "./index";
import type { About } from "./about";
import { configSchemaOf, type Shape } from "./settings";

type Topic = About["topic"];

/** What each topic is about, and the controls for which its policies can be evidence. */
const topics: Record<Topic, { intro: string; controls: string }> = {
  Peers: {
    intro: "These policies check the remote site of a tunnel: its address, and the network behind it.",
    controls:
      "CIS Controls v8 12.2 and 13.4; NIST SP 800-77 Rev. 1 on network layout; SOC 2 CC6.6; ISO 27001:2022 A.8.20 and A.8.22",
  },
  Applications: {
    intro: "These policies check what a share publishes: the target of the application, and its ingress port.",
    controls: "CIS Controls v8 4.8 and 13.4; SOC 2 CC6.1 and CC6.6; ISO 27001:2022 A.8.20 and A.8.21",
  },
  "Life cycle": {
    intro: "These policies check options, locations and names, and what a change may interrupt.",
    controls:
      "CIS Controls v8 4.2 and 12.3; NIST SP 800-77 Rev. 1 on operation of gateways; SOC 2 CC6.1 and CC8.1; ISO 27001:2022 A.8.9 and A.8.32",
  },
  Secrets: {
    intro: "These policies check where pre-shared keys and credentials are stored.",
    controls:
      "CIS Controls v8 3.11; NIST SP 800-77 Rev. 1 on pre-shared keys; SOC 2 CC6.1; ISO 27001:2022 A.8.12 and A.8.24",
  },
  Cryptography: {
    intro: "These policies check the algorithms that a tunnel offers, and the lifetimes of its keys.",
    controls: "CIS Controls v8 3.10; NIST SP 800-77 Rev. 1 on IKE and ESP; SOC 2 CC6.7; ISO 27001:2022 A.8.24",
  },
};

const warning = "<!-- Made from policy/rules by `npm run docs`; changes here are lost. -->";

/** Returns all generated files by path: the page, the catalogue's entries, and the presets. */
export function generated(): Record<string, string> {
  const abouts = policies.map(({ about }) => about);
  return {
    "docs/reference/policies.md": page(abouts),
    "policy/baseline.json": json(baseline),
    "policy/strict.json": json(strict),
  };
}

function writeFiles(root: string): void {
  for (const [path, content] of Object.entries(generated())) writeFileSync(join(root, path), content);
}

const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;

function page(abouts: readonly About[]): string {
  return lines(
    warning,
    "# Policies",
    "This page is for you if you choose or configure policies, or want to know why one of them refused your program. It lists every policy of the pack, with its level in the presets `baseline` and `strict`. [Check programs with policies](../how-to/policies.md) says how to run them, and has the settings that all policies share. `npx pulumi-frontdoor explain NAME` prints the entry of a policy.",
    ...Object.entries(topics).flatMap(([topic, { intro, controls }]) => [
      `## ${topic}`,
      intro,
      ...abouts.filter((about) => about.topic === topic).flatMap(section),
      `**Controls:** If no exception is set, these policies are partial evidence for ${controls}.`,
    ]),
  );
}

/** The settings that the page of the how-to describes for all policies. */
const shared = ["exceptions", "productionStacks", "otherStacks"];

function section(about: About): string[] {
  const { name, description, severity, reason, fix, remedy, settings, unknowns, sources } = about;
  const { baseline: level = "mandatory", strict: inStrict = {} } = about;
  const { enforcementLevel: strictLevel = "mandatory" } = inStrict;
  const ofPolicy = Object.entries(configSchemaOf(settings as Shape).properties).filter(
    ([key]) => !shared.includes(key),
  );
  const listed = ofPolicy.map(([key, schema]) => {
    const strictly = key in inStrict ? `; in \`strict\`, ${code(inStrict[key])}` : "";
    return `- \`${key}\`: ${schema.description ?? ""} Default: ${code(schema.default)}${strictly}.`;
  });
  return [
    `### ${name}`,
    `${description} (${severity}; \`baseline\`: ${level}, \`strict\`: ${strictLevel})`,
    reason,
    `**Fix:** ${sentence(fix)}`,
    ...(remedy === undefined ? [] : [`**With the level \`remediate\`** the policy ${remedy}.`]),
    ...(listed.length === 0 ? [] : [listed.join("\n")]),
    ...(unknowns === undefined ? [] : [`**Limits:** ${unknowns}`]),
    ...(sources
      ? [`**Sources:** ${sources.map(({ title, url, says }) => `[${title}](${url}) (${says})`).join(", ")}.`]
      : []),
  ];
}

const lines = (...parts: string[]) => `${parts.join("\n\n")}\n`;
const sentence = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
const code = (value: unknown) => `\`${JSON.stringify(value).replaceAll('","', '", "').replaceAll('":"', '": "')}\``;
if (require.main === module) writeFiles(join(__dirname, ".."));
