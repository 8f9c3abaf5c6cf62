import * as z from "zod";
import { hashOf, jsonOf, type RecordStore } from "./creates";

/** A delete that was sent and, as far as this machine knows, may not have reached the state. */
const sentDelete = z.object({
  /** Wall-clock milliseconds at which it was sent last. */
  deletedAtMs: z.number(),
});

export interface OwnDeletes {
  /** Wall-clock milliseconds at which a delete of this id was sent last; undefined where there is no record of one. */
  sentAtMs(id: string): number | undefined;
  note(id: string): void;
  /** It is gone: the engine is told so, and saves it unless the run is cut off. */
  told(id: string): void;
  /** Nothing was deleted. */
  forget(id: string): void;
}

/** For what a state no longer holds nobody asks again. */
const keptMs = 30 * 24 * 3_600_000;

/** Deletes of one project folder on one service, one record each: written before the DELETE, gone once the run has ended in order. */
export class Deletes {
  private sent: Map<string, number> | undefined;
  /** What the engine was told of in this run. */
  private readonly answers = new Set<string>();

  constructor(
    private readonly store: RecordStore,
    private readonly wall: () => number,
  ) {}

  /** Those of one kind on one front door, by id. */
  at(place: readonly string[]): OwnDeletes {
    const keyOf = (id: string) => hashOf(["delete", ...place, id]);
    return {
      sentAtMs: (id) => (this.all().size > 0 ? this.all().get(keyOf(id)) : undefined),
      note: (id) => {
        const deletedAtMs = this.wall();
        this.all().set(keyOf(id), deletedAtMs);
        this.store.write(keyOf(id), JSON.stringify({ deletedAtMs }));
      },
      told: (id) => {
        this.answers.add(keyOf(id));
      },
      forget: (id) => {
        this.remove(keyOf(id));
      },
    };
  }

  /** The run has ended in order: the engine has saved what it was told. */
  saved(): void {
    for (const key of this.answers) this.remove(key);
    this.answers.clear();
  }

  private remove(key: string): void {
    if (this.all().delete(key)) this.store.remove(key);
  }

  private all(): Map<string, number> {
    if (this.sent) return this.sent;
    this.sent = new Map();
    for (const [key, text] of this.store.read()) {
      const { success, data } = sentDelete.safeParse(jsonOf(text));
      if (!success) continue;
      if (this.wall() < data.deletedAtMs + keptMs) this.sent.set(key, data.deletedAtMs);
      else this.store.remove(key);
    }
    return this.sent;
  }
}
