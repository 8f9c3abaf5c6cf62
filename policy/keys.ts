import type { Found } from "./sdk";

// The names of pre-shared keys in configurations of many vendors, in files of settings and in properties of resources. Texts are read
// line by line, and no expression has two repetitions side by side for the same letters, so the work is linear in the text.

/** Matches names such as `pre-shared-key`, `tunnel1PresharedKey`, `psksecret` and `crypto isakmp key`. `secret` counts only in IPsec configurations. */
const keyNames =
  /(?:pre[-_ ]?shared[-_ ]?(?:key|secret)|shared[-_ ]?(?:key|secret)|psk[-_]?secret|psk|isakmp key|ike[-_]?key|secret)(?:[-_]?(?:value|text|string|hex|ascii))?(?![A-Za-z0-9_-])/gi;
const ipsecContext = /\b(?:ipsec|ike|ikev[12]|isakmp)\b/i;

/** Names of properties that hold only a key. */
const keyProperty = /(.*?)(?:pre[-_]?shared[-_]?(?:key|secret)|shared[-_]?(?:key|secret)|psk)(?:[-_]?value)?s?$/i;

/** Matches `usePsk` and `has_psk`: questions about a key, and no keys. */
const question =
  /^(?:use|uses|has|is|with|no|enable|enabled|disable|disabled|allow|allowed|need|needs|require|required|requires|rotate|support|supports)$/i;

/** Matches the text between the name of a key and the key. */
const modifier =
  /^(?:local|remote|ascii-text|ascii|hexadecimal|hex|plain-?text|plain|clear-?text|simple|cipher|encrypted|enc|key|secret|text|wildcard|[0-9]|address\s+[0-9a-f:./]{1,64}(?:\s+[0-9]{1,3}\.[0-9.]{1,12})?|hostname\s+[\w.-]{1,253})\s+/i;

