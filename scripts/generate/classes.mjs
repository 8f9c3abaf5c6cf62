import { typeOf } from "./resources.mjs";
import { isMaybe } from "./schema.mjs";

// The classes of the dynamic provider and of the plugin, in TypeScript.

const adapters = {
  dynamic: { up: "./", names: "dynamic, refusePluginProvider", token: "dynamicToken", whose: "" },
  plugin: { up: "../", names: "plugin", token: "pluginToken", whose: " of the plugin's" },
};

const readById = "Reads a resource that another program manages, by its id or by `<frontdoorId>/<id>`.";
const readByTunnel =
  "Reads the shares of a tunnel that another program manages, by `tunnel/<tunnelId>` or `<frontdoorId>/tunnel/<tunnelId>`.";
export const generatedFrom = (source) => `// Generated from ${source} by "npm run docs": change that, not this.\n`;

/** Returns the file of all classes of an adapter. */
export function classesOf(adapter, resources, site) {
  const { up, names, token } = adapters[adapter];
  const properties = resources.map(({ noun, title, key }) => `Any${noun}, type ${title}Args, ${key}Outputs`);
  return `${generatedFrom("provider/resources/index.ts and sdk/any-site.ts")}import type * as pulumi from "@pulumi/pulumi";
import { AnySite, type IpsecSiteArgs, type IpsecSiteOptions, siteToken } from "${up}any-site";
import { superArguments } from "${up}arguments";
import { ${properties.join(", ")} } from "${up}properties";
import { hideOutput, ${adapter === "dynamic" ? "hideUntilCreated, " : ""}isOfType, ${token}, ShortStacks } from "${up}resource";
import { ${names} } from "./${adapter}";

${resources.map((resource) => resourceClass(resource, adapter)).join("\n")}
${siteClass(site.doc, adapter)}`;
}

