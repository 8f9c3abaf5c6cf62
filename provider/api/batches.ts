/** Filters and order of a list call; a repeated name matches any of its values. */
export type Query = [name: string, value: string][];

/** Servers and proxies refuse longer addresses: many at 8 kB, headers included. A hundred UUIDs fit. */
export const mostCharacters = 4_400;

/** Values of one filter in portions that fit one list request each, and one page of its answer. */
export function batches<Value>(values: Value[], textOf: (value: Value) => string, most = 100): Value[][] {
  const portions: Value[][] = [];
  let characters = Infinity;
  for (const value of values) {
    // With "&name=" before it.
    const more = encodeURIComponent(textOf(value)).length + 6;
    const last = portions.at(-1);
    if (last === undefined || last.length >= most || characters + more > mostCharacters) {
      portions.push([value]);
      characters = more;
    } else {
      last.push(value);
      characters += more;
    }
  }
  return portions;
}

/** Characters of a query in an address. */
export const lengthOf = (query: Query): number => new URLSearchParams(query).toString().length;

/** Two queries, each with half the values of the most repeated filter, that together match the same; undefined where none is repeated. */
export function halves(query: Query): [Query, Query] | undefined {
  const counts = new Map<string, number>();
  for (const [property] of query) counts.set(property, (counts.get(property) ?? 0) + 1);
  const [most, count = 0] = [...counts].sort(([, a], [, b]) => b - a)[0] ?? [];
  if (count < 2) return undefined;
  const values = query.filter(([property]) => property === most);
  const others = query.filter(([property]) => property !== most);
  const middle = Math.ceil(values.length / 2);
  return [
    [...values.slice(0, middle), ...others],
    [...values.slice(middle), ...others],
  ];
}
