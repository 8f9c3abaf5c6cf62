const deepest = 3;
const shortestRun = 16;
const runs = /[A-Za-z0-9+/_-]{16,}/g;
/** Matches nine letters of ASCII in base64, with their highest bits clear. It skips nearly all runs. */
const ofAscii = /(?:[A-Za-f][A-HQ-Xg-nw-z0-3][ABEFIJMNQRUVYZcdghklopstwx014589][A-Za-z0-9+/_-]){3}/;
const hexRuns = /(?:[0-9a-f]{2}){8,}/gi;
/** The shortest text that can set a key. */
const shortestPiece = 8;

/** Matches `%2B` of a URL, `&#x2B;` of a page, `\u002b` and `\x2b` of a program. */
const escape = /(?:%[0-9a-f]{2})+|&#(?:x[0-9a-f]{1,6}|\d{1,7});|\\u[0-9a-f]{4}|\\x[0-9a-f]{2}/gi;

/** Returns the text and the texts that it holds in base64, in hex or escaped, also nested. */
export function decoded(text: string, depth = deepest): string[] {
  if (depth === 0 || (text.length < shortestRun && !/[%&\\]/.test(text))) return [text];
  // Encoded texts may be broken into lines.
  const whole = text.replace(/\s+/g, "");
  const all = [...new Set([text, whole])];
  const inner = new Set([
    ...matchesIn(all, runs)
      .filter((run) => ofAscii.test(run))
      .flatMap(fromBase64),
    ...matchesIn(all, hexRuns).flatMap((run) => readable(Buffer.from(run, "hex"))),
    text.replace(escape, unescaped),
  ]);
  inner.delete(text);
  return [text, ...[...inner].flatMap((each) => decoded(each, depth - 1))];
}

const matchesIn = (texts: readonly string[], pattern: RegExp) => [
  ...new Set(texts.flatMap((text) => text.match(pattern) ?? [])),
];

/** Decodes from four starts, because letters before the encoded text can belong to the run. */
const fromBase64 = (run: string) =>
  [0, 1, 2, 3].flatMap((start) => readable(Buffer.from(start === 0 ? run : run.slice(start), "base64")));

/** Returns the texts in these bytes, in UTF-8, or in UTF-16 for letters of ASCII. */
function readable(bytes: Buffer): string[] {
  const text = bytes.toString("utf8").replaceAll("\0", "");
  return text.split(/\ufffd|[^\P{Cc}\t\r\n]/u).filter((piece) => piece.length >= shortestPiece);
}

function unescaped(found: string): string {
  const code = /^(?:&#x|\\u|\\x)([0-9a-f]+)/i.exec(found)?.[1];
  const number = code === undefined ? Number(/^&#(\d+)/.exec(found)?.[1] ?? NaN) : parseInt(code, 16);
  if (!Number.isNaN(number)) return number <= 0x10ffff ? String.fromCodePoint(number) : found;
  return Buffer.from(found.replaceAll("%", ""), "hex").toString("utf8");
}
