import * as pulumi from "@pulumi/pulumi";
import type { Reads } from "../../provider/functions/functions";
import { ownPlugin } from "./plugin";

type ReadName = keyof Reads;

const token = (name: ReadName) => `frontdoor:index:${name}`;

/** The property of the answer that has the result, for functions whose result is no object. */
const properties: Partial<Record<ReadName, string>> = {
  getTunnelMetrics: "metrics",
  getShareMetrics: "metrics",
  getSampleConfig: "sampleConfig",
  getPreSharedKey: "preSharedKey",
};

const resultOf = (name: ReadName, answer: Record<string, unknown>): unknown =>
  properties[name] === undefined ? answer : answer[properties[name]];

/** Returns an error with only the plugin's words, no stack and the mark of pulumi.RunError, so that Pulumi prints one line. */
function inOneLine(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const message = error.message.replace(/^invocation of \S+ returned an error: /, "");
  return Object.assign(error, { message, stack: "", __pulumiRunError: true });
}

/** Calls a function of the plugin, with the provider in the options or the stack's default one. @throws Error, which Pulumi prints as one line. */
export async function read<Result>(name: ReadName, args: object, opts?: pulumi.InvokeOptions): Promise<Result> {
  try {
    const answer: unknown = await pulumi.runtime.invoke(token(name), { ...args }, { ...ownPlugin, ...opts });
    return resultOf(name, answer as Record<string, unknown>) as Result;
  } catch (error) {
    throw inOneLine(error);
  }
}

/** Calls the function once the arguments are known. The output is unknown in a preview if an argument or the provider's configuration is. */
export function readOutput<Result>(
  name: ReadName,
  args: object,
  opts?: pulumi.InvokeOutputOptions,
): pulumi.Output<Result> {
  const output = pulumi.runtime.invokeOutput<Record<string, unknown>>(
    token(name),
    { ...args },
    { ...ownPlugin, ...opts },
  );
  shortenWhenFailed(output);
  // The engine answers an empty object if it can't configure the provider yet. No answer of the plugin is empty.
  const isUnknown = (answer: object) => Object.keys(answer).length === 0;
  return output.apply((answer) => (isUnknown(answer) ? pulumi.unknown : resultOf(name, answer)) as Result);
}

/** Shortens the error to one line before the run prints it, because a program cannot catch the error of an output. */
function shortenWhenFailed(output: object & { promise?: () => Promise<unknown> }): void {
  output.promise?.().catch((error: unknown) => {
    throw inOneLine(error);
  });
}
