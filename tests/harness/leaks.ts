/**
 * The start of what Pulumi itself logs of values: the engine, of those that pass through it, and the Node SDK, of what its calls answer
 * (docs/security.md). Later engines write JSON, and mask the values in their own entries.
 */
export const pulumisOwn =
  /^\S+ \S+ +\d+ (rpc\.go:\d+\] (Unm|M)arshaling property|eventsink\.go:\d+\] )|^\{"time":"[^"]*","level":"INFO","msg":"(eventSink::Debug\(<\{%reset%\}>)?\w+ RPC finished: /;

/** The entries of a log. The progress of the command can end without a line break before one. */
export const entriesOf = (log: string): string[] =>
  log.split(/(?=[IWE]\d{4} [\d:.]+ +\d+ \w+\.go:\d+\] |\{"time":")|(?<="v":\d+\}\n)/).map(unescaped);

/** An entry of JSON without its escapes: a secret in it can be escaped already. */
const unescaped = (entry: string) => (isJson(entry) ? entry.replace(/\\(["\\])/g, "$1") : entry);

export const isJson = (entry: string) => entry.startsWith('{"time":');

/** A secret in every spelling it could leak in; base64 at each of the three places it can stand in a longer text. */
export function spellings(secret: string): string[] {
  const base64 = [0, 1, 2].flatMap((shift) => {
    const text = Buffer.from("x".repeat(shift) + secret).toString("base64");
    // The first and last characters depend on what stands around.
    const core = text.slice(shift === 0 ? 0 : 4, -4);
    return [core, core.replaceAll("+", "-").replaceAll("/", "_")];
  });
  return [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1), ...base64];
}
