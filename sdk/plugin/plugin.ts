import * as pulumi from "@pulumi/pulumi";
import { type ProviderArgs, secretSettings } from "../provider-args";
import { aliasesOf, dynamicToken, type Declared, isOfType, pluginToken, type Registration } from "../resource";

// eslint-disable-next-line @typescript-eslint/no-require-imports
const manifest = require("pulumi-frontdoor/package.json") as { version: string; pulumi: { server: string } };

/** Options that name the plugin: the engine starts the one of this package's version, and downloads it if the machine has none. */
export const ownPlugin = { version: manifest.version, pluginDownloadURL: manifest.pulumi.server };

/** Registers resources with the plugin. An alias connects them to resources of the dynamic provider in the state. */
export function plugin({ type, args, options }: Declared): Registration {
  const aliases = aliasesOf(options, dynamicToken(type));
  return {
    token: pluginToken(type),
    inputs: { ...args },
    options: { ...ownPlugin, ...options, aliases },
  };
}

const packageName = "frontdoor";

/**
 * A front door with its own credentials, for resources and functions that name it in `opts.provider`. Without such a provider
 * they use the stack configuration, then the environment. The state keeps nothing of the environment.
 */
export class Provider extends pulumi.ProviderResource {
  constructor(name: string, args: ProviderArgs = {}, opts: pulumi.ResourceOptions = {}) {
    const inputs = Object.entries<pulumi.Input<string | number | boolean | undefined>>({ ...args })
      .filter(([, value]) => value != null)
      .map(([key, value]) => [key, secretSettings.includes(key) ? pulumi.secret(value) : asText(value)]);
    const options: pulumi.CustomResourceOptions = { ...ownPlugin, ...opts, additionalSecretOutputs: secretSettings };
    super(packageName, name, Object.fromEntries(inputs) as pulumi.Inputs, options);
  }

  /** True for a Provider of this package, also one of another copy of it. */
  static override isInstance(value: unknown): value is Provider {
    return isOfType(value, `pulumi:providers:${packageName}`);
  }
}

/** Returns a provider's input as text: JSON for values that are no text. */
const asText = (value: pulumi.Input<string | number | boolean | undefined>) =>
  pulumi
    .output(value)
    .apply((known) => (typeof known === "number" || typeof known === "boolean" ? JSON.stringify(known) : known));
