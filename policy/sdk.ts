import { createRequire } from "node:module";
import { runtime } from "@pulumi/pulumi";
import { near } from "../provider/nearest";

/** Stands for a value that is known only after the update. */
export const UNKNOWN = Symbol("unknown");

/** The texts that the engine sends for unknown values (text, number, truth value, list, object, asset, archive). */
const unknowns: ReadonlySet<unknown> = new Set([
  "04da6b54-80e4-46f7-96ec-b56ff0331ba9",
  "3eeb2bf0-c639-47a8-9e75-3b44932eb421",
  "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7",
  "6a19a0b0-7e62-4c92-b797-7f8e31da9cc2",
  "dd056dcd-154b-4c76-9bd3-c8f88648b5ff",
  "030794c1-ac77-496b-92df-f27374a8bd58",
  "e48ece36-62e2-4504-bad9-02848725956a",
]);

/** True if the engine sent the text for a value that is known only after the update. */
const isUnknown = (value: unknown): boolean => unknowns.has(value);

/** Returns the object behind the SDK's nested proxies, which throw for a value that is not known. */
export function behindProxies(props: object): object {
  const target: unknown = Reflect.get(props, "__getSpecialProxyTarget");
  return typeof target === "object" && target !== null ? behindProxies(target) : props;
}

/** Returns a property: UNKNOWN if a preview cannot know it, undefined if it is not given. */
export function read(props: object, key: string | number): unknown {
  const value: unknown = Reflect.get(behindProxies(props), key);
  return isUnknown(value) ? UNKNOWN : (value ?? undefined);
}

/** Returns the property if it is a known text, otherwise undefined. */
export function text(props: object, key: string): string | undefined {
  const value = read(props, key);
  return typeof value === "string" ? value : undefined;
}

/** Returns the property if it is a known number, otherwise undefined. */
export function number(props: object, key: string): number | undefined {
  const value = read(props, key);
  return typeof value === "number" ? value : undefined;
}

/** Returns the known texts and numbers of a list, as texts. It is empty if the list is unknown or missing. */
export function items(props: object, key: string): string[] {
  const list = read(props, key);
  if (!Array.isArray(list)) return [];
  return Array.from(list.keys(), (index) => read(list, index)).flatMap((item) =>
    typeof item === "string" || typeof item === "number" ? [String(item)] : [],
  );
}

/** Returns what makes a remediated property secret. The SDK is loaded only here, because reports of violations are made without it. */
export function secretOf(value: string): object {
  const { Secret } = createRequire(__filename)("@pulumi/policy") as typeof import("@pulumi/policy");
  return new Secret(value);
}

// The engine marks secret values, but @pulumi/policy drops the marks before a check runs. So this module wraps the function that drops
// them, and remembers its input beside its output. Nothing changes for the SDK. If the SDK changes inside, nothing is remembered,
// `textsOf` returns undefined, the policies on secrets find nothing, and check-the-pack says so.
interface Wire {
  toJavaScript(): Record<string, unknown>;
}
interface Deserializer {
  deserializeProperties: (wire: Wire, keepSecrets: boolean) => object;
}
/** The properties with marks, by the properties that a policy gets. */
const received = new WeakMap<object, object>();

// Without the texts that mark a secret, every object would look like one.
const knowsMarks = [runtime.specialSigKey, runtime.specialSecretSig].every((mark) => typeof mark === "string");

/** Does what reaches into the SDK. If the SDK differs inside, it does `otherwise`: by default nothing, because check-the-pack reports it. */
function tryInside(inside: () => void, otherwise: () => void = () => undefined): void {
  try {
    inside();
  } catch {
    otherwise();
  }
}

tryInside(() => {
  const deserializer = createRequire(__filename)("@pulumi/policy/deserialize") as Deserializer;
  const { deserializeProperties } = deserializer;
  deserializer.deserializeProperties = (wire, keepSecrets) => {
    let sent: Record<string, unknown> | undefined;
    tryInside(() => (sent = sentOn(wire)));
    if (!sent) return deserializeProperties(wire, keepSecrets);
    const once = Object.create(wire, { toJavaScript: { value: () => sent } }) as Wire;
    const props = deserializeProperties(once, keepSecrets);
    if (knowsMarks) received.set(behindProxies(props), sent);
    return props;
  };
});

// The SDK reads the same message once for each policy.
const messages = new WeakMap<Wire, Record<string, unknown>>();

function sentOn(wire: Wire): Record<string, unknown> {
  const sent = messages.get(wire) ?? wire.toJavaScript();
  messages.set(wire, sent);
  return sent;
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
  const found = known.get(sent) ?? bySecrecy(sent);
  known.set(sent, found);
  return found;
}

