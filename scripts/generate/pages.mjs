import { examples, folded } from "./examples.mjs";
import { guides } from "./guides.mjs";
import { changes, describe, typeOf } from "./resources.mjs";
import { connectionTypes } from "./types.mjs";

// The tables of the pages, the code blocks that are cut from files, and the page of all codes.

const row = (cells) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
const table = (headings, rows) => [row(headings), row(headings.map(() => "---")), ...rows.map(row)].join("\n");
const nameCell = ({ name, alias }) => (alias ? `\`${name}\` or \`${alias}\`, not both` : `\`${name}\``);
const effects = { ...changes, "delete first": "replaces (delete first)", ignore: "no effect" };

const argumentTable = ({ argumentFields }) =>
  table(
    ["argument", "type", "required", "description", "a change"],
    argumentFields.map((field) => [
      nameCell(field),
      typeOf(field),
      field.whenOmitted === "refused" ? "required" : "",
      // The first column names the alias already.
      describe({ ...field, alias: undefined }),
      effects[field.onChange],
    ]),
  );

/** What an edit of each argument of each resource does. */
const editTable = (resources) =>
  table(
    ["resource", ...Object.values(effects)],
    resources.map(({ title, argumentFields }) => [
      title,
      ...Object.keys(effects).map((effect) => {
        const edited = argumentFields.filter(({ onChange }) => onChange === effect);
        return edited.map(({ name }) => `\`${name}\``).join(", ");
      }),
    ]),
  );

const outputHeadings = ["output", "type", "description"];

/** The outputs that are no arguments. */
const outputTable = ({ outputs, argumentFields }) =>
  table(
    outputHeadings,
    outputs
      .filter((field) => !argumentFields.some(({ name }) => name === field.name) || field.name === "shares")
      .map((field) => [`\`${field.name}\``, typeOf(field, "SetShare"), field.doc]),
  );

/** Returns name, type and doc of each member of an interface or class in a source of the SDK. */
function membersIn(source, heading) {
  const [, text = ""] = source.split(heading);
  const [own] = text.split("\n}");
  return [...own.matchAll(/\/\*\* (.*) \*\/\n {2}(?:readonly )?(\w+)\??: (.*);/g)].map(([, doc, name, type]) => {
    const output = type.replace(/^pulumi\.(?:Output|Input)<(.*)>$/, "$1").replace(/^Readonly<(.*)>$/, "$1");
    return [`\`${name}\``, output, doc];
  });
}

const siteRow = ([name, type, doc]) => [name, type, name === "`shares`" ? "required" : "", doc];

/** The arguments of a site that its tunnel has. */
const tunnelRows = (resources) =>
  resources
    .filter(({ title }) => title === "IpsecTunnel")
    .flatMap(({ argumentFields }) =>
      argumentFields.map((field) => [
        ...[nameCell(field), typeOf(field), field.whenOmitted === "refused" ? "required" : "", describe(field)],
      ]),
    );

/** The assumptions about the service that have this source. */
const assumptionList = (manifest, from) =>
  Object.entries(manifest)
    .filter(([, { source }]) => source === from)
    .map(([id, { says, else: does, helps = "" }]) => {
      const otherwise = does === "" ? "" : ` Otherwise, the provider ${does.replace(/\.$/, "")}.`;
      return `- ${says.replace(/\.$/, "")} (\`${id}\`).${otherwise}${helps === "" ? "" : ` What helps: ${helps.replace(/\.$/, "")}.`}`;
    })
    .join("\n");

/** The first example in other languages. */
const languagesOf = (title) => {
  const [first] = Object.values(examples[title] ?? {});
  return first ? [[`${title} languages`, folded(first)]] : [];
};

const resourceTables = (resource) => [
  [resource.title, [resource.doc]],
  [`${resource.title} arguments`, [argumentTable(resource)]],
  ...(resource.each ? [[`${resource.title} shares`, [argumentTable(resource.each)]]] : []),
  [`${resource.title} outputs`, [outputTable(resource)]],
  ...languagesOf(resource.title),
  ...(resource.each ? [[`${resource.title} shares outputs`, [outputTable(resource.each)]]] : []),
];

/** Returns the generated parts of the pages, as pairs of the title in their marks and their paragraphs. */
export const pageTables = ({ resources, manifest, stableFields, settingDocs, environmentName, site }) => [
  ...["specification", "vendor", "inferred", "unknown"].map((from) => [
    `Assumptions (${from})`,
    [assumptionList(manifest, from)],
  ]),
  ...resources.flatMap(resourceTables),
  [
    "Edits",
    [
      editTable(
        resources.flatMap((resource) =>
          resource.each ? [resource, { ...resource.each, title: "each share of a set" }] : [resource],
        ),
      ),
    ],
  ],
  ["IpsecSite", [site.doc]],
  ...languagesOf("IpsecSite"),
  [
    "IpsecSite arguments",
    [
      table(
        ["argument", "type", "required", "description"],
        [...tunnelRows(resources), ...membersIn(site.source, "export interface IpsecSiteArgs").map(siteRow)],
      ),
    ],
  ],
  ["IpsecSite outputs", [table(outputHeadings, membersIn(site.source, "export abstract class AnySite"))]],
  [
    "TunnelConfig",
    [
      table(
        ["field", "type", "description"],
        Object.entries(stableFields).map(([name, { type, doc }]) => [`\`${name}\``, connectionTypes[type], doc]),
      ),
    ],
  ],
  [
    "Configuration",
    [
      table(
        ["stack configuration", "environment", "description"],
        Object.entries(settingDocs).map(([key, { doc, isSecret }]) => [
          `\`frontdoor:${key}\`${isSecret ? " (secret)" : ""}`,
          `\`${environmentName(key)}\``,
          doc,
        ]),
      ),
    ],
  ],
];

