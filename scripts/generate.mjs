import { Buffer } from "node:buffer";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import * as prettier from "prettier";
import {
  classTypes,
  comment,
  exportsOf,
  functions,
  functionTypes,
  generatedFrom as head,
  resourceClass,
  siteClass,
} from "./generate/classes.mjs";
import { examples, folded } from "./generate/examples.mjs";
import { guides } from "./generate/guides.mjs";
import { isMaybe, providerArgs, schemaOf } from "./generate/schema.mjs";
import { root } from "./setup/environment.mjs";

// Generates, from the tables in provider/: types with hover texts, the outputs of the classes, the plugin's classes and schema, the
// functions, the tables of the pages, and the pages' code blocks, which are cut from files that tests run.
// `node scripts/generate.mjs` writes the files. With --check it names the stale ones instead.

const isCheck = process.argv.includes("--check");

async function load(file) {
  const banner = {
    js: [
      'import { createRequire as requireFrom } from "node:module";',
      `const require = requireFrom(${JSON.stringify(import.meta.url)});`,
      `const [__filename, __dirname] = ${JSON.stringify([import.meta.filename, import.meta.dirname])};`,
    ].join(""),
  };
  const options = { bundle: true, format: "esm", platform: "node", write: false, logLevel: "warning", banner };
  const { outputFiles } = await build({ entryPoints: [join(root, file)], ...options });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`);
}

const { resources: listed } = await load("provider/resources/index.ts");
const { functionTable } = await load("provider/functions/table.ts");
const { settingDocs, environmentName } = await load("provider/config.ts");
const { credentialKeys } = await load("provider/credentials.ts");
const { entryFields, volatileFields } = await load("provider/fields/tunnel-connection.ts");
const { catalogue } = await load("cli/explain.ts");
const { manifest } = await load("cli/verify/manifest.ts");

const read = (file) => readFileSync(join(root, file), "utf8");

/** The comment above a class of the SDK, as text. */
function saidOf(title, file) {
  const [above] = read(file).split(`export abstract class ${title}`);
  return above
    .slice(above.lastIndexOf("/**"))
    .replace(/[\s*/]*\n[\s*]*|^\/\*\*|\*\/.*/gs, " ")
    .trim();
}

/** A resource: `noun` as in `TunnelArgs`, `key` as in `tunnelOutputs`, `small` as said in texts, its arguments, required ones first, its outputs, and what the service's entries show. */
function resource(noun, { fields: table, doc }) {
  const small = noun.replace(/(?<!^)[A-Z]/g, " $&").toLowerCase();
  const fields = Object.entries(table).map(([name, field]) => ({ name, isArgument: "is" in field, ...field }));
  const given = fields.filter(({ isArgument }) => isArgument);
  const isRequired = ({ whenOmitted }) => whenOmitted === "refused";
  return {
    ...{ doc, noun, key: `${noun[0].toLowerCase()}${noun.slice(1)}` },
    ...{ small, file: small.replaceAll(" ", "-"), title: `Ipsec${noun}` },
    given: [...given.filter(isRequired), ...given.filter((field) => !isRequired(field))],
    outputs: fields.filter(({ visible }) => visible !== "nowhere"),
    visible: fields.filter(({ visible }) => visible !== "nowhere" && visible !== "in state"),
  };
}

/** One of many in a set, by what a program gives for it and what the set's outputs show of it. */
const setShare = (fields) => ({
  ...resource("SetShare", { fields }),
  ...{ small: "share", outputs: resource("Share", listed.IpsecShare).outputs },
});
const resources = Object.entries(listed).map(([type, of]) => ({
  ...resource(type.replace(/^Ipsec/, ""), of),
  ...(of.each && { each: setShare(of.each) }),
}));

/** The type of an argument, or of an output: those of each in a map are not the same. */
const typeOf = ({ is, type }, ofEach = "SetShareArgs") =>
  is?.type === "record"
    ? `Record<string, ${ofEach}>`
    : (is?.type.replace("union", "string | number") ?? type.replace(" | undefined", ""));
const need = ({ whenOmitted }) => (whenOmitted === "refused" ? "required" : "");
const changes = {
  "delete first": "replaces",
  "create first": "replaces (create first)",
  update: "updates",
  ignore: "nothing",
};

/** What is said of an argument, but for what a change does. */
const words = ({ doc, more, alias, whenOmitted }) =>
  [
    doc,
    ...(alias
      ? [`${whenOmitted === "refused" ? "Required. " : ""}You can write it as \`${alias}\` instead, but not as both.`]
      : []),
    ...(more ? [more] : []),
    ...(whenOmitted === "cleared" ? ["If you remove it later, the provider clears it."] : []),
  ].join(" ");

