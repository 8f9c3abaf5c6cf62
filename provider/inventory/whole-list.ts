import type { Collection } from "../api/collection";
import type { Listed } from "../api/lists";
import type { Clock, Until } from "../time/clock";

/** An older list may lack entries that others have created. */
export const freshMs = 3_000;
/** A longer list is never read whole. */
const mostPages = 20;

/**
 * The list of all entries of one kind, shared for three seconds or until this process changes an entry. A question costs one request
 * without this list, and each page of this list costs one. So the list is read once it has no more pages than there were questions.
 */
export class WholeList<Wire extends { id: string; status: string }> {
  private last: { listed: Listed<Wire>; atMs: number } | undefined;
  /** The number of this process's changes when the list was read. */
  private changes = 0;
  /** The questions since the last read. After a change, the count starts again, without the questions that come first. */
  private questions = 0;
  /** The pages of the last list. */
  private pages = 2;
  /** The last read: reads come one after the other. */
  private turn: Promise<Listed<Wire> | undefined> = Promise.resolve(undefined);

  constructor(
    private readonly calls: Pick<Collection<Wire>, "list" | "changes">,
    private readonly clock: Pick<Clock, "now">,
  ) {}

  /** The list as last read, if it still counts. */
  get current(): Listed<Wire> | undefined {
    const isFresh = this.last && this.clock.now() - this.last.atMs <= freshMs && this.changes === this.calls.changes;
    return isFresh ? this.last?.listed : undefined;
  }

  /** Counts new questions. Returns the current list, reads it if that saves requests, or else returns undefined; never rejects. */
  read(questions: number, until: Until): Promise<Listed<Wire> | undefined> {
    this.turn = this.turn.then(() => this.current ?? this.readNow(questions, until));
    return this.turn;
  }

  private async readNow(questions: number, until: Until): Promise<Listed<Wire> | undefined> {
    const { changes } = this.calls;
    this.last = undefined;
    this.questions = changes === this.changes ? this.questions + questions : 0;
    this.changes = changes;
    const options = { isPoll: true, mostPages: Math.min(this.questions, mostPages) } as const;
    if (this.pages > options.mostPages) return undefined;
    const atMs = this.clock.now();
    const listed = await this.calls.list([], until, options).catch(() => undefined);
    this.questions = 0;
    this.pages = Math.max(listed?.length ?? 0, 2);
    if (!listed?.isWhole) return undefined;
    this.last = { listed, atMs };
    return listed;
  }
}
