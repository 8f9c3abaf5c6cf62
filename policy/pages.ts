import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { controls } from "./controls";
import { policies } from "./policies";
import { baseline, strict } from "./presets";
import type { Entry } from "../provider/messages/entry";
import type { About } from "./about";
import { configSchemaOf, type Shape } from "./settings";

const warning = "<!-- Made from policy/rules by `npm run docs`; changes here are lost. -->";

/** Returns all generated files by path: a page for each policy, their list, the catalogue's entries, and the presets. */
export function generated(): Record<string, string> {
  const abouts = policies.map(({ about }) => about);
  return {
    ...Object.fromEntries(abouts.map((about) => [`docs/policies/${about.name}.md`, page(about)])),
    "docs/policies/README.md": list(abouts),
    "docs/policies/controls.md": controlsPage(abouts),
    "provider/messages/entries/policies.ts": entries(abouts),
    "policy/baseline.json": json(baseline),
    "policy/strict.json": json(strict),
  };
}

/** Writes the files, and removes the pages of policies that no longer exist. */
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
    'import type { Entry } from "../entry";',
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

function list(abouts: readonly About[]): string {
  const topics = [...new Set(abouts.map(({ topic }) => topic))];
  return lines(
    warning,
    "# All policies",
    "[Policies](../how-to/policies.md) explains how to use them, and their two presets, `baseline` and `strict`. The tables show the level of each policy in a preset. [Controls](controls.md) lists the policies by the controls of auditors.",
    ...topics.flatMap((topic) => [
      `## ${topic}`,
      table(
        ["policy", "rule", "`baseline`", "`strict`"],
        abouts
          .filter((about) => about.topic === topic)
          .map(({ name, description, baseline: level, strict: { enforcementLevel } }) => [
            `[${name}](${name}.md)`,
            description,
            level,
            enforcementLevel,
          ]),
      ),
    ]),
  );
}

function controlsPage(abouts: readonly About[]): string {
  const rows = abouts.flatMap(({ name, description }) => {
    const { cis, nist, soc2, iso } = controls[name] ?? {};
    return cis === undefined ? [] : [[`[${name}](${name}.md)`, description, cis, nist ?? "", soc2 ?? "", iso ?? ""]];
  });
  return lines(
    warning,
    "# Controls",
    "This table shows the controls for which each policy is evidence. A policy shows that a program keeps its rule, if the policy ran in every `up` and had no exception. It is evidence for a part of a control, and fulfils no control by itself. The page of each policy names its limits. The table does not cover the service, the remote device, access rights, or resources outside Pulumi.",
    table(["policy", "rule", "CIS Controls v8", "NIST SP 800-77 Rev. 1, on", "SOC 2", "ISO/IEC 27001:2022"], rows),
  );
}

function page(about: About): string {
  const { enforcementLevel, ...strictSettings } = about.strict;
  const { exceptions, ...own } = configSchemaOf(about.settings as Shape).properties;
  const settings = Object.entries({ ...own, exceptions }).map(([name, schema]) => [
    `\`${name}\``,
    schema?.description ?? "",
    code(schema?.default),
    name in strictSettings ? code(strictSettings[name]) : "the same",
  ]);
  return lines(
    warning,
    `# ${about.name}`,
    about.description,
    table(
      ["", "`baseline` (the default)", "`strict`"],
      [
        ["level", about.baseline, enforcementLevel],
        ["severity", about.severity, about.severity],
      ],
    ),
    "## Why",
    about.reason,
    "## Fix",
    sentence(about.fix),
    ...(about.remedy === undefined
      ? []
      : [
          "## Remediation",
          `With the level \`remediate\` the policy ${about.remedy}. With another level it only reports.`,
        ]),
    "## Settings",
    table(["setting", "meaning", "default", "in `strict`"], settings),
    "## Unknown values and limits",
    about.unknowns,
    ...(about.sources
      ? ["## Sources", about.sources.map(({ title, url, says }) => `- [${title}](${url}): ${says}.`).join("\n")]
      : []),
  );
}

const lines = (...parts: string[]) => `${parts.join("\n\n")}\n`;
const sentence = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
const code = (value: unknown) => `\`${JSON.stringify(value).replaceAll('","', '", "').replaceAll('":"', '": "')}\``;
const row = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
const table = (head: readonly string[], rows: readonly string[][]) =>
  [row(head), row(head.map(() => "---")), ...rows.map(row)].join("\n");

if (require.main === module) writePages(join(__dirname, ".."));
