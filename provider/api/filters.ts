import { mostCharacters, type Query } from "./batches";

/** The wanted values by property. An entry matches if each of these properties has one of its values. */
export type Filters = ReadonlyMap<string, readonly string[]>;

/** The order of a list by one property (spec: `sort`). */
export interface Order {
  property: string;
  direction: "asc" | "desc";
}

/** Returns the filters with at most so many values that fit into one address. `matches` does the others. */
export function filterQuery(filters: Filters, mostValues: number): Query {
  let room = mostCharacters;
  return [...filters].flatMap(([property, values]) => {
    const length = values.reduce((sum, value) => sum + property.length + encodeURIComponent(value).length + 2, 0);
    if (values.length > mostValues || length > room) return [];
    room -= length;
    return values.map((value): [string, string] => [property, value]);
  });
}

/** True if the entry has the wanted values: a service may ignore filters. */
export const matches = (entry: object, filters: Filters): boolean =>
  [...filters].every(([property, values]) => values.includes(String(valueOf(entry, property) ?? "")));

/** Returns a comparison of two entries: numbers by size, texts by code unit, no value first. */
export function inOrder({ property, direction }: Order): (a: object, b: object) => number {
  const sign = direction === "asc" ? 1 : -1;
  return (a, b) => sign * compare(valueOf(a, property), valueOf(b, property));
}

type Value = string | number | undefined;

const valueOf = (entry: object, property: string) => (entry as Record<string, Value>)[property];

function compare(a: Value, b: Value): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  const [left, right] = [String(a ?? ""), String(b ?? "")];
  return left < right ? -1 : left > right ? 1 : 0;
}
