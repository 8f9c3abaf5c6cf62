import { createRequire } from "node:module";
import { Secret } from "@pulumi/policy";
import { runtime } from "@pulumi/pulumi";

// The engine tells a policy pack which values are secret, and @pulumi/policy drops that before a check runs: a check sees every value
// in the clear and cannot tell a secret from a leak. So the one function that drops it is wrapped, and what came in is remembered
// beside what goes out. Nothing changes for the SDK. Where its inside is another one day, nothing is remembered and
// `plainTexts` answers undefined: a policy then says that it cannot tell, or keeps still where that would be said of every secret.
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
  received.set(behindProxies(props), wire);
  return props;
};

function load(): Deserializer {
  try {
    return createRequire(__filename)("@pulumi/policy/deserialize") as Deserializer;
  } catch {
    return { deserializeProperties: () => ({}) };
  }
}

/** What the engine sends in place of unknown values of every kind (text, number, truth value, list, object, asset, archive). */
const unknowns = new Set([
  "04da6b54-80e4-46f7-96ec-b56ff0331ba9",
  "3eeb2bf0-c639-47a8-9e75-3b44932eb421",
  "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7",
  "6a19a0b0-7e62-4c92-b797-7f8e31da9cc2",
  "dd056dcd-154b-4c76-9bd3-c8f88648b5ff",
  "030794c1-ac77-496b-92df-f27374a8bd58",
  "e48ece36-62e2-4504-bad9-02848725956a",
]);

/** A text somewhere among a resource's properties. */
export interface Found {
  /** Where, such as `tags.note` or `lines.0`; of the name of a property, where that property is. */
  path: string;
  text: string;
}

// Asked for by several policies of each resource.
const plain = new WeakMap<Wire, readonly Found[]>();

/** Every known text among the properties that is not secret, their names too; undefined where secrets cannot be told from others. */
export function plainTexts(props: object): readonly Found[] | undefined {
  const wire = received.get(behindProxies(props));
  if (!wire) return undefined;
  const known = plain.get(wire) ?? [...texts(wire.toJavaScript(), "", true)];
  plain.set(wire, known);
  return known;
}

/** Every known text among the properties and of their names, secret or not. */
export const allTexts = (props: object): Found[] => [...texts(behindProxies(props), "", false)];

function* texts(value: unknown, path: string, plainOnly: boolean): Generator<Found> {
  if (typeof value === "string" && !unknowns.has(value)) yield { path, text: value };
  if (typeof value !== "object" || value === null) return;
  if (value instanceof Secret) {
    if (!plainOnly) yield* texts(value.value, path, plainOnly);
    return;
  }
  const kind: unknown = Reflect.get(value, runtime.specialSigKey);
  if (plainOnly && (kind === runtime.specialSecretSig || (Reflect.get(value, "secret") === true && kind !== undefined)))
    return;
  for (const [key, inner] of Object.entries(value)) {
    if (key === runtime.specialSigKey) continue;
    if (!Array.isArray(value)) yield { path, text: key };
    yield* texts(inner, path === "" ? key : `${path}.${key}`, plainOnly);
  }
}

/** The SDK's proxies answer to this name with what they stand before. */
function behindProxies(props: object): object {
  const target: unknown = Reflect.get(props, "__getSpecialProxyTarget");
  return typeof target === "object" && target !== null && target !== props ? behindProxies(target) : props;
}
