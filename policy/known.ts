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
export const isUnknown = (value: unknown): boolean => unknowns.has(value);

/** The name with which a proxy of the SDK returns its target. */
export function behindProxy(props: object): object {
  const target: unknown = Reflect.get(props, "__getSpecialProxyTarget");
  return typeof target === "object" && target !== null ? target : props;
}

/**
 * Returns a property: UNKNOWN if a preview cannot know it, undefined if it is not given. Never throws. The proxies of @pulumi/policy
 * throw for unknown values. That would be a warning on every resource, and catching it is slow, so this function reads behind the proxy.
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

/** Compares the name of the error, because a user's pack can run on another copy of @pulumi/policy. */
const isUnknownValue = (error: unknown) => error instanceof Error && error.constructor.name === "UnknownValueError";
