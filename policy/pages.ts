import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { controls } from "./controls";
import { policies } from "./policies";
import { baseline, strict } from "./presets";
import type { About } from "./about";
import { configSchemaOf, type Shape } from "./settings";

const warning = "<!-- Made from policy/rules by `npm run docs`; changes here are lost. -->";

/** Everything that is made from the definitions, by path from the repository's root: a page a policy, their list, the presets' files. */
export function generated(): Record<string, string> {
  const abouts = policies.map(({ about }) => about);
  return {
    ...Object.fromEntries(abouts.map((about) => [`docs/policies/${about.name}.md`, page(about)])),
    "docs/policies/README.md": list(abouts),
    "docs/policies/controls.md": controlsPage(abouts),
    "policy/baseline.json": json(baseline),
    "policy/strict.json": json(strict),
  };
}

/** Writes them, and takes away pages of policies that are no more. */
function writePages(root: string): void {
  const files = generated();
  const folder = join(root, "docs", "policies");
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(folder)) if (!(`docs/policies/${name}` in files)) rmSync(join(folder, name));
  for (const [path, content] of Object.entries(files)) writeFileSync(join(root, path), content);
}

const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;

function list(abouts: readonly About[]): string {
  const topics = [...new Set(abouts.map(({ topic }) => topic))];
  return lines(
    warning,
    "# All policies",
    "How to use them: [Policies](../policies.md). What auditors ask for: [Controls](controls.md).",
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
    "Which policy is asked for by which control. A policy shows that a program does not break its rule, where it ran in every `up` and was not excused: it is evidence for a part of a control and fulfils none by itself. What it does not see is on its page, and nothing here is said of the service, of the remote device, of who may change what, or of what is set up by other means.",
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
      ["", "`baseline` and by default", "`strict`"],
      [
        ["level", about.baseline, enforcementLevel],
        ["severity", about.severity, about.severity],
      ],
    ),
    "## Why",
    about.reason,
    "## What to do",
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