function bySecrecy(sent: object): Texts {
  const [plain, secret]: [Found[], Found[]] = [[], []];
  for (const { isSecret, ...found } of texts(sent, "", false)) (isSecret ? secret : plain).push(found);
  return { plain, secret };
}

function* texts(value: unknown, path: string, isSecret: boolean): Generator<Found & { isSecret: boolean }> {
  if (typeof value === "string" && !isUnknown(value)) yield { path, text: value, isSecret };
  // A key can have only digits. Shorter numbers are no keys.
  if (typeof value === "number" && value >= 1e7) yield { path, text: String(value), isSecret };
  if (typeof value !== "object" || value === null) return;
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

interface ConfigRequest {
  getConfigMap(): { entries(): Iterable<[string, string]> };
  getConfigSecretKeysList(): string[];
}
interface Request {
  getPolicyconfigMap(): { keys(): Iterable<string> };
}
interface Method<Message> {
  requestDeserialize: (bytes: Uint8Array) => Message;
}
interface Analyzer {
  configureStack?: Method<ConfigRequest>;
  configure?: Method<Request>;
}

/** The plain values of the stack's configuration, by key such as `frontdoor:token`; undefined until the engine has sent it. */
let plain: readonly [key: string, value: string][] | undefined;

/** The methods that the engine calls. @throws if the SDK has none */
function analyzer(): Analyzer {
  const ofPolicy = createRequire(createRequire(__filename).resolve("@pulumi/policy"));
  const { AnalyzerService } = ofPolicy("@pulumi/pulumi/proto/analyzer_grpc_pb.js") as { AnalyzerService?: Analyzer };
  if (!AnalyzerService) throw new Error("no analyzer");
  return AnalyzerService;
}

/** Calls `observe` with each message that a method gets. @throws if the SDK has no such method */
function watch<Message>(method: Method<Message> | undefined, observe: (message: Message) => void): void {
  if (!method) throw new Error("no method");
  const { requestDeserialize } = method;
  method.requestDeserialize = (bytes) => {
    const message = requestDeserialize(bytes);
    observe(message);
    return message;
  };
}

// The engine sends the stack's configuration and its secret keys to a pack. @pulumi/policy drops both, so this module reads them.
tryInside(() => {
  watch(analyzer().configureStack, (request) => {
    tryInside(() => {
      const secrets = request.getConfigSecretKeysList();
      plain = [...request.getConfigMap().entries()].filter(([key]) => !secrets.includes(key));
    });
  });
});

/** Returns the keys of the stack's configuration with this plain value; undefined if the pack has not seen the configuration. */
export const plainKeysOf = (value: string): string[] | undefined =>
  plain?.flatMap(([key, each]) => (each === value ? key : []));

/** True if the pack cannot see which properties of these resources, or which values of the stack's configuration, are secret. */
export const hidesSecrecy = (resources: readonly { props: object }[]): boolean =>
  plain === undefined || resources.some(({ props }) => !textsOf(props));

/**
 * From this call on, a configuration with an unknown policy name stops the command. The engine passes such names on and @pulumi/policy
 * ignores them, so a misspelled name would silently leave a rule at its default.
 */
export function refuseUnknownNames(names: readonly string[]): void {
  const known = new Set([...names, "all"]);
  const refuse = (request: Request) => {
    const unknown = [...request.getPolicyconfigMap().keys()].filter((name) => !known.has(name));
    if (unknown.length === 0) return;
    const error = new Error(
      `the configuration names unknown policies: ${unknown.sort().join(", ")}. Nothing was checked. ${remedyFor(unknown, names)} [unknown-policy]`,
    );
    // The engine prints the stack, which does not help the author of the configuration.
    error.stack = error.message;
    // The engine would hide the words of an error thrown here.
    request.getPolicyconfigMap = () => {
      throw error;
    };
  };
  const warn = () => {
    console.error(
      "This copy of @pulumi/policy hides the names in the pack's configuration. A policy whose name is misspelled there keeps its default. Install an earlier version of @pulumi/policy. [unknown-policy]",
    );
  };
  tryInside(() => {
    watch(analyzer().configure, (request) => {
      tryInside(() => {
        refuse(request);
      }, warn);
    });
  }, warn);
}

function remedyFor(unknown: readonly string[], names: readonly string[]): string {
  const suggestions = unknown.flatMap((name) => near(name, names, 1));
  return suggestions.length === 0 ? "Correct the names." : `Did you mean ${suggestions.join(", ")}?`;
}
