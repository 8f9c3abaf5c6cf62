const deepest = 3;
const shortestRun = 16;
const runs = /[A-Za-z0-9+/_-]{16,}/g;

/** The text, and what it holds in base64, in hex or as part of a URL, each of which may hold another one. */
export function decoded(text: string, depth = deepest): string[] {
  if (depth === 0 || (text.length < shortestRun && !text.includes("%"))) return [text];
  // Encoded texts may be broken into lines.
  const whole = text.replace(/\s+/g, "");
  const encoded = new Set([text, whole].flatMap((each) => each.match(runs) ?? []));
  const inner = [
    ...[...encoded].flatMap((run) => [
      readable(Buffer.from(run, "base64")),
      ...(/^(?:[0-9a-f]{2})+$/i.test(run) ? [readable(Buffer.from(run, "hex"))] : []),
    ]),
    unescaped(text),
  ];
  return [text, ...inner.flatMap((each) => (each === undefined ? [] : decoded(each, depth - 1)))];
}

function readable(bytes: Buffer): string | undefined {
  const text = bytes.toString("utf8");
  return /\ufffd|[^\P{Cc}\t\r\n]/u.test(text) ? undefined : text;
}

function unescaped(text: string): string | undefined {
  if (!/%[0-9a-f]{2}/i.test(text)) return undefined;
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
