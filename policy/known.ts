/** Stands for a value that only the update will bring. */
export const UNKNOWN = Symbol("unknown");

/** What the engine sends in place of unknown values of every kind (text, number, truth value, list, object, asset, archive). */
const unknowns: ReadonlySet<unknown> = new Set([
  "04da6b54-80e4-46f7-96ec-b56ff0331ba9",
  "3eeb2bf0-c639-47a8-9e75-3b44932eb421",
  "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7",
  "6a19a0b0-7e62-4c92-b797-7f8e31da9cc2",
  "dd056dcd-154b-4c76-9bd3-c8f88648b5ff",
  "030794c1-ac77-496b-92df-f27374a8bd58",
  "e48ece36-62e2-4504-bad9-02848725956a",
]);

/** Whether the engine has sent it in place of a value that only the update will bring. */
export const isUnknown = (value: unknown): boolean => unknowns.has(value);

/** What a proxy of the SDK's stands before: it answers to this name with that. */
export function behindProxy(props: object): object {
  const target: unknown = Reflect.get(props, "__getSpecialProxyTarget");
  return typeof target === "object" && target !== null ? target : props;
}

/**
 * A property as a policy may use it: UNKNOWN during a preview that cannot know it, undefined where it is not given. Never throws.
 * (@pulumi/policy throws on touching an unknown; left to itself that becomes a warning on every resource of a first preview, and
 * caught it takes longer than the rest of a policy. So the value is taken from behind its proxy.)
 */
export function read(props: object, key: string | number): unknown {
  try {
    const value: unknown = Reflect.get(behindProxy(props), key);
    return isUnknown(value) ? UNKNOWN : (value ?? undefined);
  } catch (error) {
    if (isUnknownValue(error)) return UNKNOWN;
    throw error;
  }
}

/** The property where it is a known text, else undefined. */
export function text(props: object, key: string): string | undefined {
  const value = read(props, key);
  return typeof value === "string" ? value : undefined;
}

/** The property where it is a known number, else undefined. */
export function number(props: object, key: string): number | undefined {
  const value = read(props, key);
  return typeof value === "number" ? value : undefined;
}

/** The known texts and numbers of a list, as texts; nothing where the list itself is unknown or none. */
export function items(props: object, key: string): string[] {
  const list = read(props, key);
  if (!Array.isArray(list)) return [];
  return Array.from(list.keys(), (index) => read(list, index)).flatMap((item) =>
    typeof item === "string" || typeof item === "number" ? [String(item)] : [],
  );
}

/** By name: a pack composed by a user may run on another copy of @pulumi/policy. */
const isUnknownValue = (error: unknown) => error instanceof Error && error.constructor.name === "UnknownValueError";
