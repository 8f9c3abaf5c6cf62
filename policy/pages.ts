import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Entry } from "../cli/codes/entry";
import { baseline, policies, strict } from "./index";
import type { About } from "./about";
import { configSchemaOf, type Shape } from "./settings";

type Topic = About["topic"];

/** The page of each topic, and the controls for which its policies can be evidence. */
const topics: Record<Topic, { file: string; intro: string; controls: string }> = {
  Peers: {
    file: "peers",
    intro: "Policies on the remote site of a tunnel: its address, and the network behind it.",
    controls:
      "CIS Controls v8 12.2 and 13.4; NIST SP 800-77 Rev. 1 on network layout; SOC 2 CC6.6; ISO 27001:2022 A.8.20 and A.8.22",
  },
  Applications: {
    file: "services",
    intro: "Policies on what a share publishes: the target of the application, and its ingress port.",
    controls: "CIS Controls v8 4.8 and 13.4; SOC 2 CC6.1 and CC6.6; ISO 27001:2022 A.8.20 and A.8.21",
  },
  "Life cycle": {
    file: "life-cycle",
    intro: "Policies on options, locations and names, and on what a change may interrupt.",
    controls:
      "CIS Controls v8 4.2 and 12.3; NIST SP 800-77 Rev. 1 on operation of gateways; SOC 2 CC6.1 and CC8.1; ISO 27001:2022 A.8.9 and A.8.32",
  },
  Secrets: {
    file: "secrets",
    intro: "Policies on pre-shared keys and credentials.",
    controls:
      "CIS Controls v8 3.11; NIST SP 800-77 Rev. 1 on pre-shared keys; SOC 2 CC6.1; ISO 27001:2022 A.8.12 and A.8.24",
  },
  Cryptography: {
    file: "cryptography",
    intro: "Policies on the algorithms that a tunnel offers, and on the lifetimes of its keys.",
    controls: "CIS Controls v8 3.10; NIST SP 800-77 Rev. 1 on IKE and ESP; SOC 2 CC6.7; ISO 27001:2022 A.8.24",
  },
};

const warning = "<!-- Made from policy/rules by `npm run docs`; changes here are lost. -->";

/** Returns all generated files by path: a page for each topic, the catalogue's entries, and the presets. */
export function generated(): Record<string, string> {
  const abouts = policies.map(({ about }) => about);
  const pages = Object.entries(topics).map(([topic, { file }]) => [
    `docs/policies/${file}.md`,
    page(topic as Topic, abouts),
  ]);
  return {
    ...(Object.fromEntries(pages) as Record<string, string>),
    "cli/codes/policies.ts": entries(abouts),
    "policy/baseline.json": json(baseline),
    "policy/strict.json": json(strict),
  };
}

/** Writes the files, and removes the pages of topics that no longer exist. */
function writePages(root: string): void {
  const files = generated();
  const folder = join(root, "docs", "policies");
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(folder)) if (!(`docs/policies/${name}` in files)) rmSync(join(folder, name));
  for (const [path, content] of Object.entries(files)) writeFileSync(join(root, path), content);
}

/** Returns the source of the policies' entries in the catalogue of messages. */
const entries = (abouts: readonly About[]) =>
  [
    '// Generated from policy/rules by "npm run docs": change that, not this.',
    'import type { Entry } from "./entry";',
    "",
    "/** The policies: a policy's name is its code. */",
    `export const policies: readonly Entry[] = ${JSON.stringify(abouts.map(entryOf), null, 2)};`,
    "",
  ].join("\n");

const entryOf = ({ name, description, reason, fix }: About): Entry => ({
  code: name,
  meaning: description,
  cause: reason,
  remedies: [sentence(fix)],
});

const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;

function page(topic: Topic, abouts: readonly About[]): string {
  const { intro, controls } = topics[topic];
  const own = abouts.filter((about) => about.topic === topic);
  return lines(
    warning,
    `# Policies: ${topic.toLowerCase()}`,
    `${intro} [How to run them](../how-to/policies.md), with the [settings of all policies](../how-to/policies.md#levels-and-settings).`,
    table(
      ["policy", "rule", "`baseline`", "`strict`", "severity"],
      own.map(({ name, description, baseline: level, strict: { enforcementLevel }, severity }) => [
        `[${name}](#${name})`,
        description,
        ...[level, enforcementLevel, severity],
      ]),
    ),
    ...own.flatMap(section),
    "## Controls",
    `Partial evidence for ${controls}, if no exception is set.`,
  );
}

/** The settings that the page of the how-to describes for all policies. */
const shared = ["exceptions", "productionStacks", "otherStacks"];

function section({ name, reason, fix, remedy, settings, unknowns, sources, strict: inStrict }: About): string[] {
  const own = Object.entries(configSchemaOf(settings as Shape).properties).filter(([key]) => !shared.includes(key));
  const rows = own.map(([key, schema]) => [
    `\`${key}\``,
    schema.description ?? "",
    code(schema.default),
    key in inStrict ? code((inStrict as Record<string, unknown>)[key]) : "the same",
  ]);
  return [
    `## ${name}`,
    reason,
    `**Fix:** ${sentence(fix)}`,
    ...(remedy === undefined ? [] : [`**With the level \`remediate\`** the policy ${remedy}.`]),
    ...(rows.length === 0 ? [] : [table(["setting", "meaning", "default", "in `strict`"], rows)]),
    ...(unknowns === undefined ? [] : [`**Limits:** ${unknowns}`]),
    ...(sources
      ? ["**Sources:**", sources.map(({ title, url, says }) => `- [${title}](${url}): ${says}.`).join("\n")]
      : []),
  ];
}

const lines = (...parts: string[]) => `${parts.join("\n\n")}\n`;
const sentence = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
const code = (value: unknown) => `\`${JSON.stringify(value).replaceAll('","', '", "').replaceAll('":"', '": "')}\``;
const row = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
const table = (head: readonly string[], rows: readonly string[][]) =>
  [row(head), row(head.map(() => "---")), ...rows.map(row)].join("\n");

if (require.main === module) writePages(join(__dirname, ".."));
