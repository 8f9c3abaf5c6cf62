import * as pulumi from "@pulumi/pulumi";
import { isOfType } from "../resource";
import { ownPlugin } from "./plugin";
import { type ProviderArgs, secretSettings } from "./provider-args";

const type = "frontdoor";

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
    super(type, name, Object.fromEntries(inputs) as pulumi.Inputs, options);
  }

  /** True for a Provider of this package, also one of another copy of it. */
  static override isInstance(value: unknown): value is Provider {
    return isOfType(value, `pulumi:providers:${type}`);
  }
}

/** Returns a provider's input as text: JSON for values that are no text. */
const asText = (value: pulumi.Input<string | number | boolean | undefined>) =>
  pulumi
    .output(value)
    .apply((known) => (typeof known === "number" || typeof known === "boolean" ? JSON.stringify(known) : known));
