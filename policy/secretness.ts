import { createRequire } from "node:module";
import { Secret } from "@pulumi/policy";
import { runtime } from "@pulumi/pulumi";
import { behindProxy, isUnknown } from "./known";

// The engine tells a policy pack which values are secret, and @pulumi/policy drops that before a check runs: a check sees every value
// in the clear and cannot tell a secret from a leak. So the one function that drops it is wrapped, and what came in is remembered
// beside what goes out. Nothing changes for the SDK. Where its inside is another one day, nothing is remembered and
// `textsOf` answers undefined: a policy then says that it cannot tell, or keeps still where that would be said of every secret.
interface Wire {
  toJavaScript(): Record<string, unknown>;
}
interface Deserializer {
  deserializeProperties: (wire: Wire, keepSecrets: boolean) => object;
}
/** What came in for the properties that a policy was given. */
const received = new WeakMap<object, object>();

const deserializer = load();
const { deserializeProperties } = deserializer;
deserializer.deserializeProperties = (wire, keepSecrets) => {
  const sent = sentOn(wire);
  const props = deserializeProperties({ toJavaScript: () => sent }, keepSecrets);
  received.set(behindProxies(props), sent);
  return props;
};

// The SDK asks the same message once for each policy, and a copy of it is made from what comes of that.
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

/** A text somewhere among a resource's properties. */
export interface Found {
  /** Where, such as `tags.note` or `lines.0`; of the name of a property, where that property is. */
  path: string;
  text: string;
  isName?: true;
}

/** The known texts among a resource's properties, the names of properties too. */
export interface Texts {
  plain: readonly Found[];
  secret: readonly Found[];
}

// Asked for by several policies of each resource.
const known = new WeakMap<object, Texts>();

/** The texts among the properties, secret ones apart; undefined where secrets cannot be told from others. */
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

/** Every known text among the properties, secret or not. */
export const allTexts = (props: object): Found[] => [...texts(behindProxies(props), "", false)];

function* texts(value: unknown, path: string, isSecret: boolean): Generator<Found & { isSecret: boolean }> {
  if (typeof value === "string" && !isUnknown(value)) yield { path, text: value, isSecret };
  // A key of digits alone; shorter numbers are none.
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
/** A buffer comes as a list of its bytes, or as an object with a number for each. */
function textOfBytes(values: unknown[]): string | undefined {
  const isByte = (value: unknown) => typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= 255;
  return values.length > 0 && values.every(isByte) ? Buffer.from(values as number[]).toString("latin1") : undefined;
}

/** The SDK puts one proxy before another. */
function behindProxies(props: object): object {
  const target = behindProxy(props);
  return target === props ? props : behindProxies(target);
}
