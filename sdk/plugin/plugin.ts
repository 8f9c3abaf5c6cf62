import { aliasesOf, dynamicToken, type Declared, pluginToken, type Registration } from "../resource";

/** This package's: the engine starts the plugin that came with the classes. */
// eslint-disable-next-line @typescript-eslint/no-require-imports
export const { version } = require("pulumi-frontdoor/package.json") as { version: string };

/** The classes that the plugin serves. What a stack has from the dynamic classes is theirs under its old type, too. */
export function plugin({ type, args, options }: Declared): Registration {
  const aliases = aliasesOf(options, dynamicToken(type));
  return { token: pluginToken(type), inputs: { ...args }, options: { version, ...options, aliases } };
}
