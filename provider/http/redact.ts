import { FrontdoorError, troubleOf } from "../errors";
import { type Reading, readings } from "./readings";

/** Shorter secrets stay: without them no message could be read. */
const fewestLetters = 4;

/** Shorter spellings stay in answers: they can be part of a value by accident. */
const fewestInAnswers = 16;

/**
 * Takes known secrets out of texts: as they are and in base64, also inside a longer text that is in base64. The escapes of JSON and of
 * URLs do not hide them, not even escapes of escapes.
 */
export class Redactor {
  private readonly spellings = new Set<string>();

  add(secret: string): void {
    if (secret.length < fewestLetters) return;
    for (const spelling of [secret, secret.replaceAll(" ", "+"), ...base64Of(secret)]) this.spellings.add(spelling);
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

  /** Passes on the result of an operation, and cleans its errors. */
  async cleaned<Result>(operation: Promise<Result>): Promise<Result> {
    try {
      return await operation;
    } catch (error) {
      throw this.cleanError(error);
    }
  }

  /** For a text that the service answers, which goes on as a value. */
  cleanAnswer(text: string): string {
    return this.without(text, fewestInAnswers);
  }

  /** For an answer in JSON that has been parsed: cleans every text, number and key in it. */
  cleanParsed(value: unknown): unknown {
    if (typeof value === "string") return this.cleanAnswer(value);
    if (typeof value === "number") return this.cleanAnswer(String(value)) === String(value) ? value : "[secret]";
    if (Array.isArray(value)) return value.map((each) => this.cleanParsed(each));
    if (typeof value !== "object" || value === null) return value;
    const entries = Object.entries(value).map(
      ([key, each]) => [this.cleanAnswer(key), this.cleanParsed(each)] as const,
    );
    return Object.fromEntries(entries);
  }

  private without(text: string, fewest: number): string {
    // Undoing an escape never makes a text longer.
    if (text.length < fewest) return text;
    const spellings = [...this.spellings].filter(({ length }) => length >= fewest && length <= text.length);
    const found: [start: number, end: number][] = [];
    for (const reading of readings({ text, startOf: (index) => index }))
      for (const spelling of spellings) found.push(...placesOf(spelling, reading));
    let cleaned = "";
    let from = 0;
    for (const [start, end] of found.sort(([one, oneEnd], [other, otherEnd]) => one - other || otherEnd - oneEnd)) {
      if (start >= from) cleaned += `${text.slice(from, start)}[secret]`;
      from = Math.max(from, end);
    }
    return cleaned + text.slice(from);
  }
}

/** Returns the places in the original text at which a spelling begins and ends. */
function placesOf(spelling: string, { text, startOf }: Reading): [start: number, end: number][] {
  const places: [number, number][] = [];
  for (let index = text.indexOf(spelling); index >= 0; index = text.indexOf(spelling, index + spelling.length))
    places.push([startOf(index), startOf(index + spelling.length)]);
  return places;
}

/** The spellings in base64 and in base64url: with padding, without, and as a part of a longer text. */
function base64Of(secret: string): string[] {
  const whole = Buffer.from(secret).toString("base64");
  const within = [0, 1, 2]
    .map((offset) => base64Within(secret, offset))
    .filter(({ length }) => length >= fewestLetters);
  return [whole, whole.replace(/=+$/, ""), ...within].flatMap((text) => [text, toUrl(text)]);
}

/** The part of its base64 that is the same whatever follows, and whatever stands in so many bytes before it. */
function base64Within(secret: string, offset: number): string {
  const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(secret)]);
  return bytes.toString("base64").slice(Math.ceil((offset * 8) / 6), Math.floor((bytes.length * 8) / 6));
}

const toUrl = (base64: string) => base64.replaceAll("+", "-").replaceAll("/", "_");
