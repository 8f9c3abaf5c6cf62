import * as pulumi from "@pulumi/pulumi";
import type * as provider from "../provider/functions/reads";

type ReadName = Exclude<keyof provider.Reads, "service">;

/** What one program run has read so far. An Automation API program is one of many runs in its process. */
const runs = new WeakMap<object, Map<string, Promise<unknown>>>();

/**
 * Reads by the configuration of the stack and the environment; within one program run, equal reads are made once.
 * A read that failed is not kept. @throws FrontdoorError, which Pulumi prints as one line.
 */
export async function read<Result>(name: ReadName, args: object): Promise<Result> {
  const run: object | undefined = pulumi.runtime.getStackResource();
  if (!run) return (await made(name, args)) as Result;
  const reads = runs.get(run) ?? new Map<string, Promise<unknown>>();
  runs.set(run, reads);
  const key = `${name} ${JSON.stringify(Object.entries(args).sort(([a], [b]) => (a < b ? -1 : 1)))}`;
  const known = reads.get(key);
  const reading = known ?? made(name, args);
  reads.set(key, reading);
  try {
    // Each caller gets a copy of its own to keep or change.
    return structuredClone(await reading) as Result;
  } catch (error) {
    if (reads.get(key) === reading) reads.delete(key);
    throw error;
  }
}

async function made(name: ReadName, args: object): Promise<unknown> {
  try {
    // Only programs that read load what reads.
    // eslint-disable-next-line @typescript-eslint/no-require-imports
    const { openReads } = require("../provider/functions/reads") as typeof provider;
    return await openReads((key) => pulumi.runtime.getConfig(key), process.env)[name](args);
  } catch (error) {
    // The mark of pulumi.RunError: the message alone is shown, without "unhandled exception" around it.
    throw Object.assign(error as Error, { __pulumiRunError: true });
  }
}
