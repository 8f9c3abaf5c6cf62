import { decodedValue, type HiddenInputs, isHidden, mapValues, secretMark, unknownText } from "../engine/encoding";
import { UNKNOWN } from "../fields/field";
import { type Resource, secretOutputsWith } from "../resources/resource";

export type Props = Record<string, unknown> & HiddenInputs;

/** Returns the core's properties: without hidden inputs, and unknown values as UNKNOWN. No message shows the secret ones from then on. */
export function decoded(resource: Pick<Resource<never, never>, "keepSecret">, props: Props): Record<string, unknown> {
  const { __secrets: secrets = [] } = props;
  for (const key of secrets.length > 0 ? [...secrets, "__shown"] : []) resource.keepSecret(props[key]);
  const own = Object.fromEntries(Object.entries(props).filter(([key]) => !isHidden(key)));
  return mapValues(own, (value) => decodedValue(value));
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

function encodedValue(value: unknown): unknown {
  if (value === UNKNOWN) return unknownText;
  if (Array.isArray(value)) return value.map(encodedValue);
  return typeof value === "object" && value !== null ? encodedObject(value) : value;
}

const encodedObject = (of: object) =>
  mapValues(Object.fromEntries(Object.entries(of).filter(([, value]) => value !== undefined)), encodedValue);
