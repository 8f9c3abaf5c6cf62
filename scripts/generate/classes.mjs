import { isMaybe } from "./schema.mjs";

// The classes of the plugin's, in TypeScript; `said` is the comment of the dynamic one, so that both say the same.

const readById = "Reads a resource that another program manages, by its id or by `<frontdoorId>/<id>`.";
const readByTunnel =
  "Reads the shares of a tunnel that another program manages, by `tunnel/<tunnelId>` or `<frontdoorId>/tunnel/<tunnelId>`.";

/** Of a resource. */
export const pluginClass = (
  { title, noun, key, file, each },
  said,
) => `// Generated from sdk/${file}.ts by "npm run docs": change that, not this.
import type * as pulumi from "@pulumi/pulumi";
import { Any${noun}, ${noun === "Tunnel" ? "hideSampleConfig, " : ""}${key}Of } from "../any-${file}";
import { isOfType, pluginToken } from "../resource";
import type { ${title}Args } from "../${file}-properties";
import { plugin } from "./plugin";

${said}
export class ${title} extends Any${noun} {
  constructor(name: string, args: ${title}Args, opts?: pulumi.CustomResourceOptions);
  /** Reads an existing resource, as \`get\` does. */
  constructor(name: string, args: undefined, opts: pulumi.CustomResourceOptions & { id: pulumi.Input<pulumi.ID> });
  constructor(name: string, args: ${title}Args | undefined, opts?: pulumi.CustomResourceOptions) {
    super(...${key}Of(plugin, name, args, opts));
${noun === "Tunnel" ? "    hideSampleConfig(this);\n" : ""}  }

  /** ${each ? readByTunnel : readById} */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): ${title} {
    return new ${title}(name, undefined, { ...opts, id });
  }

  /** True for an ${title} of the plugin's, also one of another copy of this package. */
  static override isInstance(value: unknown): value is ${title} {
    return isOfType(value, pluginToken("${title}"));
  }
}
`;

/** Of a site. */
export const pluginSite = (said) => `// Generated from sdk/site.ts by "npm run docs": change that, not this.
import type * as pulumi from "@pulumi/pulumi";
import { AnySite, type IpsecSiteArgs, siteToken } from "../any-site";
import { isOfType } from "../resource";
import { IpsecShare } from "./share";
import { IpsecShareSet } from "./share-set";
import { IpsecTunnel } from "./tunnel";

${said}
export class IpsecSite extends AnySite<IpsecTunnel, IpsecShare, IpsecShareSet> {
  constructor(name: string, args: IpsecSiteArgs, opts?: pulumi.ComponentResourceOptions) {
    super({ IpsecTunnel, IpsecShare, IpsecShareSet }, name, args, opts);
  }

  /** True for an IpsecSite of the dynamic provider or the plugin, also of another copy of this package. */
  static override isInstance(value: unknown): value is IpsecSite {
    return isOfType(value, siteToken);
  }
}
`;

// The types of the classes, in TypeScript: arguments, each a Pulumi input, and outputs.

const comment = (text) => `/** ${text} */\n`;
const interfaceOf = (name, members) => `export interface ${name} {\n${members.join("")}}\n\n`;
const isRequired = ({ whenOmitted }) => whenOmitted === "refused";