/** Returns the page with the paragraphs between the two marks of a title, if the page has them. */
function withTable(page, [title, paragraphs]) {
  const [start, end] = [`<!-- ${title}: generated by "npm run docs" -->`, `<!-- end of ${title} -->`];
  const [before, rest] = page.split(start);
  if (rest === undefined) return page;
  const [, after] = rest.split(end);
  if (after === undefined) throw new Error(`a page lacks a mark: ${end}`);
  return `${before}${[start, ...paragraphs, end].join("\n\n")}${after}`;
}

const block = /^(<!-- from (?<file>[^\s#]+)(?:#(?<region>\S+))? -->\n\n```.*\n)[^]*?^```$/gm;
const regionMark = /^[^\S\n]*(?:\/\/|#) #(?:end)?region\b.*\n/gm;

/** Returns the text between the marks of a region, as editors fold them. Without a region, returns all but the marks. */
function cut(text, file, region) {
  if (region === undefined) return text.replace(regionMark, "");
  const [, , inside] = new RegExp(`(#region ${region})\n([^]*?)^.*#endregion ${region}$`, "m").exec(text) ?? [];
  if (inside === undefined) throw new Error(`${file} has no region ${region}`);
  return inside;
}

/** Returns a page with its tables, and with the present text in each code block that names a file or a region of one. */
export const filledPage = (page, tables, read) =>
  tables.reduce(withTable, page).replace(block, (...match) => {
    const { file, region } = match.at(-1);
    return `${match[1]}${cut(read(file), file, region)}\`\`\``;
  });

/** Returns the remedies: a table if some have a condition, a list if there are several, else a sentence. */
function remedyPart(remedies) {
  const isConditional = remedies.some((remedy) => typeof remedy !== "string");
  if (isConditional)
    return table(
      ["if …", "then …"],
      remedies.map((remedy) => (typeof remedy === "string" ? ["otherwise", remedy] : remedy)),
    );
  return remedies.length === 1
    ? `**What to do:** ${remedies[0]}`
    : ["**What to do:**\n", ...remedies.map((remedy) => `- ${remedy}`)].join("\n");
}

/** The part of one code. The code is its heading, so that the site's search and the links of `explain` find it. */
const codeEntry = ({ code, says, meaning, cause, remedies }) => [
  `### ${code}`,
  ...(says === undefined ? [] : [`> ${says}`]),
  `${meaning} **Why:** ${cause}`,
  remedyPart(remedies),
  ...(guides.has(code) ? [`The [guide](${guides.get(code)}) has the details.`] : []),
];

const others = (own, titles) =>
  Object.entries(titles)
    .filter(([page]) => page !== own)
    .map(([page, { title }]) => `[${title.toLowerCase()}](${page})`)
    .join(", ");

const forProvider = [
  "This page is for you if `pulumi up` or another command of Pulumi ended with a message of the provider. Look for the code in square brackets at the end of the message, such as `[port-in-use]`. `npx pulumi-frontdoor explain port-in-use` prints the same. In the quoted messages, `…` stands for a value.",
  "If a message has no code, it is Pulumi's own. If you find no help here, run `npx pulumi-frontdoor doctor`, which checks settings, Frontdoor and this machine, and attach its output to a report. To see each HTTP request, set `FRONTDOOR_LOG` to a file: the [request log](reference/configuration.md#the-request-log) contains no secret. Do not attach logs of `-v=3` or `--debug`, because they contain [the key](security.md#pulumis-own-logs). After a remedy, run `pulumi up` again. [In trouble](how-to/recover.md) has the symptoms that have no code.",
];

/** Title and introduction of each page of codes. */
const troubles = {
  "troubleshooting.md": { title: "Troubleshooting", about: forProvider },
  "troubleshooting-command.md": {
    title: "Messages of the command",
    about: [
      "This page is for you if `npx pulumi-frontdoor` ended with a message that has a code. A code that is not here is on the page of [the provider](troubleshooting.md), which the command uses for its requests.",
    ],
  },
  "troubleshooting-emulator-and-verify.md": {
    title: "Messages of the emulator and of verify",
    about: [
      "This page is for you if `npx pulumi-frontdoor emulator` or `verify` ended with a message that has a code.",
    ],
  },
  "troubleshooting-fleet.md": {
    title: "Messages of a fleet",
    about: [
      "This page is for you if `frontdoor-fleet`, or one of its workers, ended with a message that has a code. [Run a fleet](../fleet/README.md) explains the terms.",
    ],
  },
};

/** Returns the pages of all codes by their paths. @throws Error if a guide has no code */
export function troubleshooting(catalogue) {
  const codes = new Set(catalogue.flatMap(({ entries }) => entries.map(({ code }) => code)));
  for (const code of guides.keys()) if (!codes.has(code)) throw new Error(`guides.mjs names no code: ${code}`);
  return Object.fromEntries(
    Object.entries(troubles).map(([page, { title, about }]) => [
      `docs/${page}`,
      [
        '<!-- generated from cli/explain/codes by "npm run docs" -->',
        `# ${title}`,
        ...about,
        `Other pages: ${others(page, troubles)}, [policies](reference/policies.md).`,
        ...catalogue
          .filter((group) => group.page === page)
          .flatMap(({ doing, entries }) => [`## ${doing}`, ...entries.flatMap(codeEntry)]),
      ].join("\n\n"),
    ]),
  );
}
