import { keysIn, spellings } from "./keys";

/** How a text can hold a sample configuration. */
export type Holding = "the pre-shared key" | "lines";

// Fewer or shorter lines stand in anyone's router configuration; so many of one sample's do not by chance.
const fewestLines = 3;
const shortestLine = 16;

/** Finds a sample configuration, or part of it, in other texts. */
export class Sample {
  private readonly needles: readonly string[];
  private readonly lines: readonly string[];

  constructor(sample: string) {
    this.needles = keysIn(sample).flatMap(spellings);
    const lines = sample.split(/[\r\n]+/).map((line) => line.trim());
    this.lines = [...new Set(lines)].filter((line) => line.length >= shortestLine);
  }

  /** What of the sample the text holds, undefined for nothing. Takes texts × lines steps at most. */
  in(text: string): Holding | undefined {
    if (this.needles.some((needle) => text.includes(needle))) return "the pre-shared key";
    if (text.length < fewestLines * shortestLine) return undefined;
    const held = this.lines.filter((line) => text.includes(line)).length;
    return held >= fewestLines ? "lines" : undefined;
  }
}
