import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Entry } from "../cli/codes/entry";
import { baseline, policies, strict } from "./policies";
import type { About } from "./about";
import { configSchemaOf, type Shape } from "./settings";

/** The controls for which a policy can be evidence, by the numbers of each framework. NIST SP 800-77 has topics instead. */
interface Controls {
  cis: string;
  nist: string;
  soc2: string;
  iso: string;
}

const boundary = { cis: "12.2, 13.4", nist: "network layout, traffic selectors", soc2: "CC6.6", iso: "A.8.20, A.8.22" };
const services = {
  cis: "4.8, 13.4",
  nist: "services behind the tunnel",
  soc2: "CC6.1, CC6.6",
  iso: "A.8.20, A.8.21",
};
const secrets = { cis: "3.11", nist: "pre-shared keys", soc2: "CC6.1", iso: "A.8.12, A.8.24" };
const cryptography = { cis: "3.10", nist: "IKE and ESP algorithms, lifetimes", soc2: "CC6.7", iso: "A.8.24" };
const change = { cis: "4.2, 12.3", nist: "operation of gateways", soc2: "CC6.1, CC8.1", iso: "A.8.9, A.8.32" };

/** The controls by policy. A policy without an entry is evidence for none of them. */
const controls: Record<string, Controls> = {
  "use-public-peers": boundary,
  "limit-peer-networks": boundary,
  "separate-peer-networks": boundary,
  "keep-targets-private": services,
  "refuse-metadata-targets": services,
  "refuse-loop-targets": services,
  "limit-ingress-ports": services,
  "guard-dangerous-ports": services,
  "refuse-unknown-types": change,
  "protect-production-tunnels": change,
  "guard-life-cycle-options": change,
  "require-locations": { ...change, nist: "placement of gateways" },
  "follow-naming-convention": { ...change, cis: "1.1", iso: "A.8.9" },
  "keep-sample-config-secret": secrets,
  "encrypt-pre-shared-keys": secrets,
  "avoid-stored-keys": secrets,
  "keep-credentials-secret": { ...secrets, nist: "administrative access" },
  "refuse-weak-crypto": cryptography,
  "limit-key-lifetimes": cryptography,
};

const warning = "<!-- Made from policy/rules by `npm run docs`; changes here are lost. -->";

/** Returns all generated files by path: a page for each policy, their list, the catalogue's entries, and the presets. */
export function generated(): Record<string, string> {
  const abouts = policies.map(({ about }) => about);
  return {
    ...Object.fromEntries(abouts.map((about) => [`docs/policies/${about.name}.md`, page(about)])),
    "docs/policies/README.md": list(abouts),
    "docs/policies/controls.md": controlsPage(abouts),
    "cli/codes/policies.ts": entries(abouts),
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
