import { FrontdoorError, troubleOf } from "../errors";
import { Redactor } from "../http/redact";
import type { Failure } from "../resources/lifecycle";

type Told = Record<string, unknown> & {
  /** Names of inputs whose values are secrets: the host is not told otherwise. */
  __secrets?: string[];
};

/** What users read, without the values of inputs that are secrets. */
function withoutSecrets(text: string, props: Told): string {
  const redactor = new Redactor();
  for (const key of props.__secrets ?? []) redactor.add(String((props[key] as string | number | undefined) ?? ""));
  return redactor.clean(text);
}

/** The engine shows the value with the property that a failure names. */
export function withoutSecretValue({ property, reason }: Failure, news: Told): Failure {
  const cleaned = withoutSecrets(reason, news);
  return news.__secrets?.includes(property)
    ? { property: "", reason: `${property} (a secret) ${cleaned}` }
    : { property, reason: cleaned };
}

export const withoutSecretsIn = (error: FrontdoorError, all: Told[]) =>
  new FrontdoorError(all.reduce(withoutSecrets, error.message), error.trouble);

/** The same, its error without secrets. */
export async function hushed<Result>(all: Told[], work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    throw troubleOf(error) ? withoutSecretsIn(error as FrontdoorError, all) : error;
  }
}
