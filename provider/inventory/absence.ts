import type { Listed } from "../api/listing";

/**
 * Which deletes a list proves: an id that an earlier list has shown as DELETING and that this one, whole and of one page, lacks.
 * A service may honour only some of the values of a repeated filter: an id is certainly asked for only in a list of no more ids than
 * one list has shown at once, or between two that this one shows.
 */
export class Absence {
  private mostShown = 0;
  private readonly deleting = new Set<string>();
  private isReliable = true;

  /** The ids that this answer proves to be gone. */
  learn(asked: string[], answer: Listed<{ id: string; status: string }>): string[] {
    const shown = asked.flatMap((id, at) => (answer.ids.has(id) ? [at] : []));
    this.mostShown = Math.max(this.mostShown, shown.length);
    for (const { id, status } of answer.entries) {
      if (status === "DELETING") this.deleting.add(id);
      else this.deleting.delete(id);
    }
    if (!this.isReliable || !isComplete(answer)) return [];
    const [first = Infinity, last = -1] = asked.length <= this.mostShown ? [0, asked.length] : [shown[0], shown.at(-1)];
    return asked.filter((id, at) => !answer.ids.has(id) && at >= first && at <= last && this.deleting.has(id));
  }

  /** Told that a read by id shows what this list has lacked: from then on lists prove nothing. */
  doubt(answer: Listed<{ id: string; status: string }>): void {
    if (isComplete(answer)) this.isReliable = false;
  }
}

/** An entry can slip between two pages. */
const isComplete = ({ pages, isWhole }: Listed<{ id: string }>) => pages === 1 && isWhole;
