import * as pulumi from "@pulumi/pulumi";
import type { Reads } from "../../provider/functions/functions";
import { version } from "./plugin";

type ReadName = keyof Reads;

const token = (name: ReadName) => `frontdoor:index:${name}`;

const resultOf = (answer: Record<string, unknown>, property: string | undefined): unknown =>
  property === undefined ? answer : answer[property];

/** Returns an error with only the plugin's words, no stack and the mark of pulumi.RunError, so that Pulumi prints one line. */
function inOneLine(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const message = error.message.replace(/^invocation of \S+ returned an error: /, "");
  return Object.assign(error, { message, stack: "", __pulumiRunError: true });
}

/**
 * Calls a function of the plugin, with the provider in the options or the stack's default one. A result that is no object comes in a
 * property of the answer.
 * @throws Error, which Pulumi prints as one line.
 */
export async function read<Result>(
  name: ReadName,
  args: object,
  opts?: pulumi.InvokeOptions,
  property?: string,
): Promise<Result> {
  try {
    const answer: unknown = await pulumi.runtime.invoke(token(name), { ...args }, { version, ...opts });
    return resultOf(answer as Record<string, unknown>, property) as Result;
  } catch (error) {
    throw inOneLine(error);
  }
}

/** Calls the function once the arguments are known. The output is unknown in a preview if an argument or the provider's configuration is. */
export function readOutput<Result>(
  name: ReadName,
  args: object,
  opts?: pulumi.InvokeOutputOptions,
  property?: string,
): pulumi.Output<Result> {
  const output = pulumi.runtime.invokeOutput<Record<string, unknown>>(token(name), { ...args }, { version, ...opts });
  shortenWhenFailed(output);
  // The engine answers an empty object if it can't configure the provider yet. No answer of the plugin is empty.
  const isUnknown = (answer: object) => Object.keys(answer).length === 0;
  return output.apply((answer) => (isUnknown(answer) ? pulumi.unknown : resultOf(answer, property)) as Result);
}

/** Shortens the error to one line before the run prints it, because a program cannot catch the error of an output. */
function shortenWhenFailed(output: object & { promise?: () => Promise<unknown> }): void {
  output.promise?.().catch((error: unknown) => {
    throw inOneLine(error);
  });
}