/** The type of an argument as a program gives it. */
function inputType(field) {
  const type = field.is.type === "record" ? "Record<string, pulumi.Input<SetShareArgs>>" : field.is.type;
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
function args(name, said, of) {
  const spelled = of.given.filter(({ alias }) => alias);
  const members = of.given.filter(({ alias }) => !alias).map((field) => argument(field, of));
  if (spelled.length === 0) return comment(said) + interfaceOf(`${name}Args`, members);
  return [
    comment(said.replace(/\.$/, ", as far as a field has one name.")),
    interfaceOf(`${name}Fields`, members),
    comment(said),
    `export type ${name}Args = ${[`${name}Fields`, ...spelled.map((field) => spellings(field, of))].join(" & ")};\n\n`,
  ].join("");
}

const namesOf = (given) => `export const tunnelArguments = ${JSON.stringify(given.map(({ name }) => name))};\n`;

/** Types of outputs that have a name of their own. */
const named = ["TunnelConfig", "SetShare"];

/** The file of a resource's classes. `typeOf` is the type of an output. */
export const classTypes = ({ noun, key, small, file, title, outputs, each, ...of }, typeOf) =>
  [
    `// Generated from provider/fields/${file}.ts by "npm run docs": change that, not this.\n`,
    'import type * as pulumi from "@pulumi/pulumi";\n',
    ...named
      .filter((name) => outputs.some((field) => typeOf(field).includes(name)))
      .map((name) => `import type { ${name} } from "../provider/fields/types";\n`),
    "\n",
    ...(each ? [args("SetShare", "The arguments of each share in a set.", each)] : []),
    args(title, `The arguments of an ${title}.`, of),
    comment(`The outputs of an IPsec ${small}.`),
    `export declare abstract class ${noun}Properties extends pulumi.CustomResource {\n`,
    ...outputs.map(
      (field) =>
        `${comment(field.doc)}readonly ${field.name}: pulumi.Output<${typeOf(field)}${isMaybe(field) ? " | undefined" : ""}>;\n`,
    ),
    "}\n\n",
    comment("The names of the outputs."),
    `export const ${key}Outputs = ${JSON.stringify(outputs.map(({ name }) => name))};\n`,
    ...(key === "tunnel" ? ["\n", comment("The names of the arguments."), namesOf(of.given)] : []),
  ].join("");

// The functions of the dynamic provider and of the plugin, in TypeScript: the former read in the program's own process, the plugin's
// ask the engine.

const providers = {
  dynamic: { up: "..", inputs: "./inputs", reads: "./run-reads", error: "FrontdoorError", hasProperty: false },
  plugin: { up: "../..", inputs: "../inputs", reads: "./invokes", error: "Error", hasProperty: true },
};

/** A comment, broken where a line of the source would be too long. */
const functionComment = (text, fails) => {
  const lines = [...text.matchAll(/.{1,130}(?= |$)/g)].map(([line]) => line.trim());
  return `/**\n${[...lines, fails].map((line) => ` * ${line}\n`).join("")} */\n`;
};

function declared(name, row, { error, hasProperty }) {
  const { args, result, isCallableWithout, isSecret, failsWhere, property } = row;
  const doc = functionComment(row.doc, `@throws ${error}${failsWhere ? ` ${failsWhere}` : ""}.`);
  const given = (type, options) => `args: ${type}${isCallableWithout ? " = {}" : ""}, opts?: pulumi.${options}`;
  const handed = `"${name}", args, opts${hasProperty && property ? `, "${property}"` : ""}`;
  const outputs = `(${given(`Inputs<${args}>`, "InvokeOutputOptions")}): pulumi.Output<${result}>`;
  if (isSecret)
    return `${doc}export function ${name}${outputs} { return pulumi.secret(readOutput<${result}>(${handed})); }\n\n`;
  return `${doc}export function ${name}(${given(args, "InvokeOptions")}): Promise<${result}> { return read(${handed}); }

/** Returns \`${name}\` as an output. The arguments can be outputs. */
export function ${name}Output${outputs} { return readOutput(${handed}); }

`;
}

/** Returns the source of the functions of the dynamic provider or of the plugin. */
export function functions(provider, table) {
  const of = providers[provider];
  const { up, inputs, reads } = of;
  const argTypes = [...new Set(Object.values(table).map(({ args }) => args))].sort().join(", ");
  return `// Generated from provider/functions/table.ts by "npm run docs": change that, not this.
import * as pulumi from "@pulumi/pulumi";
import type { ${argTypes}, ShareResult, TunnelConfigResult, TunnelResult } from "${up}/provider/functions/args";
import type { Inputs } from "${inputs}";
import { read, readOutput } from "${reads}";

${Object.entries(table)
  .map(([name, row]) => declared(name, row, of))
  .join("")}`;
}

/** The types of the functions by the names that Pulumi's SDKs give them. */
export function functionTypes(table) {
  const argTypes = [...new Set(Object.values(table).map(({ args }) => args))].sort().join(", ");
  const aliases = Object.entries(table).map(([name, { args, result, isSecret }]) => {
    const type = `${name[0].toUpperCase()}${name.slice(1)}`;
    const promised = `/** The arguments of \`${name}\`. */
export type ${type}Args = ${isSecret ? `Inputs<${args}>` : args};
`;
    if (isSecret) return promised;
    return `${promised}/** The arguments of \`${name}Output\`. */
export type ${type}OutputArgs = Inputs<${args}>;
/** The result of \`${name}\`. */
${result.startsWith("{") ? `export interface ${type}Result ${result}` : `export type ${type}Result = ${result};`}
`;
  });
  return `// Generated from provider/functions/table.ts by "npm run docs": change that, not this.
import type { ${argTypes}, ShareResult, TunnelConfigResult, TunnelResult } from "../provider/functions/args";
import type { Inputs } from "./inputs";

${aliases.join("")}`;
}
