import * as pulumi from "@pulumi/pulumi";
import type { Reads } from "../../provider/functions/reads";
import { version } from "./plugin";

type ReadName = keyof Reads;

const token = (name: ReadName) => `frontdoor:index:${name}`;

const resultOf = (answer: Record<string, unknown>, property: string | undefined): unknown =>
  property === undefined ? answer : answer[property];

/** The error with the plugin's words alone, the mark of pulumi.RunError and no stack: so that one line is all that is shown of it. */
function inOneLine(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const message = error.message.replace(/^invocation of \S+ returned an error: /, "");
  return Object.assign(error, { message, stack: "", __pulumiRunError: true });
}

/**
 * Asks the plugin, by the provider of the options or the stack's own; what is no object by itself is held by a property of its answer.
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

/** The same once the arguments are known; unknown at preview where they, or the provider's configuration, are. */
export function readOutput<Result>(
  name: ReadName,
  args: object,
  opts?: pulumi.InvokeOutputOptions,
  property?: string,
): pulumi.Output<Result> {
  const output = pulumi.runtime.invokeOutput<Record<string, unknown>>(token(name), { ...args }, { version, ...opts });
  shortenWhenFailed(output);
  // What the engine answers for a provider that it can't configure yet: every answer of the plugin's has something in it.
  const isUnknown = (answer: object) => Object.keys(answer).length === 0;
  return output.apply((answer) => (isUnknown(answer) ? pulumi.unknown : resultOf(answer, property)) as Result);
}

/** An output that fails can't be caught: its error is put in one line before the run prints it. */
function shortenWhenFailed(output: object & { promise?: () => Promise<unknown> }): void {
  output.promise?.().catch((error: unknown) => {
    throw inOneLine(error);
  });
}
