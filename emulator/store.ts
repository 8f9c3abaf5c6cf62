import { closeSync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { ClockMemory } from "./clock";
import type { History, Version } from "./history";
import type { Kind, ShareFields, TunnelFields } from "./records";

/** Enough for any lag worth testing; older writes of one resource are forgotten. */
const versionsKept = 50;

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
      this.rows.set(history.id, history);
    }
  }

  get(id: string): History<Fields> | undefined {
    return this.rows.get(id);
  }

  /** In order of creation. */
  all(): History<Fields>[] {
    return [...this.rows.values()];
  }

  /** Ids count up and are never given twice, also across restarts. */
  insert(version: Version<Fields>, id?: string): History<Fields> {
    const seq = 1 + (readMeta(this.database, `${this.kind}.seq`) ?? 0);
    writeMeta(this.database, `${this.kind}.seq`, seq);
    const history = { id: id ?? `${this.prefix}-${seq}`, seq, versions: [version] };
    if (this.rows.has(history.id)) throw new Error(`There is a ${this.kind} ${history.id} already`);
    this.rows.set(history.id, history);
    this.save(history);
    return history;
  }

  append(history: History<Fields>, version: Version<Fields>): void {
    history.versions = [...history.versions.slice(1 - versionsKept), version];
    this.save(history);
  }

  /** Makes `version` all there ever was, so that lagging reads see it too. */
  rewrite(history: History<Fields>, version: Version<Fields>): void {
    history.versions = [version];
    this.save(history);
  }

  remove(id: string): boolean {
    this.database.prepare("DELETE FROM resource WHERE kind = ? AND id = ?").run(this.kind, id);
    return this.rows.delete(id);
  }

  clear(): void {
    this.database.prepare("DELETE FROM resource WHERE kind = ?").run(this.kind);
    this.rows.clear();
  }

  private save(history: History<Fields>): void {
    this.database
      .prepare("INSERT OR REPLACE INTO resource (kind, id, seq, body) VALUES (?, ?, ?, ?)")
      .run(this.kind, history.id, history.seq, JSON.stringify(history));
  }
}

export interface Store {
  tunnels: Table<TunnelFields>;
  shares: Table<ShareFields>;
  /** Remembers a clock under a name. */
  clockMemory(name: string): ClockMemory;
  close(): void;
}

/** Opens the file, made if missing; null keeps all in memory. */
export function openStore(file: string | null): Store {
  if (file !== null) {
    mkdirSync(dirname(file), { recursive: true });
    // The file holds pre-shared keys: for its owner only, before anything is in it.
    closeSync(openSync(file, "a", 0o600));
  }
  const database = new DatabaseSync(file ?? ":memory:");
  database.exec(`
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = NORMAL;
    CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value REAL) STRICT;
    CREATE TABLE IF NOT EXISTS resource (kind TEXT, id TEXT, seq INTEGER, body TEXT, PRIMARY KEY (kind, id)) STRICT;
  `);
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

function readMeta(database: DatabaseSync, key: string): number | undefined {
  const row = database.prepare("SELECT value FROM meta WHERE key = ?").get(key);
  return row && Number(row["value"]);
}

function writeMeta(database: DatabaseSync, key: string, value: number): void {
  database.prepare("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)").run(key, value);
}
