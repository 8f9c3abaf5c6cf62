import type { OpenHost } from "../model/host";
import { type Edit, keysOf, plain, type Program } from "./alphabet";
import { flatState, type Kept } from "../model/state";
import { alwaysWrong, heldOf, lostBy, orphansIn, strangers, told, unsettled, writtenTwice } from "./checks";
import { keyOf } from "./key";
import { type Fault, type FaultKind, faultKinds, type Ran, run, type Setting, type Snapshot } from "./run";
import { type Moment, rareStates } from "./rare";
import type { Choices } from "./service";

/** A point between two runs at which nothing is under way. */
interface Settled {
  program: Program;
  snapshot: Snapshot;
  before: Program | undefined;
  path: readonly string[];
  /** What earlier reverts have left at the service, as documented. */
  orphans: ReadonlySet<string>;
}

export interface Violation {
  path: readonly string[];
  problems: readonly string[];
}

export interface Walked {
  states: number;
  runs: number;
  histories: number;
  settled: number;
  isCut: boolean;
  reached: Reached;
  violations: Violation[];
}

const start: Snapshot = { state: [], items: strangers, given: 0, records: new Map(), wallMs: Date.UTC(2030, 0, 1) };
const onReads: readonly FaultKind[] = ["503 before", "malformed", "engine killed before", "Ctrl-C"];

const kindsAt = (method: string): readonly FaultKind[] =>
  method === "GET" ? onReads : faultKinds.filter((kind) => kind !== "work fails" || method !== "DELETE");

/** How often a walk has met each rare state. */
export type Reached = Record<string, number>;

export interface Alphabet {
  start: Program;
  editsOf(program: Program, state: readonly Kept[]): Edit[];
}

export interface Slice {
  /** Edits after the first `up`. */
  edits: number;
  /** Milliseconds after which the walk ends early. */
  limitMs: number;
  /** Ends at the first violation. */
  isFirst?: boolean;
  /** Of the faults that an edit can meet, only each so many-th. */
  everyNthFault?: number;
}

/** Walks every history in breadth, and prunes what it has seen. */
export class Walk {
  private readonly violations: Violation[] = [];
  private runs = 0;
  private histories = 0;
  private faults = 0;
  private readonly reached: Reached = Object.fromEntries(Object.keys(rareStates).map((name) => [name, 0]));
  private readonly seen = new Set<string>();
  private readonly settledKeys = new Set<string>();
  private readonly queue: Settled[] = [];
  private readonly setting: Setting;
  private readonly begunMs = performance.now();
  private isCut = false;

  constructor(
    choices: Choices,
    host: OpenHost,
    private readonly alphabet: Alphabet,
    private readonly slice: Slice,
    private readonly say: (line: string) => void,
  ) {
    this.setting = { choices, host };
  }

  async all(): Promise<Walked> {
    const first: Edit = { name: "up", program: this.alphabet.start };
    await this.edit({ program: [], snapshot: start, before: undefined, path: [], orphans: new Set() }, first);
    let level = this.queue.splice(0);
    for (let edits = 1; edits <= this.slice.edits && level.length > 0; edits++) {
      this.say(`${edits}: ${level.length} settled states`);
      for (const settled of level) {
        const { program, snapshot, before } = settled;
        const edits = this.alphabet.editsOf(program, snapshot.state);
        if (before)
          edits.push({
            name: "revert the last edit",
            program: before,
            renews: [...program, ...before].flatMap((one) => [one.slot, ...keysOf(one)]),
            isRefusable: true,
            isOneWay: true,
          });
        for (const edit of edits) {
          if (this.slice.isFirst && this.violations.length > 0) return this.walked();
          if (performance.now() - this.begunMs > this.slice.limitMs) {
            this.isCut = true;
            return this.walked();
          }
          await this.edit(settled, edit);
        }
      }
      level = this.queue.splice(0);
    }
    return this.walked();
  }

  private walked(): Walked {
    const { runs, histories, violations, isCut, reached } = this;
    return { states: this.seen.size, settled: this.settledKeys.size, runs, histories, isCut, reached, violations };
  }

  /** One edit, without a fault and with each fault at each request boundary. */
  private async edit(at: Settled, edit: Edit): Promise<void> {
    const path = [...at.path, edit.name];
    const { stranger } = edit;
    const from = stranger ? { ...at, snapshot: { ...at.snapshot, items: [...at.snapshot.items, stranger] } } : at;
    const clean = await this.run(from.snapshot, edit);
    this.check(path, clean, from, edit);
    if (clean.error !== undefined && !edit.isRefusable) this.wrong(path, [`refused: ${clean.error}`]);
    this.note({ stage: "edit", edit: edit.name, ran: clean });
    if (clean.error === undefined) await this.settle(path, edit.program, clean, from);
    else this.note(await this.revert(path, from, clean.after, edit));
    const seen = new Map<string, Moment[]>();
    for (const [nth, { method }] of clean.requests.entries())
      for (const kind of kindsAt(method)) {
        this.faults += 1;
        if (this.faults % (this.slice.everyNthFault ?? 1) !== 0) continue;
        const fault = { at: nth, kind };
        const ran = await this.run(from.snapshot, edit, fault);
        const where = [...path, `${kind} at ${nth} (${method} ${clean.requests[nth]?.path ?? ""})`];
        this.check(where, ran, from, edit);
        // If the service has answered, the state has the id, whatever became of the work.
        const lost = kind === "work fails" ? [...orphansIn(ran.after)].filter((id) => !from.orphans.has(id)) : [];
        this.wrong(
          where,
          lost.map((id) => `an id is lost: ${id}`),
        );
        if (ran.error === undefined) await this.settle(where, edit.program, ran, from);
        const key = `${String(ran.error === undefined)} ${keyOf(edit.program, ran.after)}`;
        const later = seen.get(key) ?? (await this.end(where, from, edit, ran));
        seen.set(key, later);
        const about = { kind, method, path: clean.requests[nth]?.path ?? "" };
        for (const moment of [{ stage: "edit", edit: edit.name, ran } as const, ...later])
          this.note({ ...moment, fault: about });
      }
  }

