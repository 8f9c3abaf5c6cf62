import { FrontdoorError, troubleOf } from "../errors";

/** Shorter secrets are not redacted in messages: without them no message could be read. */
const fewestInMessages = 4;

/** Shorter spellings are not redacted in answers: they can be part of a value by accident. */
const fewestInAnswers = 16;

const redacted = "[secret]";

/**
 * Redacts known secrets: as they are and in base64, also inside a longer text that is in base64. If escapes of JSON or of URLs hide
 * a secret, its whole word is redacted, or the whole text if the secret spans words.
 */
export class Redactor {
  /** The spellings of all secrets. */
  private readonly inMessages = new Set<string>();
  /** The spellings of the credentials. The service may repeat an input in an answer. */
  private readonly inAnswers = new Set<string>();

  add(secret: string): void {
    for (const spelling of spellingsOf(secret)) this.inMessages.add(spelling);
  }

  addCredentials(...secrets: string[]): void {
    for (const secret of secrets) this.add(secret);
    for (const spelling of secrets.flatMap(spellingsOf))
      if (spelling.length >= fewestInAnswers) this.inAnswers.add(spelling);
  }

  /**
   * Adds a secret property with every value in it, and the bare host of a `host:port`. A value that the same resource also has in plain
   * text, such as its front door, is no secret.
   */
  addAll(secret: unknown, plain?: unknown): void {
    const known = new Set(textsIn(plain));
    const texts = textsIn(secret).flatMap((text) => [text, text.replace(/:\d+$/, "")]);
    for (const text of texts) if (!known.has(text)) this.add(text);
  }

  /** Redacts a message. */
  clean(text: string): string {
    return redactIn(text, [...this.inMessages]);
  }

  /** Returns one of this package's errors with its message redacted, and anything else as it is. */
  cleanError(error: unknown): unknown {
    const trouble = troubleOf(error);
    return trouble ? new FrontdoorError(this.clean((error as Error).message), trouble) : error;
  }

  /** Returns the result of an operation. @throws the operation's error, redacted. */
  cleaned<Result>(operation: Promise<Result>): Promise<Result> {
    return operation.catch((error: unknown) => {
      throw this.cleanError(error);
    });
  }

  /** Redacts the credentials in a text that the service answers. */
  cleanAnswer(text: string): string {
    return redactIn(text, [...this.inAnswers]);
  }

  /** Redacts the credentials in every text, number and key of a parsed answer. */
  cleanParsed(value: unknown): unknown {
    if (typeof value === "string") return this.cleanAnswer(value);
    if (typeof value === "number") return this.cleanAnswer(String(value)) === String(value) ? value : redacted;
    if (Array.isArray(value)) return value.map((part) => this.cleanParsed(part));
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, part]) => [this.cleanAnswer(key), this.cleanParsed(part)]),
    );
  }
}

/** Returns every text and number in a value. `__set` of a share has names of arguments only. */
function textsIn(value: unknown): string[] {
  if (typeof value === "string" || typeof value === "number") return [String(value)];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, part]) => (name === "__set" ? [] : textsIn(part)));
}

function redactIn(text: string, spellings: string[]): string {
  const isIn = (part: string) => spellings.some((spelling) => part.includes(spelling));
  const cleaned = isIn(text) ? covered(text, spellings) : text;
  const hidesSecret = (part: string) => [fromJson(part), fromUrl(part)].some((plain) => plain !== part && isIn(plain));
  if (!hidesSecret(cleaned)) return cleaned;
  const words = cleaned.replace(/\S+/g, (word) => (hidesSecret(word) ? redacted : word));
  return hidesSecret(words) ? redacted : words;
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

/** Returns a secret as it is, in a form, and in base64 and base64url: with padding, without, and as a part of a longer text. */
function spellingsOf(secret: string): string[] {
  if (secret.length < fewestInMessages) return [];
  const whole = Buffer.from(secret).toString("base64");
  // The part that is the same whatever follows, and whatever precedes it in 0, 1 or 2 bytes.
  const within = [0, 1, 2].map((offset) => {
    const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(secret)]);
    return bytes.toString("base64").slice(Math.ceil((offset * 8) / 6), Math.floor((bytes.length * 8) / 6));
  });
  const inBase64 = [whole, whole.replace(/=+$/, ""), ...within];
  const inBase64Url = inBase64.map((text) => text.replaceAll("+", "-").replaceAll("/", "_"));
  const all = [secret, secret.replaceAll(" ", "+"), ...inBase64, ...inBase64Url];
  return all.filter(({ length }) => length >= fewestInMessages);
}

/** Undoes the escapes of JSON once (RFC 8259, section 7). */
const fromJson = (text: string) =>
  text.replace(/\\(?:u[0-9A-Fa-f]{4}|["\\/bfnrt])/g, (escape) => JSON.parse(`"${escape}"`) as string);

/** Undoes the escapes of URLs once (RFC 3986, section 2.1), as UTF-8. */
const fromUrl = (text: string) =>
  text.replace(/(?:%[0-9A-Fa-f]{2})+/g, (escape) => Buffer.from(escape.replaceAll("%", ""), "hex").toString());
