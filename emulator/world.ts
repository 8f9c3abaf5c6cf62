import { chmodSync, closeSync, lstatSync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Clock, ClockMemory } from "./clock";
import type { Faults, Work } from "./faults";
import type { FieldsOf, Kind, Status } from "./records";
import type { Settings } from "./settings";

/** The service without HTTP: resources, clock and faults. */
export interface World {
  settings: Settings;
  clock: Clock;
  tables: Tables;
  faults: Faults;
}

/** Returns the state at a time; undefined before the create, and once a deleted resource is no longer visible. */
export function shownAt<Fields>(world: World, history: History<Fields>, time: number): State<Fields> | undefined {
  const state = stateAt(history, time);
  if (state?.status !== "DELETED") return state;
  const { deletedShownAs, deletedRetentionMs } = world.settings;
  const retained = deletedShownAs === "DELETED" && time < state.since + deletedRetentionMs;
  return retained ? state : undefined;
}

/** Returns the present state without lag, for writes. */
export function present<Fields>(world: World, table: Table<Fields>): State<Fields>[] {
  const now = world.clock.now();
  return table.all().flatMap((history) => shownAt(world, history, now) ?? []);
}

/** Returns the resources of one front door, or of all, that are not DELETED. */
export function living<Fields extends { frontdoorId: string }>(
  world: World,
  table: Table<Fields>,
  frontdoorId?: string,
): State<Fields>[] {
  const isThere = (id: string) => frontdoorId === undefined || id === frontdoorId;
  return present(world, table).filter(({ status, fields }) => status !== "DELETED" && isThere(fields.frontdoorId));
}

/** Adds a resource to its front door, under the given id or the next free one. */
export function insert<Fields extends { frontdoorId: string }>(
  { settings }: World,
  table: Table<Fields>,
  version: Version<Fields>,
  id?: string,
): History<Fields> {
  return table.insert(version, { id, scope: settings.idsPerFrontdoor ? version.fields.frontdoorId : undefined });
}

/** Removes resources that no read can show again, so that a long run needs little memory. */
export function forgetDeleted<Fields>(world: World, table: Table<Fields>): void {
  const { readLagMs, listLagMs } = world.settings;
  const seen = world.clock.now() - Math.max(readLagMs, listLagMs);
  for (const history of table.all()) {
    if (stateAt(history, seen) && !shownAt(world, history, seen)) table.remove(history);
  }
}

/** Begins a write. The resource has `status` now, and a final status later, unless a fault changes that. */
export function beginWork<Fields>(world: World, work: Work, fields: Fields, wasDeployed: boolean): Version<Fields> {
  const at = world.clock.now();
  const outcome = world.faults.outcome(work);
  const removing = work.op === "delete";
  const to: Status = outcome === undefined || outcome === "stuck" ? (removing ? "DELETED" : "DEPLOYED") : outcome;
  return {
    visibleFrom: at,
    at,
    fields,
    status: removing ? "DELETING" : "NEW",
    settles: outcome === "stuck" ? null : { at: at + durationMs(world.settings, work), to },
    wasDeployed,
  };
}

/** Makes a change out of band. It is visible at once, and its status stays. */
export function outOfBandVersion<Fields>(
  world: World,
  fields: Fields,
  status: Status,
  wasDeployed: boolean,
): Version<Fields> {
  return { visibleFrom: always, at: world.clock.now(), fields, status, settles: null, wasDeployed };
}

function durationMs(settings: Settings, { kind, op }: { kind: Kind; op: Work["op"] }): number {
  const set = op === "delete" ? settings.teardownMs : settings.provisionMs;
  // Everything on a tunnel takes as long as a share.
  const mean = typeof set === "number" ? set : kind === "tunnel" ? set.tunnel : set.share;
  return Math.round(mean * (1 + settings.jitter * (2 * Math.random() - 1)));
}

/** One accepted write: its values and its end. Times are in ms on the emulator's clock. */
interface Version<Fields> {
  /** The time from which reads see the write. No lag hides changes made out of band. */
  visibleFrom: number;
  /** When `status` began. */
  at: number;
  fields: Fields;
  status: Status;
  /** null: stays in `status` for good. */
  settles: { at: number; to: Status } | null;
  /** True if the resource was DEPLOYED before this write. */
  wasDeployed: boolean;
}

