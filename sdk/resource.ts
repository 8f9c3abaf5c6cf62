import { createHash } from "node:crypto";
import * as pulumi from "@pulumi/pulumi";

/**
 * The constant text by which the dynamic host finds this package, from the program's folder or else from where Pulumi's SDK lies.
 * It is the same in every version, so that an upgrade is no diff, and holds neither code nor credentials.
 */
const providerText = (kind: "tunnel" | "share") =>
  `exports.handler=()=>{module.paths.push(...(require.main?.paths??[]));return require("pulumi-frontdoor/dynamic").${kind}()}`;

const longestName = 63;

/** The name of a resource that is given none: the same in every run, and legal for the service (1 to 63 letters, digits and hyphens). */
export function derivedName(project: string, stack: string, name: string): string {
  const whole = `${project}-${stack}-${name}`;
  const legal = whole.replace(/[^A-Za-z0-9]+/g, "-").replace(/^-|-$/g, "");
  if (legal === whole && whole.length <= longestName) return whole;
  const hash = createHash("sha256").update(whole).digest("hex").slice(0, 8);
  return `${legal.slice(0, longestName - hash.length - 1).replace(/-$/, "")}-${hash}`;
}

/** The name as it is given, without detour where it is known; else the derived one, with a note that it is. */
function named(given: pulumi.Input<string | undefined>, name: string) {
  if (typeof given === "string") return { name: given };
  const derived = () => derivedName(pulumi.getProject(), pulumi.getStack(), name);
  if (given === undefined) return { name: derived(), __defaults: ["name"] };
  return {
    name: pulumi.output(given).apply((known) => known ?? derived()),
    __defaults: pulumi.output(given).apply((known) => (known === undefined ? ["name"] : undefined)),
  };
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
 * A resource that this package's dynamic provider serves.
 *
 * Its constructor keeps stacks short: Pulumi's SDK notes one for each promise of each property, to tell of leaks when asked to,
 * and ts-node maps each frame to its source, which took a third of a large preview's time.
 */
export abstract class FrontdoorResource extends pulumi.CustomResource {
  /** @internal */
  protected constructor(
    kind: "tunnel" | "share",
    type: string,
    name: string,
    args: { name?: pulumi.Input<string | undefined> },
    outputs: readonly string[],
    options: pulumi.CustomResourceOptions,
  ) {
    const { create, update, delete: remove } = options.customTimeouts ?? {};
    const timeouts = { create, update, delete: remove };
    const props = {
      ...Object.fromEntries(outputs.map((output) => [output, undefined])),
      ...args,
      ...named(args.name, name),
      __provider: providerText(kind),
      ...(options.customTimeouts && { __timeouts: timeouts }),
    };
    const framesOfAStack = Error.stackTraceLimit;
    if (!process.env["PULUMI_DEBUG_PROMISE_LEAKS"]) Error.stackTraceLimit = 1;
    try {
      super(`pulumi-nodejs:dynamic/frontdoor:${type}`, name, props, options);
    } catch (error) {
      Error.stackTraceLimit = framesOfAStack;
      throw withStackAbove(new.target, error);
    } finally {
      Error.stackTraceLimit = framesOfAStack;
    }
  }
}
