const named: Record<string, string> = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };

/** Undoes the escapes of JSON once (RFC 8259, section 7). */
const fromJson = (text: string) =>
  text.replace(/\\(?:u([0-9A-Fa-f]{4})|(["'\\/bfnrt]))/g, (_, code: string | undefined, letter = "") =>
    code === undefined ? (named[String(letter)] ?? String(letter)) : String.fromCharCode(parseInt(code, 16)),
  );

/** Undoes the escapes of URLs once (RFC 3986, section 2.1), as UTF-8. */
const fromUrl = (text: string) =>
  text.replace(/(?:%[0-9A-Fa-f]{2})+/g, (escape) => Buffer.from(escape.replaceAll("%", ""), "hex").toString());

/** Returns the texts that result if escapes of JSON and of URLs are undone up to `depth` times, in every order: they can be nested. */
export function unescaped(text: string, depth = 3): string[] {
  if (depth === 0) return [];
  const undone = [fromJson(text), fromUrl(text)].filter((each) => each !== text);
  return undone.flatMap((each) => [each, ...unescaped(each, depth - 1)]);
}
