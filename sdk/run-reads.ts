import * as pulumi from "@pulumi/pulumi";
import type { ReadCache, Reads } from "../provider/functions/functions";
import type * as provider from "../provider/functions/open";
import type * as plugin from "./plugin/invokes";
import { withProvider } from "./dynamic";
import { resourcesBehind } from "./resource";
import { refuseStrangeSettings } from "./settings";

type ReadName = keyof Reads;

/** The reads of the runs of this process, by stack. A process of the Automation API has many. */
const reads = new WeakMap<object, ReadCache>();

/** Returns the reads of this run. Equal reads are sent once, and all reads share one service. */
function readsOfRun(): ReadCache {
  const stack: object | undefined = pulumi.runtime.getStackResource();
  const known = stack && reads.get(stack);
  if (known) return known;
  refuseStrangeSettings();
  // Only a program that reads loads this module.
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  const { openReads } = require("../provider/functions/open") as typeof provider;
  const opened = openReads((key) => pulumi.runtime.getConfig(key), process.env);
  if (stack) reads.set(stack, opened);
  return opened;
}

/**
 * Reads with the configuration of the stack and the environment. Within one run of the program, equal reads are sent once,
 * except if `isAfresh`.
 * @throws FrontdoorError, which Pulumi prints as one line.
 */
export async function read<Result>(
  name: ReadName,
  args: object,
  { isAfresh = false, ...opts }: pulumi.InvokeOptions & { isAfresh?: boolean } = {},
): Promise<Result> {
  refuseProvider(name, opts);
  if (isMocked()) return await readMock(name, args);
  try {
    if (isAfresh) readsOfRun().forget();
    // Each caller gets its own copy, and can change it.
    return structuredClone(await readsOfRun().read(name, args)) as Result;
  } catch (error) {
    // The mark of pulumi.RunError: Pulumi prints only the message, without "unhandled exception" around it.
    throw Object.assign(error as Error, { __pulumiRunError: true });
  }
}

/** True in a unit test with `pulumi.runtime.setMocks`. A mocked engine has the mocks, in every copy of Pulumi's SDK. */
const isMocked = (): boolean =>
  pulumi.runtime.hasMonitor() && (pulumi.runtime.getMonitor() as { mocks?: unknown } | undefined)?.mocks !== undefined;

/** Asks the mocks as a function of the plugin would, so that a test never reaches the service. */
function readMock<Result>(name: ReadName, args: object): Promise<Result> {
  refuseStrangeSettings();
  // Only unit tests load this module.
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  const invokes = require("./plugin/invokes") as typeof plugin;
  return invokes.read(name, args);
}

/** Reads once the arguments are known, and `dependsOn` and the resources behind the arguments exist. Until then, the output is unknown in a preview. */
export const readOutput = <Result>(
  name: ReadName,
  args: object,
  { dependsOn, ...opts }: pulumi.InvokeOutputOptions = {},
): pulumi.Output<Result> => {
  refuseProvider(name, opts);
  const given = pulumi.output(args);
  // An argument itself reports its error.
  const behind = resourcesBehind(given).catch(() => []);
  return pulumi
    .all([given, created(dependsOn), created(behind)])
    .apply<Result>(([known]) => read(name, known, { isAfresh: dependsOn !== undefined }));
};

/** Known once these resources exist. */
const created = (dependsOn: pulumi.InvokeOutputOptions["dependsOn"] = []): pulumi.Output<unknown> =>
  pulumi
    .output(dependsOn)
    .apply((all) =>
      pulumi.all([all].flat().map((each) => (pulumi.CustomResource.isInstance(each) ? each.id : each.urn))),
    );

/** These reads use the stack's configuration: with another provider they would read from the wrong place. @throws RunError. */
function refuseProvider(name: ReadName, { provider }: pulumi.InvokeOptions): void {
  if (provider !== undefined) throw withProvider(name);
}