/** The same, with it. */
function hover(field, { small }) {
  const does = changes[field.onChange].replace("replaces", `replaces the ${small}`);
  return does.startsWith("replaces") ? `${words(field)} A change ${does}.` : words(field);
}

// TypeScript

const member = (name, type, isMaybe) =>
  `readonly ${name}${isMaybe ? "?" : ""}: ${type}${isMaybe ? " | undefined" : ""};\n`;
const body = (members) => `{\n${members.join("")}}\n\n`;

/** Of a set alone what users' programs read. */
const setTypes = (of) =>
  [
    comment("The outputs of each share in a set."),
    "export interface SetShare ",
    body([
      comment("Assigned by Frontdoor.") + member("id", "string"),
      ...of.each.outputs.map((field) => comment(field.doc) + member(field.name, typeOf(field), isMaybe(field))),
    ]),
  ].join("");

/** The types of an entry of the service, and of the filters of a list. */
const wire = ({ noun, small, visible }) => [
  comment(`An IPsec ${small} in Frontdoor's lists and responses to a get.`),
  `export interface Wire${noun} `,
  body([
    comment("Assigned by Frontdoor.") + member("id", "string"),
    ...visible.map((field) => comment(field.doc) + member(field.name, typeOf(field), field.visible !== "always")),
  ]),
  comment(
    `The filters of a list of ${small}s. An entry must have the value, or one of the values, of each given property.`,
  ),
  `export interface ${noun}Filters `,
  body([
    comment("Assigned by Frontdoor.") + member("id", "string | string[]", true),
    ...visible.map((field) => comment(field.doc) + member(field.name, `${typeOf(field)} | ${typeOf(field)}[]`, true)),
  ]),
];

const isOptional = ({ whenOmitted }) => ["cleared", "unchanged"].includes(whenOmitted);
const noteOfOptional =
  comment("Optional arguments that the program gives. Undefined in states of versions that did not note it.") +
  member("__set", "string[]", true) +
  comment("The wall-clock time from which a reading is the truth, in milliseconds. Unset if it is one already.") +
  member("__settlesAt", "number", true);
const types = (of) => {
  if (of.each) return setTypes(of);
  const { noun, given, outputs, visible } = of;
  return [
    comment("The arguments after check: in one spelling, with defaults."),
    `export interface ${noun}Inputs `,
    body(given.map((field) => member(field.name, typeOf(field), isOptional(field)))),

    ...(visible.length > 0 ? wire(of) : []),

    comment("The outputs in the state."),
    `export interface ${noun}Outputs `,
    body([
      ...outputs.map((field) => {
        const isThere =
          field.visible === "always" || (field.visible === "in state" && field.isArgument && !isOptional(field));
        return member(field.name, typeOf(field), !isThere);
      }),
      ...(given.some(isOptional) ? [noteOfOptional] : []),
    ]),
  ].join("");
};

const connectionTypes = { text: "string", texts: "string[]", number: "number", numbers: "number[]" };
const isStable = ([name]) => !volatileFields.includes(name);

/** The fields of a tunnel configuration, any of which can be missing. */
const connection = (name, said, isOf) => {
  const fields = Object.entries(entryFields).filter(isOf);
  const members = fields.map(
    ([field, { type, doc }]) => `${comment(doc)}readonly ${field}?: ${connectionTypes[type]};\n`,
  );
  return `${comment(said)}export interface ${name} ${body(members)}`;
};

