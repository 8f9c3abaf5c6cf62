import type { Listed } from "./pages";

/**
 * What a list that lacks an id tells. A service may honour only some of the values of a repeated filter, or none beyond a number
 * or a length: an id is certainly asked for only in a list of no more ids than one answer has shown, or between two that are shown.
 */
export class Absence {
  /** The most of the ids asked for that one answer has shown. */
  private mostShown = 0;
  /** Last listed as DELETING: a service that lists those shows an id until it is gone. */
  private readonly going = new Set<string>();

  constructor(
    /** False after a list has lacked what a read by id shows. */
    private isReliable: boolean,
  ) {}

  /** The ids that the service was certainly asked for, and that it has not shown. */
  learn(asked: string[], answer: Listed<{ id: string; status: string }>): string[] {
    const { entries, ids } = answer;
    const shown = asked.flatMap((id, at) => (ids.has(id) ? [at] : []));
    this.mostShown = Math.max(this.mostShown, shown.length);
    for (const { id, status } of entries) {
      if (status === "DELETING") this.going.add(id);
      else this.going.delete(id);
    }
    if (!this.isReliable || !isComplete(answer)) return [];
    const isAll = asked.length <= this.mostShown || this.mostShown === 0;
    const [first = Infinity, last = -1] = isAll ? [0, asked.length] : [shown[0], shown.at(-1)];
    return asked.filter((id, at) => !ids.has(id) && at >= first && at <= last);
  }

  /** Whether this id, which a list has lacked though it was asked for, is gone. */
  proves(id: string): boolean {
    return this.going.has(id);
  }

  /**
   * Whether one that is gone speaks for others that were asked for: where lists show what is DELETING, or have not shown any at all,
   * all went as soon as they were to.
   */
  isSampleEnough(): boolean {
    return this.going.size > 0 || this.mostShown === 0;
  }

  /** Told that a read by id shows what a list has lacked. */
  doubt(answer: Pick<Listed<never>, "pages" | "isWhole">): void {
    if (isComplete(answer)) this.isReliable = false;
  }
}

/** An entry can slip between two pages. */
const isComplete = ({ pages, isWhole }: Pick<Listed<never>, "pages" | "isWhole">) => pages === 1 && isWhole;
