import { DatabaseSync } from "node:sqlite";
import type { ClockMemory } from "./clock";
import { makeDataFile, protectDataFile } from "./data-file";
import type { History, Version } from "./history";
import type { Kind, ShareFields, TunnelFields } from "./records";

/** The number of writes that the store keeps for each resource. It is enough for every tested lag. */
const versionsKept = 50;

/** SQLite's code for a file that another process uses. */
const busy = 5;

/** All resources of one kind, read from memory and written through to the file. */
export class Table<Fields> {
  private readonly rows = new Map<string, History<Fields>>();

  constructor(
    private readonly database: DatabaseSync,
    private readonly kind: Kind,
    private readonly prefix: string,
  ) {
    const found = database.prepare("SELECT body FROM resource WHERE kind = ? ORDER BY seq").all(kind);
    for (const { body } of found) {
      const history = JSON.parse(String(body)) as History<Fields>;
      this.rows.set(keyOf(history), history);
    }
  }

  /** Returns the resource with this id. Without a front door it returns the first one, if front doors have equal ids. */
  get(id: string, frontdoorId?: string): History<Fields> | undefined {
    const unscoped = this.rows.get(id);
    if (unscoped) return unscoped;
    return frontdoorId === undefined
      ? this.all().find((history) => history.id === id)
      : this.rows.get(keyOf({ id, scope: frontdoorId }));
  }

  /** In order of creation. */
  all(): History<Fields>[] {
    return [...this.rows.values()];
  }

  /** Returns a new id. Ids count up and are unique, also across restarts; with a scope, unique within the scope. */
  insert(version: Version<Fields>, { id, scope }: { id?: string | undefined; scope?: string | undefined }) {
    const seq = this.next(`${this.kind}.seq`);
    const number = scope === undefined ? seq : this.next(`${this.kind}.seq.${scope}`);
    const given = id ?? `${this.prefix}-${number}`;
    const history = { id: given, ...(scope !== undefined && { scope }), seq, versions: [version] };
    if (this.rows.has(keyOf(history))) throw new Error(`There is a ${this.kind} ${given} already`);
    this.rows.set(keyOf(history), history);
    this.save(history);
    return history;
  }

  append(history: History<Fields>, version: Version<Fields>): void {
    history.versions = [...history.versions.slice(1 - versionsKept), version];
    this.save(history);
  }

  /** Replaces the whole history by `version`, so that lagging reads also see it. */
  rewrite(history: History<Fields>, version: Version<Fields>): void {
    history.versions = [version];
    this.save(history);
  }

  remove(history: History<Fields>): boolean {
    const key = keyOf(history);
    this.database.prepare("DELETE FROM resource WHERE kind = ? AND id = ?").run(this.kind, key);
    return this.rows.delete(key);
  }

  clear(): void {
    this.database.prepare("DELETE FROM resource WHERE kind = ?").run(this.kind);
    this.rows.clear();
  }

  private next(counter: string): number {
    const number = 1 + (readMeta(this.database, counter) ?? 0);
    writeMeta(this.database, counter, number);
    return number;
  }

  private save(history: History<Fields>): void {
    this.database
      .prepare("INSERT OR REPLACE INTO resource (kind, id, seq, body) VALUES (?, ?, ?, ?)")
      .run(this.kind, keyOf(history), history.seq, JSON.stringify(history));
  }
}

const keyOf = ({ id, scope }: Pick<History<unknown>, "id" | "scope">) => (scope === undefined ? id : `${scope}/${id}`);

export interface Store {
  tunnels: Table<TunnelFields>;
  shares: Table<ShareFields>;
  /** Remembers a clock under a name. */
  clockMemory(name: string): ClockMemory;
  close(): void;
}

/** Opens the file, and creates it if it is missing. Null keeps all in memory. */
export function openStore(file: string | null): Store {
  if (file !== null) {
    makeDataFile(file);
    protectDataFile(file);
  }
  const database = opened(file ?? ":memory:");
  return {
    tunnels: new Table<TunnelFields>(database, "tunnel", "tnl"),
    shares: new Table<ShareFields>(database, "share", "shr"),
    clockMemory: (name) => ({
      read: () => readMeta(database, `clock.${name}`),
      write: (value) => {
        // Nothing outlives a store in memory.
        if (file !== null) writeMeta(database, `clock.${name}`, value);
      },
    }),
    close: () => {
      database.close();
    },
  };
}

/** Locks the file for this process. Each process reads from memory, so two of them would lose writes. */
function opened(file: string): DatabaseSync {
  const database = new DatabaseSync(file);
  try {
    database.exec(`
      PRAGMA locking_mode = EXCLUSIVE;
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = NORMAL;
      CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value REAL) STRICT;
      CREATE TABLE IF NOT EXISTS resource (kind TEXT, id TEXT, seq INTEGER, body TEXT, PRIMARY KEY (kind, id)) STRICT;
    `);
    // SQLite may have opened a file that another user planted after the first check.
    if (file !== ":memory:") protectDataFile(file);
    return database;
  } catch (error) {
    database.close();
    if ((error as { errcode?: unknown }).errcode !== busy) throw error;
    throw new Error(`${file} is in use by another emulator. Name another file with --data`, { cause: error });
  }
}

function readMeta(database: DatabaseSync, key: string): number | undefined {
  const row = database.prepare("SELECT value FROM meta WHERE key = ?").get(key);
  return row && Number(row["value"]);
}

function writeMeta(database: DatabaseSync, key: string, value: number): void {
  database.prepare("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)").run(key, value);
}