/** Returns the class of a resource. Pulumi's dynamic providers can read only what Frontdoor has entries of. */
function resourceClass({ title, noun, key, each, doc, visible, outputs }, adapter) {
  const { token, whose } = adapters[adapter];
  const isRead = adapter === "plugin" || visible.length > 0;
  const isLate = each && adapter === "dynamic";
  const hidden = outputs.filter(({ name }) => name === "sampleConfig");
  const args = `args: ${title}Args`;
  const options = "opts?: pulumi.CustomResourceOptions";
  const overloads = `constructor(name: string, ${args}, ${options});
  /** Reads an existing resource, as \`get\` does. */
  constructor(name: string, args: undefined, opts: pulumi.CustomResourceOptions & { id: pulumi.Input<pulumi.ID> });
  constructor(name: string, ${args} | undefined, ${options}) {`;
  const get = `
  /** ${each ? readByTunnel : readById} */
  static get(name: string, id: pulumi.Input<pulumi.ID>, ${options}): ${title} {
    return new ${title}(name, undefined, { ...opts, id });
  }
`;
  return `${functionComment(doc)}export class ${title} extends Any${noun} {
  ${isRead ? overloads : `constructor(name: string, ${args}, ${options}) {`}
    const stacks = new ShortStacks();
    try {
      super(...superArguments(${adapter}, "${title}", ${key}Outputs, name, args, opts));
    } catch (error) {
      throw stacks.whole(error, new.target);
    } finally {
      stacks.end();
    }
${hidden.map(({ name }) => `    hideOutput(this, "${name}");\n`).join("")}${isLate ? "    hideUntilCreated(this);\n" : ""}  }
${isRead ? get : ""}
  /** True for an ${title}${whose}, also one of another copy of this package. */
  static override isInstance(value: unknown): value is ${title} {
    return isOfType(value, ${token}("${title}"));
  }
}
`;
}

/** Returns the class of a site. */
const siteClass = (doc, adapter) => {
  const isDynamic = adapter === "dynamic";
  return `${functionComment(doc)}export class IpsecSite extends AnySite<IpsecTunnel, IpsecShare, IpsecShareSet> {
  constructor(name: string, args: IpsecSiteArgs, opts?: IpsecSiteOptions) {
${isDynamic ? '    refusePluginProvider(`IpsecSite "${name}"`, opts ?? {});\n' : ""}    super({ IpsecTunnel, IpsecShare, IpsecShareSet }, name, args, opts);
  }

  /** True for an IpsecSite of the dynamic provider or the plugin, also of another copy of this package. */
  static override isInstance(value: unknown): value is IpsecSite {
    return isOfType(value, siteToken);
  }
}
`;
};

/** Returns the file that users import: every class, function and type of one adapter. */
export function exportsOf(adapter, resources, table) {
  const { up } = adapters[adapter];
  const args = [...new Set(Object.values(table).map((row) => row.args))].sort();
  const functionNames = Object.entries(table).flatMap(([name, { isSecret }]) => [
    name,
    isSecret ? promised(name) : `${name}Output`,
  ]);
  const sets = resources.filter(({ each }) => each);
  return `${generatedFrom("provider/resources/index.ts")}export type { ${args.join(", ")}, FrontdoorError, ShareResult, Trouble, TunnelConfigEntry, TunnelConfigResult, TunnelResult } from "${up}../provider/functions/args";
export type { ${sets.map(({ each }) => each.noun).join(", ")}, TunnelConfig } from "${up}../provider/fields/types";
export { ${functionNames.join(", ")} } from "./functions";
export type * from "${up}function-types";
export type { IpsecSiteArgs, SiteShareArgs } from "${up}any-site";
export type { ${resources.map(({ title, each }) => `${title}Args${each ? `, ${each.noun}Args` : ""}`).join(", ")} } from "${up}properties";
export { isFrontdoorError } from "${up}errors";
export { publishedTunnel, type PublishedTunnel, tunnelFrom } from "${up}published";
export { ${resources.map(({ title }) => title).join(", ")}, IpsecSite } from "./classes";
${adapter === "plugin" ? 'export { Provider } from "./plugin";\nexport type { ProviderArgs } from "../provider-args";\n' : ""}`;
}

// The types of the classes, in TypeScript: arguments, each a Pulumi input, and outputs.

export const comment = (text) => `/** ${text} */\n`;
const interfaceOf = (name, members) => `export interface ${name} {\n${members.join("")}}\n\n`;
const isRequired = ({ whenOmitted }) => whenOmitted === "refused";

/** The type of an argument as a program gives it. */
function inputType(field) {
  const type =
    field.is.type === "record"
      ? "Record<string, pulumi.Input<SetShareArgs>>"
      : field.is.type.replace("union", "string | number");
  return isRequired(field) ? `pulumi.Input<${type}>` : `pulumi.Input<${type} | undefined> | undefined`;
}

const argument = (field, { hover }) =>
  `${comment(hover(field))}readonly ${field.name}${isRequired(field) ? "" : "?"}: ${inputType(field)};\n`;

/** A field with two names: the compiler accepts one of them, and asks for one if the field is required. */
function spellings(field, { hover }) {
  const [name, alias] = [field.name, field.alias];
  const own = argument(field, { hover });
  const other = comment(`Another spelling of \`${name}\`.`);
  return `(
    { ${own} readonly ${alias}?: undefined; }
    | { ${other} readonly ${alias}: ${inputType(field)}; readonly ${name}?: undefined; }
  )`;
}

/** The arguments of a resource, or of each of many in one. Fields with two names are in a type of their own. */
function args(name, doc, resource) {
  const spelled = resource.argumentFields.filter(({ alias }) => alias);
  const members = resource.argumentFields.filter(({ alias }) => !alias).map((field) => argument(field, resource));
  if (spelled.length === 0) return comment(doc) + interfaceOf(`${name}Args`, members);
  return [
    comment(doc.replace(/\.$/, ", as far as a field has one name.")),
    interfaceOf(`${name}Fields`, members),
    comment(doc),
    `export type ${name}Args = ${[`${name}Fields`, ...spelled.map((field) => spellings(field, resource))].join(" & ")};\n\n`,
  ].join("");
}

const namesOf = (fields) => JSON.stringify(fields.flatMap(({ name, alias }) => (alias ? [name, alias] : [name])));

/** Types of outputs that have a name of their own. */
const named = ["TunnelConfig", "SetShare"];

/** The file of what the classes of both adapters have in common. `typeOf` is the type of an output. */
export const classTypes = (resources, typeOf) =>
  [
    generatedFrom("provider/fields"),
    'import type * as pulumi from "@pulumi/pulumi";\n',
    `import type { ${named.join(", ")} } from "../provider/fields/types";\n`,
    'import { resourceWith } from "./resource";\n',
    ...resources.map((resource) => `\n${typesOfClass(resource, typeOf)}`),
  ].join("");

const typesOfClass = ({ noun, key, small, title, outputs, each, ...resource }, typeOf) =>
  [
    ...(each ? [args("SetShare", "The arguments of each share in a set.", each)] : []),
    args(title, `The arguments of an ${title}.`, resource),
    comment(`The outputs of an IPsec ${small}.`),
    `export declare abstract class ${noun}Properties extends pulumi.CustomResource {\n`,
    ...outputs.map(
      (field) =>
        `${comment(field.doc)}readonly ${field.name}: pulumi.Output<${typeOf(field)}${isMaybe(field) ? " | undefined" : ""}>;\n`,
    ),
    "}\n\n",
    comment(`An IPsec ${small} of the dynamic provider or the plugin.`),
    `export const Any${noun} = resourceWith<${noun}Properties>();\n`,
    `export type Any${noun} = InstanceType<typeof Any${noun}>;\n\n`,
    comment("The names of the outputs."),
    `export const ${key}Outputs = ${JSON.stringify(outputs.map(({ name }) => name))};\n`,
    "\n",
    comment("The names of the arguments."),
    `export const ${key}Arguments = ${namesOf(resource.argumentFields)};\n`,
  ].join("");

// The functions of the dynamic provider and of the plugin, in TypeScript: the former read in the program's own process, the plugin's
// ask the engine.

const providers = {
  dynamic: { up: "..", types: "./function-types", reads: "./run-reads", error: "FrontdoorError" },
  plugin: { up: "../..", types: "../function-types", reads: "./invokes", error: "Error" },
};

/** A comment, broken where a line of the source would be too long. */
const functionComment = (text, ...more) => {
  const lines = [...text.matchAll(/.{1,130}(?= |$)/g)].map(([line]) => line.trim());
  return `/**\n${[...lines, ...more].map((line) => ` * ${line}\n`).join("")} */\n`;
};

/** The name of the type of the arguments of a function that returns an output. */
const outputArgs = (name, { isSecret }) => `${titled(name)}${isSecret ? "Args" : "OutputArgs"}`;
const titled = (name) => `${name[0].toUpperCase()}${name.slice(1)}`;

/** The name of the promise form of a function that returns a secret output. */
const promised = (name) => name.replace(/^get/, "read");

function declared(name, row, { error }) {
  const { args, result, isCallableWithout, isSecret, failsWhere } = row;
  const doc = functionComment(row.doc, `@throws ${error}${failsWhere ? ` ${failsWhere}` : ""}.`);
  const parameters = (type, options) => `args: ${type}${isCallableWithout ? " = {}" : ""}, opts?: pulumi.${options}`;
  const callArguments = `"${name}", args, opts`;
  const outputs = `(${parameters(outputArgs(name, row), "InvokeOutputOptions")}): pulumi.Output<${result}>`;
  if (isSecret)
    return `${doc}export function ${name}${outputs} { return pulumi.secret(readOutput<${result}>(${callArguments})); }

/** Returns \`${name}\` as a promise, for a hook. A promise can't be secret: hand the value to your vault only. @throws ${error}. */
export function ${promised(name)}(${parameters(args, "InvokeOptions")}): Promise<${result}> { return read(${callArguments}); }

`;
  return `${doc}export function ${name}(${parameters(args, "InvokeOptions")}): Promise<${result}> { return read(${callArguments}); }

/** Returns \`${name}\` as an output. The arguments can be outputs. */
export function ${name}Output${outputs} { return readOutput(${callArguments}); }

`;
}

/** Returns the source of the functions of the dynamic provider or of the plugin. */
export function functions(provider, table) {
  const of = providers[provider];
  const { up, types, reads } = of;
  const argTypes = [...new Set(Object.values(table).map(({ args }) => args))].sort().join(", ");
  return `${generatedFrom("provider/functions/table.ts")}import * as pulumi from "@pulumi/pulumi";
import type { ${argTypes}, ShareResult, TunnelConfigResult, TunnelResult } from "${up}/provider/functions/args";
import type { ${Object.entries(table)
    .map(([name, row]) => outputArgs(name, row))
    .join(", ")} } from "${types}";
import { read, readOutput } from "${reads}";

${Object.entries(table)
  .map(([name, row]) => declared(name, row, of))
  .join("")}`;
}

/** The types of the functions by the names that Pulumi's SDKs give them. */
export function functionTypes(table) {
  const argTypes = [...new Set(Object.values(table).map(({ args }) => args))].sort().join(", ");
  const aliases = Object.entries(table).map(([name, row]) => {
    const { args, result, isSecret } = row;
    const type = titled(name);
    const promised = `/** The arguments of \`${name}\`. */
export type ${type}Args = ${isSecret ? `Inputs<${args}>` : args};
`;
    if (isSecret) return promised;
    return `${promised}/** The arguments of \`${name}Output\`. */
export type ${outputArgs(name, row)} = Inputs<${args}>;
/** The result of \`${name}\`. */
${result.startsWith("{") ? `export interface ${type}Result ${result}` : `export type ${type}Result = ${result};`}
`;
  });
  return `${generatedFrom("provider/functions/table.ts")}import type * as pulumi from "@pulumi/pulumi";
import type { ${argTypes}, ShareResult, TunnelConfigResult, TunnelResult } from "../provider/functions/args";

/** The arguments of an \`…Output\` function. Each argument, and each element of a list, can be an output. */
type Inputs<Args> = {
  [Key in keyof Args]: Args[Key] extends string | number | undefined
    ? pulumi.Input<Args[Key]>
    : pulumi.Input<Exclude<Args[Key], unknown[]>> | pulumi.Input<pulumi.Input<Exclude<Args[Key], unknown[]>>[]>;
};

${aliases.join("")}`;
}

// The types of provider/fields/types.ts.

const member = (name, type, isOptional) =>
  `readonly ${name}${isOptional ? "?" : ""}: ${type}${isOptional ? " | undefined" : ""};\n`;
const documentedInterface = (name, doc, members) =>
  `${comment(doc)}export interface ${name} {\n${members.join("")}}\n\n`;
const idMember = comment("Assigned by Frontdoor.") + member("id", "string");
const isOptional = ({ whenOmitted }) => ["cleared", "unchanged"].includes(whenOmitted);

/** Programs read only the shares of a set. */
const setTypes = ({ each }) =>
  documentedInterface("SetShare", "The outputs of each share in a set.", [
    idMember,
    ...each.outputs.map((field) => comment(field.doc) + member(field.name, typeOf(field), isMaybe(field))),
  ]);

/** The types of an entry of Frontdoor, and of the filters of a list. */
const entryTypes = ({ noun, small, visible }) => [
  documentedInterface(`Wire${noun}`, `An IPsec ${small} in Frontdoor's lists and responses to a get.`, [
    idMember,
    ...visible.map((field) => comment(field.doc) + member(field.name, typeOf(field), field.visible !== "always")),
  ]),
  documentedInterface(
    `${noun}Filters`,
    `The filters of a list of ${small}s. An entry must have the value, or one of the values, of each given property.`,
    [
      comment("Assigned by Frontdoor.") + member("id", "string | string[]", true),
      ...visible.map((field) => comment(field.doc) + member(field.name, `${typeOf(field)} | ${typeOf(field)}[]`, true)),
    ],
  ),
];

const stateMembers =
  comment("Optional arguments that the program gives. Undefined from an import until the first update.") +
  member("__set", "string[]", true) +
  comment("The wall-clock time from which a reading is the truth, in milliseconds. Unset if it is one already.") +
  member("__settlesAt", "number", true);

const resourceTypes = ({ noun, argumentFields, outputs, visible, ...resource }) => [
  documentedInterface(
    `${noun}Inputs`,
    "The arguments after check: in one spelling, with defaults.",
    argumentFields.map((field) => member(field.name, typeOf(field), isOptional(field))),
  ),
  ...(visible.length > 0 ? entryTypes({ ...resource, noun, visible }) : []),
  documentedInterface(`${noun}Outputs`, "The outputs in the state.", [
    ...outputs.map((field) => {
      const isAlwaysSet =
        field.visible === "always" || (field.visible === "in state" && field.isArgument && !isOptional(field));
      return member(field.name, typeOf(field), !isAlwaysSet);
    }),
    ...(argumentFields.some(isOptional) ? [stateMembers] : []),
  ]),
];

/** The types of the fields of a tunnel configuration. */
export const connectionTypes = { text: "string", texts: "string[]", number: "number", numbers: "number[]" };

/** Any field of a tunnel configuration can be missing. */
const connectionType = (name, doc, fields) =>
  documentedInterface(
    name,
    doc,
    fields.map(([field, row]) => `${comment(row.doc)}readonly ${field}?: ${connectionTypes[row.type]};\n`),
  );

const union = (names) => names.map((name) => JSON.stringify(name)).join(" | ");

/** Returns the source of provider/fields/types.ts. `stableFields` are those of a tunnel configuration that do not change by themselves. */
export const fieldTypes = (resources, entryFields, stableFields) =>
  [
    generatedFrom("the tables in this folder"),
    "// Types alone, without zod's: what users' compilers read must not depend on how they are set.\n\n",
    comment("The resources of this package, by the name of their class."),
    `export type ResourceType = ${union(resources.map(({ title }) => title))};\n\n`,
    connectionType(
      "TunnelConfigEntry",
      "The present details of one connection of a tunnel.",
      Object.entries(entryFields),
    ),
    connectionType(
      "TunnelConfig",
      "The details of a VPN connection that do not change by themselves.",
      Object.entries(stableFields),
    ),
    ...resources.flatMap((resource) => (resource.each ? [setTypes(resource)] : resourceTypes(resource))),
  ].join("");
