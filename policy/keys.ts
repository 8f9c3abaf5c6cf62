/** Words that announce a pre-shared key in configurations of many vendors. Linear: no repetition stands beside another. */
const announcement = /pre[-_ ]?shared[-_ ]?(?:key|secret)|shared[-_]?secret|\bpsk\b|ike[-_]?key\b/i;

/** Names of properties that hold a pre-shared key and nothing else. */
const keyName = /(?:pre[-_]?shared[-_]?(?:key|secret)|psk)$/i;

const shortestKey = 8;

/** The pre-shared keys that a configuration text sets, line by line. */
export function keysIn(text: string): string[] {
  return text.split(/[\r\n]/).flatMap((line) => {
    const found = announcement.exec(line);
    // A sentence about keys with a link in it sets none.
    if (!found || line.includes("://")) return [];
    const words = line.slice(found.index + found[0].length).split(/[\s:="'<>;,(){}]+/);
    // Between the announcement and the key stand at most words such as `local`, `ascii-text` or `0`.
    return words.slice(0, 5).filter(isKey).slice(0, 1);
  });
}

/** True for a property that is a pre-shared key by its name. */
export const isKeyName = (path: string) => keyName.test(path.slice(path.lastIndexOf(".") + 1));

/** Long enough, and more than a word of a vendor's language or an address. */
const isKey = (word: string) => word.length >= shortestKey && !/^[A-Za-z-]+$/.test(word) && !/^[0-9./]+$/.test(word);

/** The ways in which a key can stand in another text: as it is, escaped, in hex, or inside base64 at any of the three offsets. */
export function spellings(key: string): string[] {
  const bytes = Buffer.from(key);
  const hex = bytes.toString("hex");
  const base64 = [0, 1, 2].map((offset) => {
    const whole = Buffer.concat([Buffer.alloc(offset), bytes]).toString("base64");
    // Only the characters that depend on the key alone.
    return whole.slice(Math.ceil((offset * 4) / 3), Math.floor(((offset + bytes.length) * 4) / 3));
  });
  const urlSafe = base64.map((text) => text.replaceAll("+", "-").replaceAll("/", "_"));
  return [
    ...new Set([
      key,
      JSON.stringify(key).slice(1, -1),
      encodeURIComponent(key),
      hex,
      hex.toUpperCase(),
      ...base64,
      ...urlSafe,
    ]),
  ];
}
