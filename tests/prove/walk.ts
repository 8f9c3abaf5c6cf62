import { type Edit, type Program, revertEdit } from "./alphabet";
import type { Kept } from "../model/state";
import { strangers } from "./checks";
import { Histories, type Settled, type Tries, type Violation } from "./histories";
import type { Setting, Snapshot } from "./run";

export interface Walked {
  states: number;
  runs: number;
  histories: number;
  settled: number;
  isCut: boolean;
  pairs: number;
  violations: readonly Violation[];
}

export interface Alphabet {
  start: Program;
  editsOf(program: Program, state: readonly Kept[]): Edit[];
}

export interface Slice extends Tries {
  /** Edits after the first `up`. */
  edits: number;
  /** Milliseconds after which the walk ends early. */
  limitMs: number;
  /** Ends at the first violation. */
  isFirst?: boolean;
  /** The walk continues only from every n-th world between runs. */
  stride?: number;
}

export const start: Snapshot = {
  ...{ state: [], items: strangers, given: 0, records: new Map(), late: [] },
  wallMs: Date.UTC(2030, 0, 1),
};

/** Walks every history, breadth first, and skips worlds that it has seen. */
export class Walk {
  private readonly histories: Histories;
  private readonly begunMs = performance.now();
  private isCut = false;

  constructor(
    setting: Setting,
    private readonly alphabet: Alphabet,
    private readonly slice: Slice,
    private readonly say: (line: string) => void,
  ) {
    this.histories = new Histories(setting, say, slice);
  }

  async all(): Promise<Walked> {
    const first: Edit = { name: "up", program: this.alphabet.start };
    const nothing: Settled = {
      ...{ edits: 0, program: [], snapshot: start, before: undefined, path: [], orphans: new Set() },
    };
    await this.histories.edit(nothing, first);
    for (let edits = 1; edits <= this.slice.edits && !this.isOver(); edits++) {
      // Pairs are tried from the first world only.
      const { everyNthPair, stride = everyNthPair === undefined ? 1 : Infinity } = this.slice;
      await this.level(this.histories.takeSettled().filter((_, nth) => nth % stride === 0));
    }
    const { isCut } = this;
    return { ...this.histories.counts(), isCut };
  }

  private async level(level: readonly Settled[]): Promise<void> {
    if (level[0]) this.say(`edit ${level[0].edits}, from ${level.length} worlds between runs`);
    for (const [nth, settled] of level.entries())
      for (const edit of this.editsOf(settled)) {
        if (this.isOver()) {
          this.say(`ended early, after ${nth} of them`);
          return;
        }
        await this.histories.edit(settled, edit);
      }
  }

  private editsOf({ program, snapshot, before }: Settled): Edit[] {
    const edits = this.alphabet.editsOf(program, snapshot.state);
    return before ? [...edits, revertEdit(program, before)] : edits;
  }

  private isOver(): boolean {
    if (this.slice.isFirst && this.histories.violations.length > 0) return true;
    this.isCut ||= performance.now() - this.begunMs > this.slice.limitMs;
    return this.isCut;
  }
}
