import { createRequire } from "node:module";
import { Secret } from "@pulumi/policy";
import { runtime } from "@pulumi/pulumi";

// The engine tells a policy pack which values are secret, and @pulumi/policy drops that before a check runs: a check sees every value
// in the clear and cannot tell a secret from a leak. So the one function that drops it is wrapped, and what came in is remembered
// beside what goes out. Nothing changes for the SDK. Where its inside is another one day, nothing is remembered and
// `plainTexts` answers undefined: the policies on secrets then say that they cannot tell.
interface Wire {
  toJavaScript(): unknown;
}
interface Deserializer {
  deserializeProperties: (wire: Wire, keepSecrets: boolean) => object;
}
const received = new WeakMap<object, Wire>();

const deserializer = load();
const { deserializeProperties } = deserializer;
deserializer.deserializeProperties = (wire, keepSecrets) => {
  const props = deserializeProperties(wire, keepSecrets);
  received.set(props, wire);
  return props;
};

function load(): Deserializer {
  try {
    return createRequire(__filename)("@pulumi/policy/deserialize") as Deserializer;
  } catch {
    return { deserializeProperties: () => ({}) };
  }
}

/** A text somewhere among a resource's properties. */
export interface Found {
  /** Where, such as `tags.note` or `lines.0`. */
  path: string;
  text: string;
}

/** Every text among the properties that is not secret; undefined where secrets cannot be told from others. */
export function plainTexts(props: object): Found[] | undefined {
  const wire = received.get(behindProxies(props));
  return wire && [...texts(wire.toJavaScript(), "", true)];
}

/** Every text among the properties, secret or not. */
export const allTexts = (props: object): Found[] => [...texts(behindProxies(props), "", false)];

function* texts(value: unknown, path: string, plainOnly: boolean): Generator<Found> {
  if (typeof value === "string") yield { path, text: value };
  if (typeof value !== "object" || value === null) return;
  if (value instanceof Secret) {
    if (!plainOnly) yield* texts(value.value, path, plainOnly);
    return;
  }
  const kind: unknown = Reflect.get(value, runtime.specialSigKey);
  if (plainOnly && (kind === runtime.specialSecretSig || (Reflect.get(value, "secret") === true && kind !== undefined)))
    return;
  for (const [key, inner] of Object.entries(value)) {
    if (key !== runtime.specialSigKey) yield* texts(inner, path === "" ? key : `${path}.${key}`, plainOnly);
  }
}

/** The SDK's proxies answer to this name with what they stand before. */
function behindProxies(props: object): object {
  const target: unknown = Reflect.get(props, "__getSpecialProxyTarget");
  return typeof target === "object" && target !== null && target !== props ? behindProxies(target) : props;
}
