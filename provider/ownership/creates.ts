import { createHash } from "node:crypto";
import * as z from "zod";
import { idPattern } from "../config";

/** A create that was sent and, as far as this machine knows, has not reached the state. */
const begunCreate = z.object({
  /** Project, stack and resource: its URN, after the organization. */
  origin: z.string(),
  /** Wall-clock milliseconds at which the last POST was sent. */
  postedAtMs: z.number(),
  /** Of the fields sent. */
  likeness: z.string(),
  /** Ids that had the name already, such as one that is being replaced: an interrupted run began none of them. */
  before: z.array(z.string().regex(idPattern)),
  /** Where nobody has given it: the engine may propose another one in the next run. */
  name: z.string().optional(),
  /** Once the answer has told it. */
  id: z.string().regex(idPattern).optional(),
});
export type BegunCreate = z.output<typeof begunCreate>;

export interface OwnCreates {
  /** The record of a create under this name, where it is this very resource's. */
  find(name: string, origin: string): BegunCreate | undefined;
  /** The name under which a create of this very resource was begun, where nobody has given it. */
  nameOf(origin: string): string | undefined;
  note(name: string, begun: BegunCreate): void;
  /** The create has ended: the engine is told of it, and saves it unless the run is cut off. */
  told(name: string): void;
  /** What was begun for this very resource under another name, or where an id is told as another one: its record goes. */
  outlived(origin: string, needed: { name: string; id?: string }): BegunCreate[];
  /** What was begun for resources whose origin begins so and ends in none of these keys: their records go. */
  outlivedIn(start: string, keys: Set<string>): BegunCreate[];
  /** The record of a create under this name whose answer told this id, of any stack of the project. */
  begunAs(name: string, id: string): BegunCreate | undefined;
  /** The same of a create whose answer was lost, if the id can be what it created: no proof that it is. */
  perhapsBegunAs(name: string, id: string): BegunCreate | undefined;
  /** Nothing was created; or, with an id, some state holds what was, or what can only be that as it was not there before. */
  forget(name: string, id?: string): void;
}

/** Where records lie: in files of this machine, or in a test's memory. */
export interface RecordStore {
  read(): [key: string, text: string][];
  write(key: string, text: string): void;
  remove(key: string): void;
}

/** Unfinished creates of one project folder on one service, one record each: written before the POST, gone once the id is in the state. */
export class Creates {
  private begun: Map<string, BegunCreate> | undefined;
  /** What the engine was told of in this run; a create that is interrupted while it waits is none of them. */
  private readonly answers = new Set<string>();

  constructor(private readonly store: RecordStore) {}

  /** Those of one kind on one front door, by name. */
  at(place: readonly string[]): OwnCreates {
    const keyOf = (name: string) => hashOf([...place, name]);
    const under = (name: string) => (this.all().size === 0 ? undefined : this.all().get(keyOf(name)));
    const begunAs = (name: string, id: string) => {
      const begun = under(name);
      return begun?.id === id ? begun : undefined;
    };
    const perhapsBegunAs = (name: string, id: string) => {
      const begun = under(name);
      return begun?.id === undefined && !begun?.before.includes(id) ? begun : undefined;
    };
    return {
      find: (name, origin) => {
        const found = this.all().get(keyOf(name));
        return found?.origin === origin ? found : undefined;
      },
      nameOf: (origin) => {
        const isIt = ([key, begun]: [string, BegunCreate]) =>
          begun.origin === origin && begun.name !== undefined && key === keyOf(begun.name);
        return [...this.all()].find(isIt)?.[1].name;
      },
      note: (name, begun) => {
        const key = keyOf(name);
        this.all().set(key, begun);
        this.store.write(key, JSON.stringify(begun));
      },
      told: (name) => {
        this.answers.add(keyOf(name));
      },
      outlived: (origin, { name, id }) =>
        this.taken(
          (key, begun) => begun.origin === origin && (id === undefined ? key !== keyOf(name) : begun.id !== id),
        ),
      outlivedIn: (start, keys) =>
        this.taken((_key, { origin }) => origin.startsWith(start) && !keys.has(origin.slice(start.length))),
      begunAs,
      perhapsBegunAs,
      forget: (name, id) => {
        if (id === undefined || begunAs(name, id) || perhapsBegunAs(name, id)) this.remove(keyOf(name));
      },
    };
  }

  /** The run has ended in order: the engine has saved what it was told. */
  saved(): void {
    for (const key of this.answers) if (this.all().get(key)?.id !== undefined) this.remove(key);
    this.answers.clear();
  }

  /** Removes the records of which that is true. */
  private taken(isIt: (key: string, begun: BegunCreate) => boolean): BegunCreate[] {
    const taken = [...this.all()].filter(([key, begun]) => isIt(key, begun));
    for (const [key] of taken) this.remove(key);
    return taken.map(([, begun]) => begun);
  }

  private remove(key: string): void {
    this.all().delete(key);
    this.store.remove(key);
  }

  private all(): Map<string, BegunCreate> {
    return (this.begun ??= new Map(
      this.store.read().flatMap(([key, text]): [string, BegunCreate][] => {
        const parsed = begunCreate.safeParse(jsonOf(text));
        return parsed.success ? [[key, parsed.data]] : [];
      }),
    ));
  }
}

/** A text of fixed length that tells the parts from any others without showing them. */
export const hashOf = (parts: readonly unknown[]): string =>
  createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 32);

/** What a record says; undefined where its file is torn. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
