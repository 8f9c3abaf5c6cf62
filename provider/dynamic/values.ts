import { type HiddenInputs, isHidden, secretMark, unknownText } from "../engine/encoding";
import { UNKNOWN } from "../fields/field";
import { type Resource, secretOutputsWith } from "../resources/resource";

export type Props = Record<string, unknown> & HiddenInputs;

/** Returns the core's properties: without hidden inputs, and unknown values as UNKNOWN. No message shows the secret ones from then on. */
export function decoded(resource: Pick<Resource<never, never>, "keepSecret">, props: Props): Record<string, unknown> {
  for (const key of props.__secrets ?? []) resource.keepSecret(props[key]);
  return decodedObject(Object.fromEntries(Object.entries(props).filter(([key]) => !isHidden(key))));
}

/** Returns properties as the engine reads them: none is undefined, and secret ones have the engine's mark. */
export function encoded(props: object, secrets = secretOutputsWith()): Record<string, unknown> {
  const marked = ([key, value]: [string, unknown]): [string, unknown] =>
    value !== unknownText && secrets.includes(key) ? [key, { ...secretMark, value }] : [key, value];
  return Object.fromEntries(Object.entries(encodedObject(props)).map(marked));
}

/** Returns the outputs for the state, with the hidden inputs that a later run needs. */
export const encodedOutputs = (outputs: object, props: Props) =>
  encoded({ ...outputs, ...storedInputs(props) }, secretOutputsWith(props.__secrets));

/** Returns the hidden inputs that the state holds. */
export const storedInputs = ({ __timeouts, __secrets = [] }: HiddenInputs): HiddenInputs => ({
  ...(__timeouts && { __timeouts }),
  ...(__secrets.length > 0 && { __secrets }),
});

function decodedValue(value: unknown): unknown {
  if (value === unknownText) return UNKNOWN;
  if (Array.isArray(value)) return value.map(decodedValue);
  return isObject(value) ? decodedObject(value) : value;
}

function encodedValue(value: unknown): unknown {
  if (value === UNKNOWN) return unknownText;
  if (Array.isArray(value)) return value.map(encodedValue);
  return isObject(value) ? encodedObject(value) : value;
}

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

const decodedObject = (of: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(of).map(([key, value]: [string, unknown]) => [key, decodedValue(value)]));

const encodedObject = (of: object): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(of)
      .filter(([, value]) => value !== undefined)
      .map(([key, value]: [string, unknown]) => [key, encodedValue(value)]),
  );
