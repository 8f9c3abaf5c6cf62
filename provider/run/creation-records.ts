import { createHash } from "node:crypto";
import * as z from "zod";
import { idPattern } from "../config";
import { valueOf } from "../fields/field";
import { partsOf, setOriginOf } from "../origin";
import type { Register } from "./register";

/** A create whose POST is sent or about to be sent. Pulumi's state may not have its id. */
const creationRecord = z.object({
  /** The origin of the resource: the organization and the URN. */
  origin: z.string(),
  /** The time of the last POST, in wall-clock milliseconds. */
  postedAtMs: z.number(),
  /** The limit of that request. Undefined in records of versions that did not note it. */
  requestTimeoutMs: z.number().positive().optional(),
  /** Ids that had the name before the POST: the POST created none of them. */
  before: z.array(z.string().regex(idPattern)),
  /** The name, if it was derived: the engine may propose another one in the next run. */
  name: z.string().optional(),
  /** The id, once the service has shown the resource. */
  id: z.string().regex(idPattern).optional(),
});
export type CreationRecord = z.output<typeof creationRecord>;

/** Stores records by key: as files of this machine, or in a test's memory. */
export interface RecordStore {
  read(): [key: string, text: string][];
  write(key: string, text: string): void;
  remove(key: string): void;
}

/** The creation records of one kind on one front door. */
export interface CreationRecords {
  /** Returns the record under this name, whichever resource wrote it. */
  under(name: string): CreationRecord | undefined;
  /** Returns the derived name under which a create of this resource began. */
  derivedNameOf(origin: string): string | undefined;
  write(name: string, record: CreationRecord): void;
  /** True if this process has written the record under this name: the end of the run removes it. */
  isOfThisRun(name: string): boolean;
  /** Removes the record under this name. With an id, only if the record's create can have made it. */
  remove(name: string, id?: string): void;
}

/**
 * All creation records of one project folder on one service, by the names of what they create. A record is written before the POST, and gets the
 * id after it. It goes if the POST is refused, when the run ends in order and the record has an id, or once a later run finds the id in the state.
 */
export class CreationRecordBook {
  private records: Map<string, CreationRecord> | undefined;
  /** Keys of the records that this process has written. */
  private readonly own = new Set<string>();

  constructor(private readonly store: RecordStore) {}

  /** Returns the records of one kind on one front door. */
  at(scope: readonly string[]): CreationRecords {
    const keyOf = (name: string) => hashOf([...scope, name]);
    const all = () => this.all();
    // Most runs have no record, and then need no hash.
    const under = (name: string) => (all().size === 0 ? undefined : all().get(keyOf(name)));
    return {
      under,
      derivedNameOf: (origin) =>
        [...all()].find(
          ([key, record]) => record.origin === origin && record.name !== undefined && key === keyOf(record.name),
        )?.[1].name,
      isOfThisRun: (name) => under(name) !== undefined && this.own.has(keyOf(name)),
      write: (name, record) => {
        all().set(keyOf(name), record);
        this.own.add(keyOf(name));
        this.store.write(keyOf(name), JSON.stringify(record));
      },
      remove: (name, id) => {
        const record = under(name);
        if (record && (id === undefined || canHaveCreated(record, id))) this.remove(keyOf(name));
      },
    };
  }

  /** Removes the records of this run that have an id. Called once Pulumi has saved the ids. */
  removeSavedRecords(): void {
    for (const key of this.own) if (this.all().get(key)?.id !== undefined) this.remove(key);
  }

  /**
   * Returns the records that earlier runs of this stack have left, of resources that the program of this run does not declare, or that have
   * another id in the state. Another process serves the resources of another adapter.
   */
  leftBehind(register: Register): CreationRecord[] {
    const declared = new Set(register.origins);
    const stacks = new Set([...declared].map(stackOf));
    if (stacks.size === 0) return [];
    const isDeclared = (origin: string) => {
      if (declared.has(origin)) return true;
      const [set, { key = "" }] = [setOriginOf(origin), partsOf(origin)];
      if (set === undefined || !declared.has(set)) return false;
      const shares = valueOf(register.resource(set).checked?.inputs ?? {}, "shares");
      // Shares that are not known yet can have any key.
      return typeof shares !== "object" || shares === null || key in shares;
    };
    const isOther = ({ origin, id }: CreationRecord) =>
      id !== undefined && (register.resource(origin).keptId ?? id) !== id;
    const isLeft = (record: CreationRecord) => !isDeclared(record.origin) || isOther(record);
    return [...this.all()]
      .filter(([key, record]) => !this.own.has(key) && stacks.has(stackOf(record.origin)) && isLeft(record))
      .map(([, record]) => record);
  }

  private remove(key: string): void {
    this.all().delete(key);
    this.store.remove(key);
  }

  private all(): Map<string, CreationRecord> {
    return (this.records ??= new Map(recordsIn(this.store)));
  }
}

/** Returns the records by their keys. A torn file is none. */
export const recordsIn = (store: Pick<RecordStore, "read">): [key: string, record: CreationRecord][] =>
  store.read().flatMap(([key, text]): [string, CreationRecord][] => {
    const { success, data } = creationRecord.safeParse(jsonOf(text));
    return success ? [[key, data]] : [];
  });

/** Names what the create of the record has made or can have made, such as `IPsec share shr-1 of resource "web"`. */
export function createOf({ origin, id, name: derived }: CreationRecord): string {
  const { types, name, key } = partsOf(origin);
  const noun = (types.at(-1) ?? "").replace(/^.*:Ipsec|Set$/g, "").toLowerCase();
  const made = id ?? (derived === undefined ? "(its id is unknown)" : `"${derived}" (its id is unknown)`);
  return `IPsec ${noun} ${made} of resource "${name}"${key === undefined ? "" : `, key "${key}"`}`;
}

/** Returns organization, stack, project and adapter of an origin. */
function stackOf(origin: string): string {
  const { organization, stack, project, types } = partsOf(origin);
  return JSON.stringify([organization, stack, project, types.at(-1)?.replace(/:[^:]*$/, "")]);
}

/** True if the record's create can have created this id. */
export const canHaveCreated = ({ id: created, before }: CreationRecord, id: string): boolean =>
  created === undefined ? !before.includes(id) : created === id;

/** Returns a text of fixed length: the same for equal parts, another one for other parts. It does not show the parts. */
export const hashOf = (parts: readonly unknown[]): string =>
  createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 32);

/** Returns undefined if the file is torn. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
