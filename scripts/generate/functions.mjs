// The functions of the dynamic provider and of the plugin, in TypeScript: the former read in the program's own process, the plugin's
// take options and ask the engine.

const providers = {
  dynamic: { up: "..", inputs: "./inputs", reads: "./run-reads", error: "FrontdoorError", options: [] },
  plugin: {
    ...{ up: "../..", inputs: "../inputs", reads: "./invokes", error: "Error" },
    options: ["pulumi.InvokeOptions", "pulumi.InvokeOutputOptions"],
  },
};

/** A comment, broken where a line of the source would be too long. */
const comment = (text, fails) => {
  const lines = [...text.matchAll(/.{1,130}(?= |$)/g)].map(([line]) => line.trim());
  return `/**\n${[...lines, fails].map((line) => ` * ${line}\n`).join("")} */\n`;
};

function declared(name, row, { error, options: [options, outputOptions] }) {
  const { args, result, isCallableWithout, isSecret, failsWhere, property } = row;
  const doc = comment(row.doc, `@throws ${error}${failsWhere ? ` ${failsWhere}` : ""}.`);
  const given = (type, more) => `args: ${type}${isCallableWithout ? " = {}" : ""}${more ? `, opts?: ${more}` : ""}`;
  const handed = `"${name}", args${options ? ", opts" : ""}${options && property ? `, "${property}"` : ""}`;
  const outputs = `(${given(`Inputs<${args}>`, outputOptions)}): pulumi.Output<${result}>`;
  if (isSecret)
    return `${doc}export function ${name}${outputs} { return pulumi.secret(readOutput<${result}>(${handed})); }\n\n`;
  return `${doc}export function ${name}(${given(args, options)}): Promise<${result}> { return read(${handed}); }

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
