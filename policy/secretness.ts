import { createRequire } from "node:module";
import { Secret } from "@pulumi/policy";
import { runtime } from "@pulumi/pulumi";
import { behindProxy, isUnknown } from "./known";

// The engine marks secret values, but @pulumi/policy drops the marks before a check runs. So this module wraps the function that drops
// them, and remembers its input beside its output. Nothing changes for the SDK. If the SDK changes inside, nothing is remembered, and
// `textsOf` returns undefined. A policy then reports that it cannot tell, or reports nothing.
interface Wire {
  toJavaScript(): Record<string, unknown>;
}
interface Deserializer {
  deserializeProperties: (wire: Wire, keepSecrets: boolean) => object;
}
/** The properties with marks, by the properties that a policy gets. */
const received = new WeakMap<object, object>();

const deserializer = load();
const { deserializeProperties } = deserializer;
deserializer.deserializeProperties = (wire, keepSecrets) => {
  const sent = sentOn(wire);
  const props = deserializeProperties({ toJavaScript: () => sent }, keepSecrets);
  received.set(behindProxies(props), sent);
  return props;
};

// The SDK reads the same message once for each policy.
const messages = new WeakMap<Wire, Record<string, unknown>>();

function sentOn(wire: Wire): Record<string, unknown> {
  const sent = messages.get(wire) ?? wire.toJavaScript();
  messages.set(wire, sent);
  return sent;
}

function load(): Deserializer {
  try {
    return createRequire(__filename)("@pulumi/policy/deserialize") as Deserializer;
  } catch {
    return { deserializeProperties: () => ({}) };
  }
}

/** A text in a resource's properties. */
export interface Found {
  /** The path, such as `tags.note` or `lines.0`. For the name of a property, the path of the object that has it. */
  path: string;
  text: string;
  isName?: true;
}

/** The known texts in a resource's properties, also the names of properties. */
export interface Texts {
  plain: readonly Found[];
  secret: readonly Found[];
}

// Several policies read the texts of each resource.
const known = new WeakMap<object, Texts>();

/** Returns the plain and the secret texts in the properties; undefined if the marks are missing. */
export function textsOf(props: object): Texts | undefined {
  const sent = received.get(behindProxies(props));
  if (!sent) return undefined;
  const found = known.get(sent) ?? apart(sent);
  known.set(sent, found);
  return found;
}

function apart(sent: object): Texts {
  const [plain, secret]: [Found[], Found[]] = [[], []];
  for (const { isSecret, ...found } of texts(sent, "", false)) (isSecret ? secret : plain).push(found);
  return { plain, secret };
}

/** Returns every known text in the properties, secret or not. */
export const allTexts = (props: object): Found[] => [...texts(behindProxies(props), "", false)];

function* texts(value: unknown, path: string, isSecret: boolean): Generator<Found & { isSecret: boolean }> {
  if (typeof value === "string" && !isUnknown(value)) yield { path, text: value, isSecret };
  // A key can have only digits. Shorter numbers are no keys.
  if (typeof value === "number" && value >= 1e7) yield { path, text: String(value), isSecret };
  if (typeof value !== "object" || value === null) return;
  if (value instanceof Secret) {
    yield* texts(value.value, path, true);
    return;
  }
  const kind: unknown = Reflect.get(value, runtime.specialSigKey);
  if (kind === runtime.specialSecretSig) {
    yield* texts(Reflect.get(value, "value"), path, true);
    return;
  }
  const bytes = textOfBytes(Object.values(value));
  if (bytes !== undefined) yield { path, text: bytes, isSecret };
  for (const [key, inner] of Object.entries(value)) {
    if (key === runtime.specialSigKey) continue;
    if (!Array.isArray(value)) yield { path, text: key, isName: true, isSecret };
    yield* texts(inner, path === "" ? key : `${path}.${key}`, isSecret);
  }
}
/** Returns the text of bytes. A buffer arrives as a list of its bytes, or as an object with a number for each byte. */
function textOfBytes(values: unknown[]): string | undefined {
  const isByte = (value: unknown) => typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= 255;
  return values.length > 0 && values.every(isByte) ? Buffer.from(values as number[]).toString("latin1") : undefined;
}

/** Returns the object behind the SDK's nested proxies. */
function behindProxies(props: object): object {
  const target = behindProxy(props);
  return target === props ? props : behindProxies(target);
}
