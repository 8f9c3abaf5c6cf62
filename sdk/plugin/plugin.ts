import { aliasesOf, dynamicToken, type Declared, pluginToken, type Registration } from "../resource";

// eslint-disable-next-line @typescript-eslint/no-require-imports
const { version, pulumi } = require("pulumi-frontdoor/package.json") as { version: string; pulumi: { server: string } };

/** Options that name the plugin: the engine starts the one of this package's version, and downloads it if the machine has none. */
export const ownPlugin = { version, pluginDownloadURL: pulumi.server };

/** Registers resources with the plugin. An alias connects them to resources of the dynamic provider in the state. */
export function plugin({ type, args, options }: Declared): Registration {
  const aliases = aliasesOf(options, dynamicToken(type));
  return {
    token: pluginToken(type),
    inputs: { ...args },
    options: { ...ownPlugin, ...options, aliases },
  };
}
