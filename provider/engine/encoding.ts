import { UNKNOWN } from "../fields/field";

/** The text by which the engine sends a value that is not known before the run. */
export const unknownText = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** The signature that stands beside the `value` of a secret. The engine encrypts an output that has the signature. */
export const secretMark = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270" };

/** Inputs that the classes add for the adapters (`sdk/`). The core never gets them. */
export interface HiddenInputs {
  /** The text by which Pulumi's process finds this package. */
  __provider?: string;
  /** Organization and URN. Only check gets them: no state holds them. */
  __origin?: string;
  /** Set if the program does not run for a preview: the engine tells no provider. Only check gets it. */
  __isUp?: boolean;
  /** URN of the tunnel of a share or a set. Only check gets it: no state holds it. */
  __tunnel?: string;
  /** The option `retainOnDelete` of a tunnel, which the engine does not tell. Only check gets it: no state holds it. */
  __retained?: boolean;
  /** Names of the inputs whose values are secret: the engine does not tell a dynamic provider. */
  __secrets?: string[];
  /** The custom timeouts: the engine does not tell a dynamic provider. */
  __timeouts?: Partial<Record<"create" | "update" | "delete", string>>;
}

const hiddenNames: string[] = [
  "__provider",
  "__origin",
  "__isUp",
  "__tunnel",
  "__retained",
  "__secrets",
  "__timeouts",
] satisfies (keyof HiddenInputs)[];

/** True for the name of a hidden input. The plugin finds such inputs in the state of a dynamic resource. */
export const isHidden = (name: string): boolean => hiddenNames.includes(name);

/** Decodes a value of the engine: removes the marks of secrets, and puts UNKNOWN for unknown values. Calls `onSecret` for each mark. */
export function decodedValue(value: unknown, onSecret: () => void = () => undefined): unknown {
  if (value === unknownText) return UNKNOWN;
  if (Array.isArray(value)) return value.map((each) => decodedValue(each, onSecret));
  if (typeof value !== "object" || value === null) return value;
  if (!isSecret(value)) return mapValues(value, (each) => decodedValue(each, onSecret));
  onSecret();
  return decodedValue(value.value, onSecret);
}

export const mapValues = (of: object, change: (value: unknown) => unknown): Record<string, unknown> =>
  Object.fromEntries(Object.entries(of).map(([key, value]: [string, unknown]) => [key, change(value)]));

const isSecret = (value: object): value is { value: unknown } =>
  Object.entries(secretMark).every(([key, signature]) => (value as Record<string, unknown>)[key] === signature);
