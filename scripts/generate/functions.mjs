// The functions of the dynamic provider and of the plugin, in TypeScript: the former read in the program's own process, the plugin's
// ask the engine.

const providers = {
  dynamic: { up: "..", inputs: "./inputs", reads: "./run-reads", error: "FrontdoorError", hasProperty: false },
  plugin: { up: "../..", inputs: "../inputs", reads: "./invokes", error: "Error", hasProperty: true },
};

/** A comment, broken where a line of the source would be too long. */
const comment = (text, fails) => {
  const lines = [...text.matchAll(/.{1,130}(?= |$)/g)].map(([line]) => line.trim());
  return `/**\n${[...lines, fails].map((line) => ` * ${line}\n`).join("")} */\n`;
};

function declared(name, row, { error, hasProperty }) {
  const { args, result, isCallableWithout, isSecret, failsWhere, property } = row;
  const doc = comment(row.doc, `@throws ${error}${failsWhere ? ` ${failsWhere}` : ""}.`);
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
import type { ${argTypes} } from "${up}/provider/functions/args";
import type { ShareResult, TunnelConfigResult, TunnelResult } from "${up}/provider/functions/results";
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
import type { ${argTypes} } from "../provider/functions/args";
import type { ShareResult, TunnelConfigResult, TunnelResult } from "../provider/functions/results";
import type { Inputs } from "./inputs";

${aliases.join("")}`;
}
