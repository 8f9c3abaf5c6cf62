/** A text, or the text that results when escapes are undone. */
export interface Reading {
  text: string;
  /** Returns where in the original text the letter with this index begins. */
  startOf: (index: number) => number;
}

/** Escapes inside escapes are undone up to this depth. */
const deepest = 3;

/** One escape undone: its letters, and for each letter the index in the escape at which the letter begins. */
interface Undone {
  text: string;
  starts: number[];
}

const escapes: { pattern: RegExp; undo: (escape: string) => Undone }[] = [
  // JSON (RFC 8259, section 7).
  { pattern: /\\(?:u[0-9A-Fa-f]{4}|["'\\/bfnrt])/g, undo: (escape) => ({ text: jsonLetter(escape), starts: [0] }) },
  // URLs (RFC 3986, section 2.1).
  { pattern: /(?:%[0-9A-Fa-f]{2})+/g, undo: urlLetters },
];

/** Yields the text, and the text with the escapes of JSON and of URLs undone, in any order and inside each other. */
export function* readings(reading: Reading, depth = 0): Generator<Reading> {
  yield reading;
  if (depth === deepest) return;
  for (const escape of escapes) {
    const undone = without(escape, reading);
    if (undone) yield* readings(undone, depth + 1);
  }
}

/** The reading with one kind of escape undone once; undefined if it has none. */
function without({ pattern, undo }: (typeof escapes)[number], { text, startOf }: Reading): Reading | undefined {
  const parts: string[] = [];
  const starts = new Uint32Array(text.length + 1);
  let length = 0;
  let from = 0;
  const keep = (end: number) => {
    parts.push(text.slice(from, end));
    for (; from < end; from++) starts[length++] = startOf(from);
  };
  for (const { 0: escape, index } of text.matchAll(pattern)) {
    keep(index);
    const undone = undo(escape);
    parts.push(undone.text);
    for (const start of undone.starts) starts[length++] = startOf(index + start);
    from = index + escape.length;
  }
  if (parts.length === 0) return undefined;
  keep(text.length);
  starts[length] = startOf(text.length);
  return { text: parts.join(""), startOf: (index) => starts[index] ?? 0 };
}

const named: Record<string, string> = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };

const jsonLetter = (escape: string) =>
  escape[1] === "u" ? String.fromCharCode(parseInt(escape.slice(2), 16)) : (named[escape.slice(1)] ?? escape.slice(1));

/** Letters of UTF-8; without valid UTF-8 each byte is a letter. */
function urlLetters(escape: string): Undone {
  const starts: number[] = [];
  let start = 0;
  try {
    const text = decodeURIComponent(escape);
    for (const letter of text) {
      starts.push(...Array<number>(letter.length).fill(start));
      start += Buffer.byteLength(letter) * 3;
    }
    return { text, starts };
  } catch {
    const bytes = Buffer.from(escape.replaceAll("%", ""), "hex");
    return { text: bytes.toString("latin1"), starts: Array.from(bytes, (_byte, index) => index * 3) };
  }
}
