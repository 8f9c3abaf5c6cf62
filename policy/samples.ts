import { decoded } from "./encodings";
import { keysIn, spellings } from "./keys";

/** How a text can hold a configuration. */
export type Holding = "the pre-shared key" | "lines";

// Fewer or shorter lines stand in anyone's router configuration; so many of one sample's do not by chance.
const fewestLines = 3;
const shortestLine = 16;
/** A shorter key could stand in another text by chance. */
const shortestKey = 8;

/** A text, and what it holds in encodings. */
export class Reading {
  readonly texts: readonly string[];
  /** Whether one of them sets a pre-shared key. */
  readonly setsKey: boolean;
  private bare: readonly string[] | undefined;

  constructor(text: string) {
    this.texts = decoded(text);
    this.setsKey = this.texts.some((each) => keysIn(each).length > 0);
  }

  /** Each without what may be put between the letters of a key. Only where a key is known this is asked for. */
  get folded(): readonly string[] {
    this.bare ??= this.texts.map(folded);
    return this.bare;
  }
}

// The names of properties and many of their values are the same in all resources of a kind, and outputs repeat inputs.
const readings = new Map<string, Reading>();
const mostReadings = 20_000;

/** The same object for the same text, so that each is read once. */
export function readingOf(text: string): Reading {
  const known = readings.get(text);
  if (known) return known;
  const reading = new Reading(text);
  if (readings.size >= mostReadings) readings.clear();
  readings.set(text, reading);
  return reading;
}

/** Finds a configuration's pre-shared keys in other texts, and where it announces none that is known, its lines. */
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

  /** Whether there is a key to look for. */
  get hasKey(): boolean {
    return this.needles.length > 0;
  }

  /** What of it the text holds, undefined for nothing. Takes texts × lines steps at most. */
  in(reading: Reading): Holding | undefined {
    if (this.hasKey && reading.folded.some((text) => this.needles.some((needle) => text.includes(needle))))
      return "the pre-shared key";
    const holds = (text: string) => this.lines.filter((line) => text.includes(line)).length >= fewestLines;
    return this.lines.length > 0 && reading.texts.some(holds) ? "lines" : undefined;
  }
}

/** One spelling for a key in other letters, with spaces or hyphens in it, or escaped. */
const folded = (text: string) => text.toLowerCase().replace(/[^a-z0-9]+/g, "");
