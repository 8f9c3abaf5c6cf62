/** Stands for a value that only the update will bring. */
export const UNKNOWN = Symbol("unknown");

/**
 * A property as a policy may use it: UNKNOWN during a preview that cannot know it, undefined where it is not given. Never throws.
 * (@pulumi/policy throws on touching an unknown; left to itself that becomes a warning on every resource of a first preview.)
 */
export function read(props: object, key: string | number): unknown {
  try {
    return (props as Record<string | number, unknown>)[key] ?? undefined;
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
