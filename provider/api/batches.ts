import { idsPerLook } from "../wait";

/** Servers and proxies refuse longer addresses: many at 8 kB, headers included. A hundred UUIDs fit. */
const mostCharacters = 4_400;

/** Values of one filter in portions that fit one list request each. */
export function batches<Value>(values: Value[], textOf: (value: Value) => string, most = idsPerLook): Value[][] {
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
