import * as pulumi from "@pulumi/pulumi";

export type ResourceType = "IpsecTunnel" | "IpsecShare" | "IpsecShareSet";

/** The type of a resource that the dynamic provider serves, as the state has it. */
export const dynamicToken = (type: ResourceType) => `pulumi-nodejs:dynamic/frontdoor:${type}`;

/** The type of the same resource where the plugin serves it. */
export const pluginToken = (type: ResourceType) => `frontdoor:index:${type}`;

/** What a program declares, without what is only for one of the two families of classes. */
export interface Declared {
  type: ResourceType;
  name: string;
  /** Undefined for what exists and is only read. */
  args: { frontdoorId?: pulumi.Input<string | undefined> } | undefined;
  options: pulumi.CustomResourceOptions;
}

/** What the engine is told of it. */
export interface Registration {
  token: string;
  inputs: pulumi.Inputs;
  options: pulumi.CustomResourceOptions;
}

/** An object that is there already, whatever is in it. */
export const isPlain = <Value>(value: pulumi.Input<Value>): value is Value & object =>
  typeof value === "object" && value !== null && !pulumi.Output.isInstance(value) && !(value instanceof Promise);

/** The aliases of a program, and what they and the resource itself are in the other family: each that names no type also under its type. */
export function aliasesOf({ aliases = [] }: pulumi.CustomResourceOptions, otherToken: string): Aliases {
  const untyped = aliases.filter(isPlain).filter(({ type }) => type === undefined);
  return [...aliases, ...untyped.map((alias) => ({ ...alias, type: otherToken })), { type: otherToken }];
}

type Aliases = NonNullable<pulumi.CustomResourceOptions["aliases"]>;

/** One of the two families of classes, that of the dynamic provider or that of the plugin: the same resources, served by another host. */
export type Family = (declared: Declared) => Registration;

/** Whether a value is a resource of this type, also one of another copy of this package. */
export const isOfType = (value: unknown, token: string): boolean =>
  (value as { __pulumiType?: unknown } | undefined)?.__pulumiType === token;

/**
 * The options without `deletedWith`: the engine would leave the delete out, and the service deletes nothing with a tunnel, but
 * refuses to delete it while it has shares.
 */
export function withoutDeletedWith<Options extends pulumi.ResourceOptions>(
  options: Options,
): Omit<Options, "deletedWith"> {
  const others = { ...options };
  delete others.deletedWith;
  return others;
}

/** Adds to an error's own place, which is all that is left of its stack, from where the resource was declared. */
function withStackAbove(constructor: NewableFunction, error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const here = new Error();
  Error.captureStackTrace(here, constructor);
  error.stack = `${error.stack ?? ""}${here.stack?.replace("Error", "") ?? ""}`;
  return error;
}

/**
 * A resource of either family.
 *
 * Its constructor keeps stacks short: Pulumi's SDK notes one for each promise of each property, to tell of leaks when asked to,
 * and ts-node maps each frame to its source, which took a third of a large preview's time.
 */
export abstract class FrontdoorResource extends pulumi.CustomResource {
  /** @internal */
  protected constructor(family: Family, declared: Declared, outputs: readonly string[]) {
    const { token, inputs, options } = family(declared);
    const props = { ...Object.fromEntries(outputs.map((output) => [output, undefined])), ...inputs };
    const framesOfAStack = Error.stackTraceLimit;
    if (!process.env["PULUMI_DEBUG_PROMISE_LEAKS"]) Error.stackTraceLimit = 1;
    try {
      super(token, declared.name, props, options);
    } catch (error) {
      Error.stackTraceLimit = framesOfAStack;
      throw withStackAbove(new.target, error);
    } finally {
      Error.stackTraceLimit = framesOfAStack;
    }
  }
}
