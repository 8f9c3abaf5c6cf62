import { decoded, isKeyProperty, keysIn, spellings } from "./keys";
import type { Found } from "./sdk";

/** The ways in which a text can hold a configuration. */
type Holding = "the pre-shared key" | "lines";

// Fewer or shorter lines can be in any router configuration by chance.
const fewestLines = 3;
const shortestLine = 16;
/** A shorter key could be in another text by chance. */
const shortestKey = 8;

/** A text with the texts that it holds in encodings. */
class Reading {
  readonly texts: readonly string[];
  /** True if one of them sets a pre-shared key. */
  readonly setsKey: boolean;
  private bare: readonly string[] | undefined;

  constructor(text: string) {
    this.texts = decoded(text);
    this.setsKey = this.texts.some((each) => keysIn(each).length > 0);
  }

  /** The texts without characters that can separate the letters of a key. They are computed only if a key is known. */
  get folded(): readonly string[] {
    this.bare ??= this.texts.map(folded);
    return this.bare;
  }
}

// Many texts repeat: resources of one kind have the same property names, and outputs repeat inputs.
const readings = new Map<string, Reading>();
const mostReadings = 20_000;

/** Returns the same object for the same text, so that each text is read once. */
export function readingOf(text: string): Reading {
  const known = readings.get(text);
  if (known) return known;
  const reading = new Reading(text);
  if (readings.size >= mostReadings) readings.clear();
  readings.set(text, reading);
  return reading;
}

/** Finds a configuration's pre-shared keys in other texts. If the configuration announces no known key, finds its lines. */
export class Sample {
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
  in(reading: Reading): Holding | undefined {
    if (this.hasKey && reading.folded.some((text) => this.needles.some((needle) => text.includes(needle))))
      return "the pre-shared key";
    const holds = (text: string) => this.lines.filter((line) => text.includes(line)).length >= fewestLines;
    return this.lines.length > 0 && reading.texts.some(holds) ? "lines" : undefined;
  }
}

/** Returns one spelling for a key in other letter case, with spaces or hyphens, or escaped. */
const folded = (text: string) => text.toLowerCase().replace(/[^a-z0-9]+/g, "");

/** True if a text sets a pre-shared key, also in an encoding, or if the name of its property announces a key. */
export const announces = (found: Found): boolean => readingOf(found.text).setsKey || isKeyProperty(found);

/** Returns the places of texts that hold keys, without the keys: the name of a property can also be such a text. */
export const withoutKeys = (held: readonly Found[]): string[] =>
  held.map(({ path }) => held.reduce((shown, { text }) => (text === "" ? shown : shown.replaceAll(text, "*")), path));
