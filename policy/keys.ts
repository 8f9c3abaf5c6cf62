import { keyIn } from "../provider/functions/pre-shared-key";
import type { Found } from "./sdk";

/** A shorter key could be in another text by chance. */
const shortestKey = 8;
/** It keeps long lines fast. */
const longestLine = 4_000;

/** Returns the pre-shared keys that a text sets: those that getPreSharedKey finds, and random values beside the name of a key. */
export function keysIn(text: string): string[] {
  // Nearly all texts end here.
  if (!/psk|shared|secret|isakmp/i.test(text)) return [];
  const isIpsec = /\b(?:ipsec|ike|ikev[12]|isakmp)\b/i.test(text);
  // Quotes and line ends inside a text inside a text.
  const lines = text.replace(/\\+(["'])/g, "$1").split(/[\r\n]+|\\[rn]/);
  const found = lines.flatMap((whole) => {
    const line = whole.slice(0, longestLine);
    const known = isIpsec || !/^\s*secret\b/i.test(line) ? keyIn(line, undefined).key : undefined;
    return known === undefined ? scanned(line) : [known];
  });
  return found.filter((key) => key.length >= shortestKey && !reference.test(key));
}

// A text that is no configuration: the name of a key, a sign or a space, and a value that nobody types by hand.

const assigned =
  /(?:psk|pre[-_ ]?shared[-_ ]?(?:key|secret)|shared[-_ ]?(?:key|secret))["']?\s{0,8}(?::=|=>|[:=>]|\s)\s{0,8}["']?([^\s"'`,;&<>(){}[\]]{12,200})/gi;
const fewestCharacters = 9;

/** Returns the values with a digit and many different characters: words of a language have neither. */
const scanned = (line: string): string[] =>
  [...line.matchAll(assigned)].flatMap(([, value = ""]) =>
    /\d/.test(value) && new Set(value).size >= fewestCharacters ? [value] : [],
  );

/** A reference to a key in a vault, a variable, or a path. */
const reference = /^(?:arn|op|vault|env|file):|:\/\/|^[~.]{0,2}\/|^\$/;

/** Returns the text, and what it is in base64. */
export const decoded = (text: string): string[] =>
  /^[\w+/=\s-]{16,}$/.test(text) ? [text, Buffer.from(text, "base64").toString()] : [text];

/** Names of properties that hold only a key, such as `tunnel1PresharedKey`, and no question about one, such as `usePsk`. */
const keyProperty =
  /(?<!^(?:use|uses|has|is|with|no|enable|disable|allow|need|require|rotate|support)[sd]?[-_]?)(?:pre[-_]?shared[-_]?(?:key|secret)|shared[-_]?(?:key|secret)|psk)(?:[-_]?value)?s?$/i;

/** True if a value can be a pre-shared key, and its property or map has the name of keys. */
export function isKeyProperty({ path, text, isName }: Found): boolean {
  const [name = "", map = ""] = path
    .replace(/(?:\.\d+)+$/, "")
    .split(".")
    .reverse();
  const isNamed = keyProperty.test(name) || (/s$/i.test(map) && keyProperty.test(map));
  return isNamed && isName !== true && text !== "" && !reference.test(text);
}

/** True if a text sets a pre-shared key, or the name of its property says that it is one. */
export const containsKey = (found: Found): boolean =>
  isKeyProperty(found) || decoded(found.text).some((text) => keysIn(text).length > 0);

/** Returns the forms of a key in another text: plain, escaped, in hex, or in base64 at any of the three offsets. */
function spellings(key: string): string[] {
  const bytes = Buffer.from(key);
  const base64 = [0, 1, 2].map((offset) => {
    const whole = Buffer.concat([Buffer.alloc(offset), bytes]).toString("base64");
    // Only the characters that depend on nothing but the key.
    return whole.slice(Math.ceil((offset * 4) / 3), Math.floor(((offset + bytes.length) * 4) / 3));
  });
  return [key, encodeURIComponent(key), bytes.toString("hex"), ...base64];
}

/** Returns one spelling for a text in other letter case, with spaces or hyphens, or escaped. */
const folded = (text: string) => text.toLowerCase().replace(/[^a-z0-9]+/g, "");

// Fewer or shorter lines can be in any router configuration by chance.
const fewestLines = 3;
const shortestLine = 16;

/** Finds a configuration's pre-shared keys in other texts. If no key is found in the configuration, finds its lines. */
export class LeakSearch {
  private readonly needles: readonly string[];
  private readonly lines: readonly string[];

  constructor(text: string, isKey = false) {
    const keys = isKey ? [text] : decoded(text).flatMap(keysIn);
    const needles = keys.flatMap(spellings).map(folded);
    this.needles = [...new Set(needles)].filter((needle) => needle.length >= shortestKey);
    const lines = keys.length > 0 ? [] : text.split(/[\r\n]+/).map((line) => line.trim());
    this.lines = [...new Set(lines)].filter((line) => line.length >= shortestLine);
  }

  /** True if the configuration has a key to find. */
  get hasKey(): boolean {
    return this.needles.length > 0;
  }

  /** Says which part of the configuration the text holds; undefined for none. */
  findIn(text: string): "the pre-shared key" | "lines" | undefined {
    const shown = this.hasKey ? folded(text) : "";
    if (this.needles.some((needle) => shown.includes(needle))) return "the pre-shared key";
    return this.lines.filter((line) => text.includes(line)).length >= fewestLines ? "lines" : undefined;
  }
}

/** Returns the places of texts that hold keys, without the keys: the name of a property can also be such a text. */
export const withoutKeys = (found: readonly Found[]): string[] =>
  found.map(({ path }) => found.reduce((shown, { text }) => (text === "" ? shown : shown.replaceAll(text, "*")), path));
