import { FrontdoorError, troubleOf } from "../../errors";
import { Redactor } from "../../http/redact";
import type { Failure } from "../../resources/lifecycle";

type Told = Record<string, unknown> & {
  /** Names of inputs whose values are secrets: the host is not told otherwise. */
  __secrets?: string[];
};

/** Of all resources of the run: the message of one can name another. */
const redactor = new Redactor();

/** What users read, without the values of inputs that are secrets. */
function withoutSecrets(text: string): string {
  return redactor.clean(text);
}

/** Takes note of values that are secrets. */
export function noteSecrets(props: Told): void {
  for (const key of props.__secrets ?? []) redactor.add(String((props[key] as string | number | undefined) ?? ""));
}

/** The engine shows the value with the property that a failure names. */
export function withoutSecretValue({ property, reason }: Failure, news: Told): Failure {
  const cleaned = withoutSecrets(reason);
  return news.__secrets?.includes(property)
    ? { property: "", reason: `${property} (a secret) ${cleaned}` }
    : { property, reason: cleaned };
}

export const withoutSecretsIn = (error: FrontdoorError) =>
  new FrontdoorError(withoutSecrets(error.message), error.trouble);

/** The same, its error without secrets, those of these properties included. */
export async function hushed<Result>(all: Told[], work: Promise<Result>): Promise<Result> {
  all.forEach(noteSecrets);
  try {
    return await work;
  } catch (error) {
    throw troubleOf(error) ? withoutSecretsIn(error as FrontdoorError) : error;
  }
}
