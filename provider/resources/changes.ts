import type { Change, Diff } from "./lifecycle";

/** Returns how each property differs between the inputs of the state and of the program, and if the difference replaces the resource. */
export function changesByProperty(olds: object, news: object, replaces: readonly string[]): Record<string, Change> {
  const differing = differences(olds, news);
  const others = replaces.filter((property) => !differing.has(property));
  return Object.fromEntries(
    [...differing, ...others.map((property) => [property, "update"] as const)].map(([property, change]) => [
      property,
      replaces.includes(property) ? `${change}-replace` : change,
    ]),
  );
}

/** Returns the differences by path, such as `target` or `shares["web"].target`. A property that one of the two lacks differs as a whole. */
function differences(olds: object, news: object, path?: string): Map<string, "add" | "delete" | "update"> {
  const [before, after] = [given(olds), given(news)];
  return new Map(
    [...new Set([...before.keys(), ...after.keys()])].flatMap((key) => {
      const [old, now] = [before.get(key), after.get(key)];
      const property = path === undefined ? key : path.endsWith("]") ? `${path}.${key}` : keyed(path, key);
      if (isObject(old) && isObject(now)) return [...differences(old, now, property)];
      if (old === now) return [];
      return [[property, before.has(key) === after.has(key) ? "update" : before.has(key) ? "delete" : "add"]];
    }),
  );
}

/** Returns the requests of a replacement, in their order. */
export const replaceRequests = ({ deleteBeforeReplace }: Pick<Diff, "deleteBeforeReplace">): string =>
  deleteBeforeReplace ? "DELETE, then POST" : "POST, then DELETE";

/** Returns the path to a map entry, as Pulumi writes it. */
export const keyed = (property: string, key: string): string => `${property}[${JSON.stringify(key)}]`;

/** Returns the property that a path begins with. */
export const propertyOf = (path: string): string => path.replace(/[.[].*/, "");

const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Returns the given values, without the notes of the provider. */
const given = (props: object) =>
  new Map<string, unknown>(
    Object.entries(props).filter(([key, value]) => value !== undefined && !key.startsWith("__")),
  );
