import * as pulumi from "@pulumi/pulumi";
import type { ResourceType } from "../provider/fields/types";

export type { ResourceType };

/** Returns the type of a resource of the dynamic provider, as in the state. */
export const dynamicToken = (type: ResourceType) => `pulumi-nodejs:dynamic/frontdoor:${type}`;

/** Returns the type of a resource of the plugin, as in the state. */
export const pluginToken = (type: ResourceType) => `frontdoor:index:${type}`;

/** A declaration of a program, for the dynamic provider or the plugin. */
export interface Declared {
  type: ResourceType;
  name: string;
  /** Undefined for an existing resource that is only read. */
  args: { frontdoorId?: pulumi.Input<string | undefined> } | undefined;
  options: pulumi.CustomResourceOptions;
}

/** The registration of the resource with the engine. */
export interface Registration {
  token: string;
  inputs: pulumi.Inputs;
  options: pulumi.CustomResourceOptions;
}

/** True if the value is an object whose properties are known by name, and no output or promise. */
export const isPlain = <Value>(value: pulumi.Input<Value>): value is Value & object =>
  typeof value === "object" && value !== null && !pulumi.Output.isInstance(value) && !(value instanceof Promise);

/** Returns the aliases of a program, and the same aliases with the type of the other provider (dynamic or plugin). */
export function aliasesOf({ aliases = [] }: pulumi.CustomResourceOptions, otherToken: string): Aliases {
  const untyped = aliases.filter(isPlain).filter(({ type }) => type === undefined);
  return [...aliases, ...untyped.map((alias) => ({ ...alias, type: otherToken })), { type: otherToken }];
}

type Aliases = NonNullable<pulumi.CustomResourceOptions["aliases"]>;

/** Returns the registration of a declaration with the dynamic provider or with the plugin. */
export type RegistrationOf = (declared: Declared) => Registration;

/** True if a value is a resource of this type, also one of another copy of this package. */
export const isOfType = (value: unknown, token: string): boolean =>
  (value as { __pulumiType?: unknown } | undefined)?.__pulumiType === token;

/**
 * Returns the options without `deletedWith`. With it the engine would skip the delete, but the service never deletes a share with its
 * tunnel: it refuses to delete a tunnel that has shares.
 */
export const withoutDeletedWith = ({ deletedWith: _, ...others }: pulumi.CustomResourceOptions) => others;

/** Returns the value of an output, without the resources on which it depends. */
export const promised = <Value>(output: pulumi.Output<Value>) =>
  new Promise<Value>((resolve) => {
    output.apply(resolve);
  });

/** Returns the resources on which an output depends. */
export async function resourcesBehind(output: object): Promise<pulumi.Resource[]> {
  // The SDK's types hide it, and an output of an older copy of the SDK lacks it.
  const { allResources } = output as { allResources?: () => Promise<Set<pulumi.Resource>> };
  return [...((await allResources?.call(output)) ?? [])];
}

/** The arguments of the constructor of Pulumi's class. */
export type ConstructorArguments = ConstructorParameters<typeof pulumi.CustomResource>;

type Class<Instance> = Pick<typeof pulumi.CustomResource, "isInstance"> &
  (new (...given: ConstructorArguments) => Instance);

/**
 * Returns Pulumi's class, typed with a resource's outputs. The resource's class must extend it directly: Pulumi notes the caller of that
 * class's constructor in the state, as the place of the declaration.
 */
export const resourceWith = <Instance extends pulumi.CustomResource>() =>
  pulumi.CustomResource as unknown as Class<Instance>;

/** Makes an output a secret also in the program. */
export function hideOutput(resource: object, name: string): void {
  Object.assign(resource, { [name]: pulumi.secret((resource as Record<string, unknown>)[name]) });
}

/**
 * Makes `shares` unknown in the preview that creates a set. Pulumi shows the arguments of a dynamic resource as its outputs there, so
 * the shares would have no ids, and an update plan would not fit a stack that exports them.
 */
export function hideUntilCreated(set: { readonly shares: pulumi.Output<Record<string, { id: string }>> }): void {
  if (!pulumi.runtime.isDryRun()) return;
  const isCreated = ({ id }: { id?: string }) => id !== undefined;
  const shares = set.shares.apply((all) => (Object.values(all).every(isCreated) ? all : pulumi.unknown));
  Object.assign(set, { shares });
}

/**
 * Limits stack traces to one frame until `end`. Pulumi's SDK records a trace for each promise, and ts-node maps each frame to its source:
 * that takes a fifth of a preview of 300 shares (bench/README.md).
 */
export class ShortStacks {
  private readonly framesOfAStack = Error.stackTraceLimit;

  constructor() {
    if (!process.env["PULUMI_DEBUG_PROMISE_LEAKS"]) Error.stackTraceLimit = 1;
  }

  end(): void {
    Error.stackTraceLimit = this.framesOfAStack;
  }

  /** Adds the place of the declaration to an error's stack, which has only one frame. */
  whole(error: unknown, constructor: NewableFunction): unknown {
    this.end();
    if (!(error instanceof Error)) return error;
    const position = new Error();
    Error.captureStackTrace(position, constructor);
    error.stack = `${error.stack ?? ""}${position.stack?.replace("Error", "") ?? ""}`;
    return error;
  }
}
