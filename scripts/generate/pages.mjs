import { examples, folded } from "./examples.mjs";
import { changes, describe, typeOf } from "./resources.mjs";
import { connectionTypes } from "./classes.mjs";

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

/** Returns a text as a sentence. */
const sentence = (text) => `${text[0].toUpperCase()}${text.slice(1).replace(/\.$/, "")}.`;
/** Returns what the provider does, which whole sentences have already. */
const effectOf = ({ else: does }) => sentence(/^[A-Z]/.test(does) ? does : `the provider ${does}`);

const assumptionHeadings = ["`verify` row", "assumption", "if it does not hold", "what you can do"];

/** The assumptions about the service that have this source, and on which something depends. */
const assumptionTable = (manifest, fatal, from) =>
  table(
    assumptionHeadings,
    Object.entries(manifest)
      .filter(([, { source, isAlways }]) => source === from && !isAlways)
      .map(([id, row]) => {
        const mark = id in fatal ? ` **Fatal** if ${fatal[id][0]}.` : "";
        return [`\`${id}\``, row.says, `${effectOf(row)}${mark}`, row.helps ? sentence(row.helps) : ""];
      }),
  );

/** The assumptions that may be wrong without an effect. */
const harmlessTable = (manifest) =>
  table(
    ["`verify` row", "assumption", "why it has no effect"],
    Object.entries(manifest)
      .filter(([, { isAlways }]) => isAlways)
      .map(([id, row]) => [`\`${id}\``, row.says, effectOf(row)]),
  );

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
export const pageTables = ({ resources, manifest, fatal, stableFields, settingDocs, environmentName, site }) => [
  ...["specification", "vendor", "inferred", "unknown"].map((from) => [
    `Assumptions (${from})`,
    [assumptionTable(manifest, fatal, from)],
  ]),
  ["Assumptions (no effect)", [harmlessTable(manifest)]],
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
    "Provider arguments",
    [
      table(
        ["argument", "if omitted", "description"],
        Object.entries(settingDocs).map(([key, { doc, isSecret }]) => [
          `\`${key}\`${isSecret ? " (secret)" : ""}`,
          `\`${environmentName(key)}\``,
          doc,
        ]),
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

/** The codes of each section of a page of messages. */
const codeIndex = (page) =>
  page
    .split(/^## /m)
    .slice(1)
    .map((section) => {
      const [doing] = section.split("\n", 1);
      const codes = [...section.matchAll(/^### (\S+)$/gm)].map(([, code]) => `[${code}](#${code})`);
      return `- **${doing}**: ${codes.join(", ")}`;
    })
    .join("\n");

/** Returns a page with its tables, and with the present text in each code block that names a file or a region of one. */
export const filledPage = (page, tables, read) =>
  [...tables, ["Codes", [codeIndex(page)]]].reduce(withTable, page).replace(block, (...match) => {
    const { file, region } = match.at(-1);
    return `${match[1]}${cut(read(file), file, region)}\`\`\``;
  });
