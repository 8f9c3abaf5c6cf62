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
 * The options without `deletedWith`: the engine would leave the delete out, and the service deletes nothing with anything else, but
 * refuses to delete a tunnel while it has shares.
 */
export function withoutDeletedWith<Options extends pulumi.ResourceOptions>(
  options: Options,
): Omit<Options, "deletedWith"> {
  const others = { ...options };
  delete others.deletedWith;
  return others;
}

/** What the constructor of Pulumi's class takes. */
export type Given = ConstructorParameters<typeof pulumi.CustomResource>;

/** What it is given for a resource of these outputs. */
export function givenTo(family: Family, declared: Declared, outputs: readonly string[]): Given {
  const { token, inputs, options } = family(declared);
  const props = { ...Object.fromEntries(outputs.map((output) => [output, undefined])), ...inputs };
  return [token, declared.name, props, options];
}

type Class<Instance> = Pick<typeof pulumi.CustomResource, "isInstance"> & (new (...given: Given) => Instance);

/**
 * Pulumi's class, typed as that of resources with their outputs. No class stands between it and one of a program's resources: the state
 * holds where a resource was declared, and for Pulumi that is whatever has called the constructor of the class that extends its own.
 */
export const resourceWith = <Instance extends pulumi.CustomResource>() =>
  pulumi.CustomResource as unknown as Class<Instance>;

/**
 * Stacks of one frame until the end: Pulumi's SDK notes one for each promise of each property, to tell of leaks when asked to, and
 * ts-node maps each frame to its source, which took a third of a large preview's time.
 */
export class ShortStacks {
  private readonly framesOfAStack = Error.stackTraceLimit;

  constructor() {
    if (!process.env["PULUMI_DEBUG_PROMISE_LEAKS"]) Error.stackTraceLimit = 1;
  }

  end(): void {
    Error.stackTraceLimit = this.framesOfAStack;
  }

  /** Adds to an error's own place, which is all that is left of its stack, from where the resource was declared. */
  whole(error: unknown, constructor: NewableFunction): unknown {
    this.end();
    if (!(error instanceof Error)) return error;
    const here = new Error();
    Error.captureStackTrace(here, constructor);
    error.stack = `${error.stack ?? ""}${here.stack?.replace("Error", "") ?? ""}`;
    return error;
  }
}
