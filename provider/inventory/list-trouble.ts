import { isRefused, isTransient } from "../errors";

/** Lists that fail while reads by id may work: after the n-th failure in a row the next n lists are not asked for. */
export class ListTrouble {
  private failures = 0;
  private leftOut = 0;

  /** What the list answers; undefined where it is not asked for. @throws what it throws. */
  async ask<Answer>(list: () => Promise<Answer>): Promise<Answer | undefined> {
    if (this.leftOut > 0) {
      this.leftOut -= 1;
      return undefined;
    }
    try {
      const answer = await list();
      this.failures = 0;
      return answer;
    } catch (error) {
      // Too many requests are no trouble of lists.
      if (isTransient(error) && !isRefused(error, 429)) this.leftOut = ++this.failures;
      throw error;
    }
  }
}
