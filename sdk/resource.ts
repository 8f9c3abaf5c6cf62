import * as pulumi from "@pulumi/pulumi";

/**
 * The constant text by which the dynamic host finds this package, from the program's folder or else from where Pulumi's SDK lies.
 * It is the same in every version, so that an upgrade is no diff, and holds neither code nor credentials.
 */
const providerText = (kind: "tunnel" | "share") =>
  `exports.handler=()=>{module.paths.push(...(require.main?.paths??[]));return require("pulumi-frontdoor/dynamic").${kind}()}`;

/** Which arguments are secrets, for what is told of them: the engine keeps that from dynamic providers. */
function secretNames(args: object): { __secrets?: Promise<string[] | undefined> } {
  const outputs = Object.entries(args).filter(([, value]) => pulumi.Output.isInstance(value));
  if (outputs.length === 0) return {};
  const names = outputs.map(async ([key, value]) =>
    (await pulumi.isSecret(value as pulumi.Output<unknown>)) ? key : "",
  );
  return { __secrets: Promise.all(names).then((all) => all.filter((key) => key !== "")) };
}

/** Which resource of which stack this is: the organization and the URN, by which the provider derives names and knows it again. */
function originOf(type: string, name: string, parent: pulumi.Resource | undefined): pulumi.Input<string> {
  const [organization, project, stack] = [pulumi.getOrganization(), pulumi.getProject(), pulumi.getStack()];
  if (!parent) return `${organization}::urn:pulumi:${stack}::${project}::${type}::${name}`;
  // A promise and not the output: that would make the resource depend on its parent, and so on the parent's other children.
  return new Promise((resolve) => {
    pulumi.createUrn(name, type, parent, project, stack).apply((urn) => {
      resolve(`${organization}::${urn}`);
    });
  });
}

/** The front door of the configuration, where that is a secret: it has to be one in the state too. */
function secretFrontdoor({ frontdoorId }: { frontdoorId?: pulumi.Input<string | undefined> }) {
  // Not among the SDK's types; where it is missing, the value counts as secret.
  const { isConfigSecret } = pulumi.runtime as { isConfigSecret?: (key: string) => boolean };
  const isSecret = frontdoorId == null && (isConfigSecret?.("frontdoor:frontdoorId") ?? true);
  const configured = isSecret ? new pulumi.Config("frontdoor").getSecret("frontdoorId") : undefined;
  return configured && { frontdoorId: configured };
}

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
    args: { frontdoorId?: pulumi.Input<string | undefined> },
    outputs: readonly string[],
    options: pulumi.CustomResourceOptions,
  ) {
    const { customTimeouts, parent } = options;
    if (options.import !== undefined) {
      const id = `adopt: ${JSON.stringify(options.import)}`;
      throw new pulumi.RunError(
        `${type} "${name}": a dynamic resource can't be imported; ${id} among its arguments takes it over`,
      );
    }
    const { create, update, delete: remove } = customTimeouts ?? {};
    const token = `pulumi-nodejs:dynamic/frontdoor:${type}`;
    const props = {
      ...Object.fromEntries(outputs.map((output) => [output, undefined])),
      ...args,
      ...secretFrontdoor(args),
      __provider: providerText(kind),
      __origin: originOf(token, name, parent),
      ...secretNames(args),
      ...(customTimeouts && { __timeouts: { create, update, delete: remove } }),
    };
    const framesOfAStack = Error.stackTraceLimit;
    if (!process.env["PULUMI_DEBUG_PROMISE_LEAKS"]) Error.stackTraceLimit = 1;
    try {
      super(token, name, props, options);
    } catch (error) {
      Error.stackTraceLimit = framesOfAStack;
      throw withStackAbove(new.target, error);
    } finally {
      Error.stackTraceLimit = framesOfAStack;
    }
  }
}