  /** What comes after a run with a fault. If it failed, that is the documented recovery: `up --refresh` of the same program, or of the program as it was. */
  private async end(path: string[], from: Settled, edit: Edit, { error, after }: Ran): Promise<Moment[]> {
    if (error === undefined) return [];
    const again = await this.run(after, { program: edit.program }, undefined, true);
    const where = [...path, "up --refresh"];
    this.check(where, again, from, edit);
    if (again.error === undefined) await this.settle(where, edit.program, again, from);
    else if (!edit.isRefusable) this.wrong(where, [`stuck: ${again.error}`]);
    else await this.revert(where, from, again.after, edit);
    const moment: Moment = { stage: "recovery", edit: edit.name, ran: again };
    return [moment, await this.revert(path, from, after, edit)];
  }

  private async revert(path: readonly string[], from: Settled, snapshot: Snapshot, edit: Edit): Promise<Moment> {
    const program = plain(from.program);
    const back = await this.run(snapshot, { program }, undefined, true);
    const where = [...path, "revert and up --refresh"];
    if (back.error === undefined) await this.settle(where, program, back, from, true);
    else if (!edit.isOneWay && !isOfOrphan(back)) this.wrong(where, [`stuck: ${back.error}`]);
    return { stage: "revert", edit: edit.name, ran: back };
  }

  private async settle(
    path: readonly string[],
    program: Program,
    ran: Ran,
    { program: before, orphans }: Settled,
    isReverted = false,
  ): Promise<void> {
    this.histories += 1;
    this.wrong(path, unsettled(program, ran, isReverted, orphans));
    const key = keyOf(plain(program), ran.after);
    if (this.settledKeys.has(key)) return;
    this.settledKeys.add(key);
    const quiet = await this.run(ran.after, { program: program.map((one) => ({ ...one, aliases: [] })) });
    const writes = quiet.requests.filter(({ method }) => method !== "GET");
    if (quiet.error !== undefined || writes.length > 0 || quiet.steps.length > 0)
      this.wrong([...path, "up"], [`not quiet: ${quiet.error ?? ""} ${quiet.steps.join()} ${JSON.stringify(writes)}`]);
    // Somebody else's share stays in the way: another walk need not begin there.
    if (ran.after.items.some(({ id }) => id === "shr-stranger-like")) return;
    this.queue.push({ program, snapshot: ran.after, before, path, orphans: orphansIn(ran.after) });
  }

  private async run(
    snapshot: Snapshot,
    { program, replaced }: Pick<Edit, "program" | "replaced">,
    fault?: Fault,
    isRefreshed = false,
  ): Promise<Ran> {
    this.runs += 1;
    const ran = await run(this.setting, snapshot, { program, replaced, fault, isRefreshed });
    for (const boundary of ran.boundaries) this.seen.add(keyOf(program, boundary));
    this.seen.add(keyOf(program, ran.after));
    return ran;
  }

  private check(path: readonly string[], ran: Ran, from: Settled, edit: Edit): void {
    const ids = heldOf(from.program, from.snapshot.state);
    this.wrong(path, [
      ...[...ran.boundaries, ran.after].flatMap((each) => alwaysWrong(from.snapshot, each)),
      ...told(ran),
      ...writtenTwice(ran),
      ...lostBy(ids, edit.renews ?? [], ran.after),
    ]);
  }

  private note(moment: Moment): void {
    for (const [name, isIt] of Object.entries(rareStates))
      if (isIt(moment)) this.reached[name] = (this.reached[name] ?? 0) + 1;
  }

  private wrong(path: readonly string[], problems: readonly string[]): void {
    if (problems.length === 0) return;
    this.violations.push({ path, problems: [...new Set(problems)] });
    if (this.violations.length <= 20)
      this.say(`VIOLATION ${path.join(" > ")}\n    ${[...new Set(problems)].join("\n    ")}`);
  }
}

/** docs/reliability.md: a share that is in no state keeps its tunnel; the error names it, and its user deletes it. */
const isOfOrphan = ({ error, after }: Ran): boolean =>
  error !== undefined &&
  error.includes("still use it") &&
  after.items.some(
    ({ id, kind }) =>
      kind === "share" && error.includes(id) && !flatState([...after.state]).some((each) => each.id === id),
  );
