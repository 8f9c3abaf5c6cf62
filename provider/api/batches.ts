/** The filters and the order of a list call. A repeated name matches any of its values. */
export type Query = [name: string, value: string][];

/** The longest query. Many servers and proxies refuse more than 8 kB with headers. A hundred UUIDs fit. */
export const mostCharacters = 4_400;

/** Splits values of one filter so that each batch fits one address and one page. */
export function batches<Value>(values: Value[], textOf: (value: Value) => string, most = 100): Value[][] {
  const all: Value[][] = [];
  let characters = Infinity;
  for (const value of values) {
    // "&name=" has six characters.
    const more = encodeURIComponent(textOf(value)).length + 6;
    const last = all.at(-1);
    if (last === undefined || last.length >= most || characters + more > mostCharacters) {
      all.push([value]);
      characters = more;
    } else {
      last.push(value);
      characters += more;
    }
  }
  return all;
}
