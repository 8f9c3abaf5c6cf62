const typeOf = ({ type = "string", values }) => values?.map((value) => JSON.stringify(value)).join(" | ") ?? type;

/** What the plugin's Provider is configured with, in TypeScript, by the settings of provider/config.ts. */
export const providerArgs = (
  docs,
  environmentName,
) => `// Generated from provider/config.ts by "npm run docs": change that, not this.
import type * as pulumi from "@pulumi/pulumi";

/** The arguments of a Provider: the settings, without \`frontdoor:\`. Omitted arguments come from the environment. */
export interface ProviderArgs {
${Object.entries(docs)
  .map(
    ([name, row]) => `/** ${row.doc} Environment: \`${environmentName(name)}\`. */
${name}?: pulumi.Input<${typeOf(row)} | undefined>;
`,
  )
  .join("")}}

/** The names of the secret arguments. */
export const secretSettings = ${JSON.stringify(Object.keys(docs).filter((name) => docs[name].isSecret))};
`;
