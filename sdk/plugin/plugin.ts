import { aliasesOf, dynamicToken, type Declared, pluginToken, type Registration } from "../resource";

/** The version of this package. The engine starts the plugin of the same version. */
// eslint-disable-next-line @typescript-eslint/no-require-imports
export const { version } = require("pulumi-frontdoor/package.json") as { version: string };

/** Registers resources with the plugin. An alias connects them to resources of the dynamic provider in the state. */
export function plugin({ type, args, options }: Declared): Registration {
  const aliases = aliasesOf(options, dynamicToken(type));
  return {
    token: pluginToken(type),
    inputs: { ...args },
    options: { version, ...options, aliases },
  };
}