// Markdown

const row = (cells) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
const table = (headings, rows) => [row(headings), row(headings.map(() => "---")), ...rows.map(row)].join("\n");
const code = ({ name, alias }) => (alias ? `\`${name}\` or \`${alias}\`, not both` : `\`${name}\``);

/** The first column names the alias already. */
const withoutAlias = (field) => ({ ...field, alias: undefined });
const effects = { ...changes, "delete first": "replaces (delete first)", ignore: "no effect" };

const argumentsOf = ({ given }) =>
  table(
    ["argument", "type", "required", "description", "a change"],
    given.map((field) => [
      code(field),
      typeOf(field),
      need(field),
      words(withoutAlias(field)),
      effects[field.onChange],
    ]),
  );
/** What an edit of each argument of each resource does. */
const editsOf = (all) =>
  table(
    ["resource", ...Object.values(effects)],
    all.map(({ title, given }) => [
      title,
      ...Object.keys(effects).map((effect) => {
        const those = given.filter(({ onChange }) => onChange === effect);
        return those.map(({ name }) => `\`${name}\``).join(", ");
      }),
    ]),
  );
const outputHeadings = ["output", "type", "description"];
/** The outputs that are no arguments. */
const outputsOf = ({ outputs, given }) =>
  table(
    outputHeadings,
    outputs
      .filter((field) => !given.some(({ name }) => name === field.name) || field.name === "shares")
      .map((field) => [`\`${field.name}\``, typeOf(field, "SetShare"), field.doc]),
  );

/** The docs of the members of an interface or class of the SDK. */
function membersOf(file, heading) {
  const [, text = ""] = read(file).split(heading);
  const [own] = text.split("\n}");
  return [...own.matchAll(/\/\*\* (.*) \*\/\n {2}(?:readonly )?(\w+)\??: (.*);/g)].map(([, doc, name, type]) => {
    const output = type.replace(/^pulumi\.(?:Output|Input)<(.*)>$/, "$1").replace(/^Readonly<(.*)>$/, "$1");
    return [`\`${name}\``, output, doc];
  });
}

const siteFile = "sdk/any-site.ts";
const siteDoc = saidOf("AnySite", siteFile);
const isRequiredOfSite = (name) => name === "`shares`";

/** The assumptions about the service that come from there. */
const assumptionsOf = (from) =>
  Object.entries(manifest)
    .filter(([, { source }]) => source === from)
    .map(([id, { says, else: does, helps = "" }]) => {
      const otherwise = does === "" ? "" : ` Otherwise, the provider ${does.replace(/\.$/, "")}.`;
      return `- ${says.replace(/\.$/, "")} (\`${id}\`).${otherwise}${helps === "" ? "" : ` What helps: ${helps.replace(/\.$/, "")}.`}`;
    })
    .join("\n");

/** The tables of the pages, by the title in their marks. */
const tables = {
  ...Object.fromEntries(
    ["specification", "vendor", "inferred", "unknown"].map((from) => [`Assumptions (${from})`, [assumptionsOf(from)]]),
  ),
  ...Object.fromEntries(
    resources.flatMap((of) => [
      [of.title, [of.doc]],
      [`${of.title} arguments`, [argumentsOf(of)]],
      ...(of.each ? [[`${of.title} shares`, [argumentsOf(of.each)]]] : []),
      [`${of.title} outputs`, [outputsOf(of)]],
      ...(examples[of.title] ? [[`${of.title} languages`, folded(Object.values(examples[of.title])[0])]] : []),
      ...(of.each ? [[`${of.title} shares outputs`, [outputsOf(of.each)]]] : []),
    ]),
  ),
  Edits: [editsOf(resources.flatMap((of) => [of, ...(of.each ? [{ ...of.each, title: "each share of a set" }] : [])]))],
  IpsecSite: [siteDoc],
  "IpsecSite arguments": [
    table(
      ["argument", "type", "required", "description"],
      membersOf(siteFile, "export interface IpsecSiteArgs").map(([name, type, doc]) => [
        ...[name, type, isRequiredOfSite(name) ? "required" : "", doc],
      ]),
    ),
  ],
  "IpsecSite outputs": [table(outputHeadings, membersOf(siteFile, "export abstract class AnySite"))],
  TunnelConfig: [
    table(
      ["field", "type", "description"],
      Object.entries(entryFields)
        .filter(isStable)
        .map(([name, { type, doc }]) => [`\`${name}\``, connectionTypes[type], doc]),
    ),
  ],
  Configuration: [
    table(
      ["stack configuration", "environment", "description"],
      Object.entries(settingDocs).map(([key, { doc, isSecret }]) => [
        `\`frontdoor:${key}\`${isSecret ? " (secret)" : ""}`,
        `\`${environmentName(key)}\``,
        doc,
      ]),
    ),
  ],
};

