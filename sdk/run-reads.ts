import * as pulumi from "@pulumi/pulumi";
import type { Once } from "../provider/functions/once";
import type * as provider from "../provider/functions/open";
import type { Reads } from "../provider/functions/reads";
import { refuseStrangeSettings } from "./settings";

type ReadName = keyof Reads;

/** What one run of a program reads: equal reads are made once, and all through one service. */
class Run {
  private once: Once | undefined;

  async read(name: ReadName, args: object): Promise<unknown> {
    if (!this.once) refuseStrangeSettings();
    // Only programs that read load what reads.
    // eslint-disable-next-line @typescript-eslint/no-require-imports
    const { openReads } = require("../provider/functions/open") as typeof provider;
    this.once ??= openReads((key) => pulumi.runtime.getConfig(key), process.env);
    return this.once.read(name, args);
  }
}

/** An Automation API program is one of many runs in its process. */
const runs = new WeakMap<object, Run>();

/**
 * Reads by the configuration of the stack and the environment; within one program run, equal reads are made once.
 * @throws FrontdoorError, which Pulumi prints as one line.
 */
export async function read<Result>(name: ReadName, args: object): Promise<Result> {
  const stack: object | undefined = pulumi.runtime.getStackResource();
  const run = (stack && runs.get(stack)) ?? new Run();
  if (stack) runs.set(stack, run);
  try {
    // Each caller gets a copy of its own to keep or change.
    return structuredClone(await run.read(name, args)) as Result;
  } catch (error) {
    // The mark of pulumi.RunError: the message alone is shown, without "unhandled exception" around it.
    throw Object.assign(error as Error, { __pulumiRunError: true });
  }
}

/** The same once the arguments are known; unknown at preview where they are. */
export const readOutput = <Result>(name: ReadName, args: object): pulumi.Output<Result> =>
  pulumi.output(args).apply<Result>((known) => read(name, known));
