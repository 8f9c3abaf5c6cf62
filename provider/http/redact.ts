import { FrontdoorError, troubleOf } from "../errors";

/** Shorter secrets are not redacted: without them no message could be read. */
const fewestLetters = 4;

/** Shorter spellings are not redacted in answers: they can be part of a value by accident. */
const fewestInAnswers = 16;

const redacted = "[secret]";

/**
 * Redacts known secrets: as they are and in base64, also inside a longer text that is in base64. If escapes of JSON or of URLs hide
 * a secret, its whole word is redacted, or the whole text if the secret spans words.
 */
export class Redactor {
  private readonly spellings = new Set<string>();

  add(secret: string): void {
    if (secret.length < fewestLetters) return;
    for (const spelling of [secret, secret.replaceAll(" ", "+"), ...base64Of(secret)]) this.spellings.add(spelling);
  }

  /** Adds a secret value with every value in it, and the bare host of a `host:port`. */
  addAll(value: unknown): void {
    if (typeof value === "string" || typeof value === "number") {
      this.add(String(value));
      const [, host] = /^(.+):\d+$/.exec(String(value)) ?? [];
      if (host !== undefined) this.add(host);
    } else if (typeof value === "object" && value !== null) {
      for (const each of Object.values(value)) this.addAll(each);
    }
  }

  /** Redacts a message. */
  clean(text: string): string {
    return redactIn(this.spellings, text, 0);
  }

  /** Returns one of this package's errors with its message redacted, and anything else as it is. */
  cleanError(error: unknown): unknown {
    const trouble = troubleOf(error);
    return trouble ? new FrontdoorError(this.clean((error as Error).message), trouble) : error;
  }

  /** Returns the result of an operation. @throws the operation's error, redacted. */
  async cleaned<Result>(operation: Promise<Result>): Promise<Result> {
    try {
      return await operation;
    } catch (error) {
      throw this.cleanError(error);
    }
  }

  /** Redacts a text that the service answers. */
  cleanAnswer(text: string): string {
    return redactIn(this.spellings, text, fewestInAnswers);
  }

  /** Redacts every text, number and key in a parsed answer. */
  cleanParsed(value: unknown): unknown {
    if (typeof value === "string") return this.cleanAnswer(value);
    if (typeof value === "number") return this.cleanAnswer(String(value)) === String(value) ? value : redacted;
    if (Array.isArray(value)) return value.map((each) => this.cleanParsed(each));
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, each]) => [this.cleanAnswer(key), this.cleanParsed(each)]),
    );
  }
}

/** Redacts the spellings of at least so many letters in a text. */
function redactIn(all: Set<string>, text: string, fewest: number): string {
  const spellings = [...all].filter(({ length }) => length >= fewest && length <= text.length);
  const isIn = (each: string) => spellings.some((spelling) => each.includes(spelling));
  const cleaned = isIn(text) ? covered(text, spellings) : text;
  const hidesSecret = (each: string) => unescaped(each).some(isIn);
  if (!hidesSecret(cleaned)) return cleaned;
  const words = cleaned.split(/(\s+)/).map((word) => (hidesSecret(word) ? redacted : word));
  return hidesSecret(words.join("")) ? redacted : words.join("");
}

/** Returns the text with every part that a spelling covers redacted once, also where spellings overlap. */
function covered(text: string, spellings: string[]): string {
  const isSecret = new Uint8Array(text.length);
  for (const spelling of spellings)
    for (let index = text.indexOf(spelling); index >= 0; index = text.indexOf(spelling, index + 1))
      isSecret.fill(1, index, index + spelling.length);
  return text.replace(/[^]/g, (letter, index: number) => {
    if (!isSecret[index]) return letter;
    return isSecret[index - 1] ? "" : redacted;
  });
}

/** Returns the spellings in base64 and in base64url: with padding, without, and as a part of a longer text. */
function base64Of(secret: string): string[] {
  const whole = Buffer.from(secret).toString("base64");
  // The part that is the same whatever follows, and whatever precedes it in 0, 1 or 2 bytes.
  const within = [0, 1, 2].map((offset) => {
    const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(secret)]);
    return bytes.toString("base64").slice(Math.ceil((offset * 8) / 6), Math.floor((bytes.length * 8) / 6));
  });
  const all = [whole, whole.replace(/=+$/, ""), ...within].filter(({ length }) => length >= fewestLetters);
  return all.flatMap((text) => [text, text.replaceAll("+", "-").replaceAll("/", "_")]);
}

const escapes: Record<string, string> = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };

/** Undoes the escapes of JSON once (RFC 8259, section 7). */
const fromJson = (text: string) =>
  text.replace(/\\(?:u([0-9A-Fa-f]{4})|(["'\\/bfnrt]))/g, (_, code: string | undefined, letter = "") =>
    code === undefined ? (escapes[String(letter)] ?? String(letter)) : String.fromCharCode(parseInt(code, 16)),
  );

/** Undoes the escapes of URLs once (RFC 3986, section 2.1), as UTF-8. */
const fromUrl = (text: string) =>
  text.replace(/(?:%[0-9A-Fa-f]{2})+/g, (escape) => Buffer.from(escape.replaceAll("%", ""), "hex").toString());

/** Returns the texts that result if the escapes of JSON, or those of URLs, are undone once. */
const unescaped = (text: string): string[] => [fromJson(text), fromUrl(text)].filter((each) => each !== text);
