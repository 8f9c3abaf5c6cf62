import { isRefused, isTransient } from "../errors";

/** Three in a row, a few seconds of a wait, can be no more than a bad moment. */
const fewestFailures = 4;
/** So many lists are passed by before one is tried again. */
const passedBy = 9;

/** Lists that fail again and again while reads by id may work: from the fourth failure in a row on only every tenth one is asked for. */
export class ListTrouble {
  private failures = 0;
  private passed = 0;

  get isLasting(): boolean {
    return this.failures >= fewestFailures;
  }

  /** Whether the next list is to be asked for; counts those that are not. */
  isWorthATry(): boolean {
    if (!this.isLasting) return true;
    this.passed = this.passed < passedBy ? this.passed + 1 : 0;
    return this.passed === 0;
  }

  /** Takes note of how a list ends. @throws what it throws. */
  async note<Answer>(list: Promise<Answer>): Promise<Answer> {
    try {
      const answer = await list;
      this.failures = 0;
      return answer;
    } catch (error) {
      // Too many requests are no trouble of lists.
      if (isTransient(error) && !isRefused(error, 429)) this.failures += 1;
      throw error;
    }
  }
}
