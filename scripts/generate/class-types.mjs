import { isMaybe } from "./property.mjs";

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
