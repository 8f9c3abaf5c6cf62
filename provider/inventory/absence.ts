import type { Listed } from "../api/listing";

/**
 * Which ids a list proves to be gone that lacks them: those that an earlier one showed as DELETING, as a service that lists those
 * shows an id until it is gone. A service may honour only some of the values of a repeated filter, or none beyond a number or a
 * length: an id is certainly asked for only in a list of no more ids than one answer has shown, or between two that are shown.
 */
export class Absence {
  /** The most of the ids asked for that one answer has shown. */
  private mostShown = 0;
  /** Last listed as DELETING. */
  private readonly going = new Set<string>();

  constructor(
    /** False after a list has lacked what a read by id shows. */
    private isReliable: boolean,
  ) {}

  /** The ids that this answer proves to be gone. */
  learn(asked: string[], answer: Listed<{ id: string; status: string }>): string[] {
    const { entries, ids } = answer;
    const shown = asked.flatMap((id, at) => (ids.has(id) ? [at] : []));
    this.mostShown = Math.max(this.mostShown, shown.length);
    for (const { id, status } of entries) {
      if (status === "DELETING") this.going.add(id);
      else this.going.delete(id);
    }
    if (!this.isReliable || !isComplete(answer)) return [];
    const [first = Infinity, last = -1] = asked.length <= this.mostShown ? [0, asked.length] : [shown[0], shown.at(-1)];
    return asked.filter((id, at) => !ids.has(id) && at >= first && at <= last && this.going.has(id));
  }

  /** Told that a read by id shows what a list has lacked. */
  doubt(answer: Pick<Listed<never>, "pages" | "isWhole">): void {
    if (isComplete(answer)) this.isReliable = false;
  }
}

/** An entry can slip between two pages. */
const isComplete = ({ pages, isWhole }: Pick<Listed<never>, "pages" | "isWhole">) => pages === 1 && isWhole;