/** A resource as its writes, oldest first. A lagging read returns the state at an earlier time. */
export interface History<Fields> {
  id: string;
  /** The front door in which the id is unique; undefined if the id is unique everywhere. */
  scope?: string;
  /** Order of creation. */
  seq: number;
  versions: Version<Fields>[];
}

export interface State<Fields> {
  id: string;
  seq: number;
  fields: Fields;
  status: Status;
  /** The start of the status. */
  since: number;
  /** True if the resource is or was DEPLOYED, so the values from provisioning are known. */
  deployed: boolean;
}

/** Makes a write visible in spite of any lag. */
const always = Number.MIN_SAFE_INTEGER;

/** Returns the state at a time; undefined before the create. It uses only timestamps, so a restart loses nothing. */
export function stateAt<Fields>(history: History<Fields>, time: number): State<Fields> | undefined {
  const version = history.versions.findLast((each) => each.visibleFrom <= time);
  if (!version) return undefined;
  const settled = version.settles && version.settles.at <= time ? version.settles : undefined;
  const status = settled?.to ?? version.status;
  return {
    id: history.id,
    seq: history.seq,
    fields: version.fields,
    status,
    since: settled?.at ?? version.at,
    deployed: version.wasDeployed || status === "DEPLOYED",
  };
}

/** The number of writes that the store keeps for each resource. It is enough for every tested lag. */
const versionsKept = 50;

/** SQLite's code for a file that another process uses. */
const busy = 5;

/** All resources of one kind, read from memory and written through to the file. */
export class Table<Fields> {
  private readonly rows = new Map<string, History<Fields>>();

  constructor(
    private readonly database: DatabaseSync,
    readonly kind: Kind,
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
    const newId = id ?? `${this.prefix}-${number}`;
    const history = { id: newId, ...(scope !== undefined && { scope }), seq, versions: [version] };
    if (this.rows.has(keyOf(history))) throw new Error(`There is a ${this.kind} ${newId} already`);
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

type Tables = { [Each in Kind]: Table<FieldsOf[Each]> };

interface Store {
  tables: Tables;
  /** Remembers a clock under a name. */
  clockMemory(name: string): ClockMemory;
  close(): void;
}

/** Opens the file, and creates it if it is missing. Null keeps all in memory. */
export function openStore(file: string | null, kinds: Record<Kind, { idPrefix: string }>): Store {
  if (file !== null) {
    makeDataFile(file);
    protectDataFile(file);
  }
  const database = opened(file ?? ":memory:");
  const tables = Object.entries(kinds).map(([kind, { idPrefix }]) => [
    kind,
    new Table(database, kind as Kind, idPrefix),
  ]);
  return {
    tables: Object.fromEntries(tables) as Tables,
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

/** SQLite reads and writes these files beside a data file. */
const suffixes = ["", "-wal", "-shm", "-journal"];

/** Makes the data file if it is missing, with its folder. The file can be read by its owner only before anything is in it. */
function makeDataFile(file: string): void {
  mkdirSync(dirname(file), { recursive: true });
  if (lstatSync(file, { throwIfNoEntry: false })) return;
  // Fails if another user plants a link at this moment.
  closeSync(openSync(file, "ax", 0o600));
}

/** Closes the data file and the files beside it to other users. @throws Error if one of them is a link or another user's. */
function protectDataFile(file: string): void {
  for (const path of suffixes.map((suffix) => file + suffix)) {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (!stats) continue;
    if (stats.isSymbolicLink()) throw unsafe(`${path} is a symbolic link`);
    if (!stats.isFile()) throw unsafe(`${path} is not a file`);
    if (process.geteuid && stats.uid !== process.geteuid()) throw unsafe(`${path} belongs to another user`);
    if ((stats.mode & 0o077) !== 0) chmodSync(path, 0o600);
  }
}

const unsafe = (what: string) =>
  new Error(`${what}. The emulator did not start. Name a file in a folder of your own. [unsafe-data-file]`);
