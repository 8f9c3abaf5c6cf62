import { FrontdoorError, troubleOf } from "../errors";

/** Shorter ones are left alone: taking them out would garble every message. */
const fewestLetters = 4;

/**
 * Takes known secrets out of text, in every spelling in which they may come back: raw, base64 (also within a longer text),
 * URL-encoded, JSON-escaped.
 */
export class Redactor {
  /** The longest first: one can be a part of another. */
  private spellings: string[] = [];
  private readonly secrets = new Set<string>();

  add(secret: string): void {
    if (secret.length < fewestLetters || this.secrets.has(secret)) return;
    this.secrets.add(secret);
    const json = JSON.stringify(secret).slice(1, -1);
    const form = new URLSearchParams([["", secret]]).toString().slice(1);
    const whole = Buffer.from(secret).toString("base64");
    const within = [0, 1, 2].map((offset) => base64Within(secret, offset));
    const spellings = [
      ...this.spellings,
      secret,
      ...[whole, whole.replace(/=+$/, ""), ...within.filter(({ length }) => length >= fewestLetters)].flatMap(
        (text) => [text, toUrl(text)],
      ),
      ...[encodeURIComponent(secret), form].flatMap((text) => [
        text,
        text.replace(/%../g, (code) => code.toLowerCase()),
      ]),
      ...[json, json.replace(/[^ -~]/g, escaped)].flatMap((text) => [text, text.replaceAll("/", "\\/")]),
    ];
    this.spellings = [...new Set(spellings)].sort((a, b) => b.length - a.length);
  }

  /** A secret value, and all in it; of a `host:port` the host, too. */
  addAll(value: unknown): void {
    if (typeof value === "string" || typeof value === "number") {
      this.add(String(value));
      const [, host] = /^(.+):\d+$/.exec(String(value)) ?? [];
      if (host !== undefined) this.add(host);
    } else if (typeof value === "object" && value !== null) {
      for (const each of Object.values(value)) this.addAll(each);
    }
  }

  /** For messages. */
  clean(text: string): string {
    return this.without(text, 0);
  }

  /** One of our errors with its message cleaned; anything else as it is. */
  cleanError(error: unknown): unknown {
    const trouble = troubleOf(error);
    return trouble ? new FrontdoorError(this.clean((error as Error).message), trouble) : error;
  }

  /** What an operation comes to, its errors cleaned. */
  async cleaned<Result>(operation: Promise<Result>): Promise<Result> {
    try {
      return await operation;
    } catch (error) {
      throw this.cleanError(error);
    }
  }

  /** For answers, whose values go on: one of less than 16 letters can be a part of them by accident. */
  cleanAnswer(text: string): string {
    return this.without(text, 16);
  }

  private without(text: string, fewest: number): string {
    return this.spellings
      .filter(({ length }) => length >= fewest)
      .reduce((cleaned, spelling) => cleaned.replaceAll(spelling, "[secret]"), text);
  }
}

/** The part of its base64 that is the same whatever follows, and whatever stands in so many bytes before it. */
function base64Within(secret: string, offset: number): string {
  const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(secret)]);
  return bytes.toString("base64").slice(Math.ceil((offset * 8) / 6), Math.floor((bytes.length * 8) / 6));
}

const toUrl = (base64: string) => base64.replaceAll("+", "-").replaceAll("/", "_");

const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
