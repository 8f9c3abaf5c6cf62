import { has, valueOf } from "../fields/field";
import type { Change, ChangeKind } from "./contract";

// Properties that differ, by paths as Pulumi writes them.

/** Returns how each property differs between the inputs of the state and of the program, and if the difference replaces the resource. */
export function changesByProperty(olds: object, news: object, replaces: readonly string[]): Record<string, Change> {
  const changes = new Map([...replaces.map((name) => [name, "update"] as const), ...differences(olds, news)]);
  return Object.fromEntries(
    [...changes].map(([name, change]): [string, Change] => [
      name,
      replaces.includes(name) ? `${change}-replace` : change,
    ]),
  );
}

/** Returns the differences by path, such as `target` or `shares["web"].target`. A property that one of the two lacks differs as a whole. */
export function differences(olds: object, news: object, path?: string): Map<string, ChangeKind> {
  const found = new Map<string, ChangeKind>();
  for (const key of new Set([...namesIn(olds), ...namesIn(news)])) {
    const [old, now] = [valueOf(olds, key), valueOf(news, key)];
    if (old === now) continue;
    const property = path === undefined ? key : within(path, key);
    if (isObject(old) && isObject(now))
      for (const [inner, kind] of differences(old, now, property)) found.set(inner, kind);
    else found.set(property, old === undefined ? "add" : now === undefined ? "delete" : "update");
  }
  return found;
}

/** Returns the path to a map entry, as Pulumi writes it. */
export const keyed = (property: string, key: string): string => `${property}[${JSON.stringify(key)}]`;

/** Returns the path to a map entry, or to a field of that entry. */
export const within = (path: string, key: string): string => (path.endsWith("]") ? `${path}.${key}` : keyed(path, key));

/** True if the first path is the second one, or a part of it. */
export const isWithin = (path: string, whole: string): boolean =>
  path === whole || path.startsWith(`${whole}[`) || path.startsWith(`${whole}.`);

/** Returns the property that a path begins with. */
export const propertyOf = (path: string): string => path.replace(/[.[].*/, "");

const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Returns the names of the given values, without the notes of the provider. */
const namesIn = (props: object): string[] =>
  Object.keys(props).filter((name) => !name.startsWith("__") && has(props, name));
