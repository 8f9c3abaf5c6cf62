import * as pulumi from "@pulumi/pulumi";
import { isOfType } from "../resource";
import { version } from "./plugin";

/** What a Provider is configured with: the stack configuration's names without `frontdoor:`. What is left out comes from the environment. */
export interface ProviderArgs {
  /** Service address, ends with `/frontdoor`; `https`, plain `http` only to a loopback address. */
  baseUrl?: pulumi.Input<string | undefined>;
  /** Front door used where a resource names none. */
  frontdoorId?: pulumi.Input<string | undefined>;
  /** Bearer token; with `username` the Basic token. Always secret. */
  token?: pulumi.Input<string | undefined>;
  /** Selects Basic with the token. */
  username?: pulumi.Input<string | undefined>;
  /** Where client credentials are exchanged for a token. */
  tokenUrl?: pulumi.Input<string | undefined>;
  clientId?: pulumi.Input<string | undefined>;
  /** Always secret. */
  clientSecret?: pulumi.Input<string | undefined>;
  audience?: pulumi.Input<string | undefined>;
  scope?: pulumi.Input<string | undefined>;
  /** How client credentials are sent: as JSON (default), or as a form with HTTP Basic. */
  tokenRequest?: pulumi.Input<"json" | "form" | undefined>;
  /** Seconds for one HTTP request. Default: 30. */
  requestTimeout?: pulumi.Input<number | undefined>;
  /** Ceiling for the plugin's process. Default: 20. */
  requestsPerSecond?: pulumi.Input<number | undefined>;
  /** What a create takes over of what is exactly like it. Default: `interrupted`. */
  takeOver?: pulumi.Input<"interrupted" | "alike" | "never" | undefined>;
}

const type = "frontdoor";
const secrets: string[] = ["token", "clientSecret"] satisfies (keyof ProviderArgs)[];

/**
 * A front door service with credentials of its own, for resources and functions that name it in `opts.provider`.
 * Without one they use the stack configuration, then the environment. Nothing of the environment is kept in the state.
 */
export class Provider extends pulumi.ProviderResource {
  constructor(name: string, args: ProviderArgs = {}, opts: pulumi.ResourceOptions = {}) {
    const inputs = Object.entries<pulumi.Input<string | number | undefined>>({ ...args })
      .filter(([, value]) => value != null)
      .map(([key, value]) => [key, secrets.includes(key) ? pulumi.secret(value) : asText(value)]);
    const options: pulumi.CustomResourceOptions = { version, ...opts, additionalSecretOutputs: secrets };
    super(type, name, Object.fromEntries(inputs) as pulumi.Inputs, options);
  }

  /** True for a Provider of this package's, also one of another copy of it. */
  static override isInstance(value: unknown): value is Provider {
    return isOfType(value, `pulumi:providers:${type}`);
  }
}

/** A provider's inputs are texts: what is none goes as JSON. */
const asText = (value: pulumi.Input<string | number | undefined>) =>
  pulumi.output(value).apply((known) => (typeof known === "number" ? JSON.stringify(known) : known));