/** First words of lines that are commands. */
const command =
  /^(?:$|[:\-/#!]|(?:set|add|edit|config|crypto|ip|vpn|tunnel-group|ikev1|ikev2|isakmp|ike|ipsec|authentication|auth|local-authentication|remote-authentication|keyring|peer|security|network)\b)/i;

/** Matches the text after a key on the line of a command. */
const afterKey = /^(?:$|[#!<]|\/\/|-|[\w-]{1,40}=|(?:address|hostname|wildcard|mask|no-xauth|no-config-mode)\b)/i;

/** Words about keys, or in the place of keys. */
const words = new Set(
  `true false yes no on off none null nil undefined empty auto automatic default optional required mandatory enabled disabled enable disable
  allowed set unset configured missing present absent available changed unchanged rotated rotating rotation rotate renewed expired expires
  revoked pending shared sent received agreed stored kept held generated derived deleted removed redacted hidden masked secret secrets
  unknown known computed sensitive string text number boolean bool any object optional key keys value password passphrase input output psk
  authentication authenticated auth management exchange policy profile policies length strength mode method type id name names is are was
  were be has have must should can may will and or not for from in of to with by per the a an this that see ask soon later never now
  today weekly monthly yearly daily quarterly manual manually tbd todo na n/a await new return const let var changeme-before-use pre-share
  certificate certificates rsa-sig pubkey eap xauth aggressive main tunnel transport`.split(/\s+/),
);

const shortest = 4;
/** From this length on, letters and digits count as a key also in a sentence. */
const unmistakable = 8;
/** The number of letters that are read on both sides of a name. It keeps long lines fast. */
const longestWord = 100;
const longestKey = 2_000;

/** Returns the pre-shared keys that a text sets. */
export function keysIn(text: string): string[] {
  // Nearly all texts end here.
  if (!/psk|secret|key/i.test(text)) return [];
  // Quotes and line ends inside a text inside a text.
  const plain = text.replace(/\\+(["'])/g, "$1");
  const isIpsec = ipsecContext.test(plain);
  const lines = plain.split(/[\r\n]+|\\[rn]/);
  return lines.flatMap((line, number) =>
    [...line.matchAll(keyNames)].flatMap(({ 0: name, index }) => {
      const word = /[A-Za-z0-9_-]*$/.exec(line.slice(Math.max(0, index - longestWord), index))?.[0] ?? "";
      if (!isName(name, word, isIpsec)) return [];
      const behind = line.slice(index + name.length, index + name.length + longestKey);
      const isCommand = command.test(line.slice(0, Math.min(index, longestWord)).trimStart());
      return (
        keyAfter(name, isCommand, keyOnNextLine.test(behind) ? `: ${singleWordIn(lines[number + 1])}` : behind) ?? []
      );
    }),
  );
}

/** Matches the text after a name whose key is on the next line. */
const keyOnNextLine = /^["'\])]{0,2}\s{0,9}(?::=|=>|[:=>])\s{0,9}(?:[|>][+-]?\s{0,9})?$/;

/** Returns the line if it is one word and no other name. */
function singleWordIn(line = ""): string {
  const word = line.slice(0, longestKey).trim();
  return /\s|[:[{(]$/.test(word) ? "" : word;
}

/** True if a value can be a pre-shared key, and its property or map has the name of keys. */
export function isKeyProperty({
  path,
  text,
  isName = false,
}: {
  path: string;
  text: string;
  isName?: boolean;
}): boolean {
  if (isName || text === "") return false;
  const [name = "", map = ""] = path
    .replace(/(?:\.\d+)+$/, "")
    .split(".")
    .reverse();
  return (isKeyName(name) || (/s$/i.test(map) && isKeyName(map))) && !isPlaceholder(text.trim());
}

function isKeyName(name: string): boolean {
  const prefix = keyProperty.exec(name)?.[1];
  return prefix !== undefined && !question.test(prefix);
}

/** True if a name ends a word as the name of a key. */
function isName(name: string, start: string, isIpsec: boolean): boolean {
  if (/^secret/i.test(name)) return isIpsec && start === "";
  // In the middle of a word a name starts with a capital or after a hyphen.
  if (/[A-Za-z0-9]$/.test(start) && !(/[a-z0-9]$/.test(start) && /^[A-Z]/.test(name))) return false;
  return !question.test(start.replace(/[-_]+$/, "").replace(/^-+/, ""));
}

/** Returns the key after its name; undefined if there is none. */
function keyAfter(name: string, isCommand: boolean, behind: string): string | undefined {
  const separator = /^["'\])]{0,2}\s*(?::=|=>|[:=>])?\s*/.exec(behind)?.[0] ?? "";
  const isAssigned = /[:=>]/.test(separator);
  if (!isAssigned && !/\s|["']/.test(separator)) return;
  let rest = behind.slice(separator.trimEnd() === "" ? separator.length : separator.replace(/["']+$/, "").length);
  for (let skipped = 0, next = modifier.exec(rest); next && skipped < 6; skipped++, next = modifier.exec(rest))
    rest = rest.slice(next[0].length);

  const quoted = /^(["'])(.*?)(?:\1|$)/.exec(rest);
  if (quoted) return isKey(quoted[2] ?? "", shortest) ? quoted[2] : undefined;

  const key = /^[^\s"'<>,;(){}]+/.exec(rest)?.[0];
  if (key === undefined) return;
  const after = rest.slice(key.length);
  // A call, or a path through an object: a program, not a configuration.
  if (after.startsWith("(") || /^[A-Za-z_$][\w$]*(?:\??\.[A-Za-z_$][\w$]*)+$/.test(key)) return;
  const isLast = afterKey.test(after.replace(/^["';,)}\]\s]+/, ""));
  if (isAssigned) {
    const isApart = isLast || /^[,;})&<"']/.test(after);
    return isKey(key, isApart ? shortest : unmistakable) && (isApart || isMixed(key)) ? key : undefined;
  }
  // `shared secret management`, `pre shared key exchange`
  if (/(?<!isakmp) /.test(name) || !isLast) return;
  if (isCommand) return isKey(key, shortest) ? key : undefined;
  return isKey(key, unmistakable) && isMixed(key) ? key : undefined;
}

const isKey = (text: string, atLeast: number) => text.length >= atLeast && !isPlaceholder(text);

const isMixed = (text: string) =>
  [/[a-z]/, /[A-Z]/, /[0-9]/, /[^A-Za-z0-9-]/].filter((some) => some.test(text)).length > 1;

/** True for a text in the place of a key, such as a word about it, a variable, a mask, an address or a number. */
function isPlaceholder(text: string): boolean {
  return (
    words.has(text.toLowerCase().replace(/[.!?:,;]+$/, "")) ||
    /^arn:|:\/\/|^(?:projects|secrets?|vault|ssm|op|kv|env|file|data|ref|keyvault|parameters?)[/:.]/i.test(text) ||
    /^(?:~|\.{1,2})?\/(?:[\w.-]+\/)+[\w.-]+$|^[A-Za-z]:\\|^[\w.-]+\.(?:txt|pem|key|json|ya?ml|secrets|conf|cfg|gpg|age|enc|md)$/i.test(
      text,
    ) ||
    /^\$\{|^\$\(|^\$[A-Z_][A-Z0-9_]*$|^\{\{|^%\w+%$|^<.*>$|^\[.*\]$|^@\w+[/(]/.test(text) ||
    /^(?:[*x.•_-]+|[X]+)$/.test(text) ||
    /^\d{4}-\d\d-\d\d|^\d{1,5}$|^\d+(?:ms|s|m|h|d|w|y|days?|bits?|%)$|^v\d+(?:\.\d+)*$|^[A-Z]{2,8}-\d{1,6}$/.test(
      text,
    ) ||
    /^[0-9.]+\.[0-9.]+(?:\/\d+)?$|^[0-9a-f]*:[0-9a-f:.]+(?:\/\d+)?$/i.test(text) ||
    /^(?:aes|sha|md5|3des|des|modp|ecp|curve|group|dh|ikev?)[-_]?\d*(?:[-_]?(?:cbc|gcm|ctr|ccm|bit|bits)?[-_]?\d*)$/i.test(
      text,
    ) ||
    // The name of a secret: `hq-vpn-psk`.
    (/^[a-z0-9]+(?:[-_/.][a-z0-9]+)+$/.test(text) &&
      /(?:^|[-_/.])(?:psk|secrets?|keys?|preshared)(?:$|[-_/.])/.test(text))
  );
}

/** Returns the forms of a key in another text: plain, escaped, in hex, or in base64 at any of the three offsets. */
export function spellings(key: string): string[] {
  const bytes = Buffer.from(key);
  const base64 = [0, 1, 2].map((offset) => {
    const whole = Buffer.concat([Buffer.alloc(offset), bytes]).toString("base64");
    // Only the characters that depend on nothing but the key.
    return whole.slice(Math.ceil((offset * 4) / 3), Math.floor(((offset + bytes.length) * 4) / 3));
  });
  const urlSafe = base64.map((text) => text.replaceAll("+", "-").replaceAll("/", "_"));
  return [...new Set([key, encodeURIComponent(key), bytes.toString("hex"), ...base64, ...urlSafe])];
}

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

/** The ways in which a text can hold a configuration. */
type Leak = "the pre-shared key" | "lines";

// Fewer or shorter lines can be in any router configuration by chance.
const fewestLines = 3;
const shortestLine = 16;
/** A shorter key could be in another text by chance. */
const shortestKey = 8;

/** A text with the texts that it holds in encodings. */
class DecodedText {
  readonly texts: readonly string[];
  /** True if one of them sets a pre-shared key. */
  readonly setsKey: boolean;
  private cachedFolded: readonly string[] | undefined;

  constructor(text: string) {
    this.texts = decoded(text);
    this.setsKey = this.texts.some((each) => keysIn(each).length > 0);
  }

  /** The texts without characters that can separate the letters of a key. They are computed only if a key is known. */
  get folded(): readonly string[] {
    this.cachedFolded ??= this.texts.map(folded);
    return this.cachedFolded;
  }
}

// Many texts repeat: resources of one kind have the same property names, and outputs repeat inputs.
const cache = new Map<string, DecodedText>();
const largestCache = 20_000;

/** Returns the same object for the same text, so that each text is read once. */
export function decodedTextOf(text: string): DecodedText {
  const known = cache.get(text);
  if (known) return known;
  const content = new DecodedText(text);
  if (cache.size >= largestCache) cache.clear();
  cache.set(text, content);
  return content;
}

/** Finds a configuration's pre-shared keys in other texts. If the configuration containsKey no known key, finds its lines. */
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

  /** Says which part of the configuration the text holds; undefined for none. It takes at most texts × lines steps. */
  findIn(content: DecodedText): Leak | undefined {
    if (this.hasKey && content.folded.some((text) => this.needles.some((needle) => text.includes(needle))))
      return "the pre-shared key";
    const holds = (text: string) => this.lines.filter((line) => text.includes(line)).length >= fewestLines;
    return this.lines.length > 0 && content.texts.some(holds) ? "lines" : undefined;
  }
}

/** Returns one spelling for a key in other letter case, with spaces or hyphens, or escaped. */
const folded = (text: string) => text.toLowerCase().replace(/[^a-z0-9]+/g, "");

/** True if a text sets a pre-shared key, also in an encoding, or if the name of its property containsKey a key. */
export const containsKey = (found: Found): boolean => decodedTextOf(found.text).setsKey || isKeyProperty(found);

/** Returns the places of texts that hold keys, without the keys: the name of a property can also be such a text. */
export const withoutKeys = (found: readonly Found[]): string[] =>
  found.map(({ path }) => found.reduce((shown, { text }) => (text === "" ? shown : shown.replaceAll(text, "*")), path));