/** Returns the page with the parts between the two marks of a title, if the page has them. */
function between(page, [title, parts]) {
  const [start, end] = [`<!-- ${title}: generated by "npm run docs" -->`, `<!-- end of ${title} -->`];
  const [before, rest] = page.split(start);
  if (rest === undefined) return page;
  const [, after] = rest.split(end);
  if (after === undefined) throw new Error(`a page lacks a mark: ${end}`);
  return `${before}${[start, ...parts, end].join("\n\n")}${after}`;
}

const block = /^(<!-- from (?<file>[^\s#]+)(?:#(?<region>\S+))? -->\n\n```.*\n)[^]*?^```$/gm;
const mark = /^[^\S\n]*(?:\/\/|#) #(?:end)?region\b.*\n/gm;

/** A page's text in which each block that names a file holds what is there, or the region of it that it names. */
const withBlocks = (page, read) =>
  page.replace(block, (...match) => {
    const [, opening] = match;
    const { file, region } = match.at(-1);
    return `${opening}${cut(read(file), file, region)}\`\`\``;
  });

/** What lies between the marks of a region, as editors fold them; with none named, all but the marks. */
function cut(text, file, region) {
  if (region === undefined) return text.replace(mark, "");
  const [, , inside] = new RegExp(`(#region ${region})\n([^]*?)^.*#endregion ${region}$`, "m").exec(text) ?? [];
  if (inside === undefined) throw new Error(`${file} has no region ${region}`);
  return inside;
}

/** A single remedy follows the meaning, several are a list. */
const entriesOf = (entries) =>
  entries.flatMap(({ code, meaning, remedies: [first, ...others] }) => {
    const guide = guides.has(code) ? ` [Guide](${guides.get(code)})` : "";
    return others.length === 0
      ? [`### ${code}`, `${meaning} ${first}${guide}`]
      : [`### ${code}`, `${meaning}${guide}`, [first, ...others].map((remedy) => `- ${remedy}`).join("\n")];
  });

const codes = catalogue.flatMap(({ entries }) => entries.map(({ code }) => code));
for (const code of guides.keys()) if (!codes.includes(code)) throw new Error(`guides.mjs names no code: ${code}`);

const generated = '<!-- generated from cli/codes by "npm run docs" -->';

/** Returns the page of all codes. A code is a heading, so that the site's search finds it. */
const troubleshooting = (catalogue) =>
  [
    generated,
    "# Troubleshooting",
    "A message ends with a code in square brackets, such as `[port-in-use]`. `npx pulumi-frontdoor explain port-in-use` prints what this page says, and the cause. Follow the remedy, then run `pulumi up` again: [Recover](how-to/recover.md). The codes of policies are [on their page](reference/policies.md).",
    "A message without a code is Pulumi's own. `npx pulumi-frontdoor doctor` checks settings, Frontdoor and this machine: attach its output to a report of a bug, and no log of `-v=3` or `--debug`, which contains [the key](security.md#pulumis-own-logs).",
    ...catalogue.flatMap(({ doing, entries }) => [`## ${doing}`, ...entriesOf(entries)]),
  ].join("\n\n");

// The plugin's schema

/** A resource with the hover text of each argument, and the same of each of many in it. */
const hovered = (of) => ({
  ...of,
  hover: (field) => hover(field, of),
  each: of.each && { ...of.each, hover: (field) => hover(field, of.each) },
});

const schema = schemaOf({
  manifest: JSON.parse(readFileSync(join(root, "package.json"), "utf8")),
  resources: resources.map((of) => ({ ...hovered(of), said: of.doc })),
  saidOf: (called) => functionTable[called].doc,
  tables: { settingDocs, environmentName, credentialKeys, entryFields, volatileFields, functionTable },
});

/** Those that people write, in which tables and blocks are filled in. */
const written = (folder) => readdirSync(join(root, folder), { recursive: true }).map((name) => `${folder}/${name}`);
const isWritten = (file) =>
  file.endsWith(".md") && !file.endsWith("docs/troubleshooting.md") && file !== "docs/reference/policies.md";
const pages = ["README.md", "fleet/README.md", ...[...written("docs"), ...written("fleet/docs")].filter(isWritten)];

const files = {
  // The schema stays in this folder, since users' tools read it there by its path.
  "provider/plugin/schema.json": JSON.stringify(schema),
  "provider/fields/types.ts": [
    head("the tables in this folder"),
    "// Types alone, without zod's: what users' compilers read must not depend on how they are set.\n\n",
    comment("The resources of this package, by the name of their class."),
    `export type ResourceType = ${resources.map(({ title }) => JSON.stringify(title)).join(" | ")};\n\n`,
    connection("TunnelConfigEntry", "The present details of one connection of a tunnel.", () => true),
    connection("TunnelConfig", "The details of a VPN connection that do not change by themselves.", isStable),
    ...resources.map(types),
  ].join(""),
  ...Object.fromEntries(
    resources.map((of) => [
      `sdk/${of.file}-properties.ts`,
      classTypes(hovered(of), (field) => typeOf(field, "SetShare")),
    ]),
  ),
  "provider/fields/resource-types.ts": [
    head("provider/resources/index.ts"),
    comment("The resources of this package, by the name of their class."),
    `export const resourceTypes = ${JSON.stringify(resources.map(({ title }) => title))} as const;\n`,
  ].join(""),
  ...Object.fromEntries(
    Object.entries({ dynamic: "sdk", plugin: "sdk/plugin" }).flatMap(([adapter, folder]) => [
      ...resources.map((of) => [`${folder}/${of.file}.ts`, resourceClass(of, adapter)]),
      [`${folder}/site.ts`, siteClass(siteDoc, adapter)],
      [`${folder}/index.ts`, exportsOf(adapter, resources, functionTable)],
    ]),
  ),
  "sdk/setting-names.ts": [
    head("provider/config.ts"),
    comment("The names of the settings, without `frontdoor:`."),
    `export const settingNames = ${JSON.stringify(Object.keys(settingDocs))};\n`,
  ].join(""),
  "sdk/plugin/provider-args.ts": providerArgs(settingDocs, environmentName),
  "sdk/function-types.ts": functionTypes(functionTable),
  "sdk/functions.ts": functions("dynamic", functionTable),
  "sdk/plugin/functions.ts": functions("plugin", functionTable),
  "docs/troubleshooting.md": troubleshooting(catalogue),
  ...Object.fromEntries(
    pages.map((page) => [page, withBlocks(Object.entries(tables).reduce(between, read(page)), read)]),
  ),
};

for (const [file, text] of Object.entries(files)) {
  const path = join(root, file);
  const made = await prettier.format(text, { ...(await prettier.resolveConfig(path)), filepath: path });
  if (!isCheck) writeFileSync(path, made);
  else if (!existsSync(path) || readFileSync(path, "utf8") !== made) {
    console.error(`${file} is not what the tables in provider/ say: run "npm run docs"`);
    process.exitCode = 1;
  }
}
