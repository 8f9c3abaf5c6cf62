import type { Kept } from "../model/program";
import { changed, type Edit, plain, type Program, retargeted, revertEdit } from "./alphabet";
import {
  alwaysWrong,
  dishonest,
  heldOf,
  isMisplaced,
  isOfOrphan,
  lostBy,
  mustSucceed,
  orphansIn,
  strangers,
  unsettled,
  writtenTwice,
  told,
  type Violation,
  Violations,
} from "./checks";
import { allKindsAt, type Fault, type FaultKind, kindsAt } from "./faults";
import { fresh, keyOf, rested, restedKeyOf } from "./key";
import { adoptedDeleted, previewed } from "./promises";
import { type Command, type Ran, run, type Sent, type Setting, type Snapshot } from "./run";

export interface Walked {
  states: number;
  runs: number;
  histories: number;
  settled: number;
  isCut: boolean;
  pairs: number;
  violations: readonly Violation[];
}

export interface Alphabet {
  start: Program;
  editsOf(program: Program, state: readonly Kept[]): Edit[];
}

export interface Slice extends Tries {
  /** Edits after the first `up`. */
  edits: number;
  /** Milliseconds after which the walk ends early. */
  limitMs: number;
  /** Ends at the first violation. */
  isFirst?: boolean;
  /** The walk continues only from every n-th world between runs. */
  stride?: number;
}

export const start: Snapshot = {
  ...{ state: [], items: strangers, given: 0, records: new Map(), late: [] },
  wallMs: Date.UTC(2030, 0, 1),
};

/** Walks every history, breadth first, and skips worlds that it has seen. */
export class Walk {
  private readonly histories: Histories;
  private readonly begunMs = performance.now();
  private isCut = false;

  constructor(
    private readonly setting: Setting,
    private readonly alphabet: Alphabet,
    private readonly slice: Slice,
    private readonly say: (line: string) => void,
  ) {
    this.histories = new Histories(setting, say, slice);
  }

  async all(): Promise<Walked> {
    const program = this.alphabet.start;
    const first: Edit = { name: "up", program, ...(program.some((one) => one.isProtected) && { isOneWay: true }) };
    const nothing: Settled = {
      ...{ edits: 0, program: [], snapshot: start, before: undefined, path: [], orphans: new Set() },
    };
    await this.histories.edit(nothing, first);
    for (let edits = 1; edits <= this.slice.edits && !this.isOver(); edits++) {
      // Pairs are tried from the first world only.
      const { everyNthPair, stride = everyNthPair === undefined ? 1 : Infinity } = this.slice;
      await this.level(this.histories.takeSettled().filter((_, nth) => nth % stride === 0));
    }
    const { isCut } = this;
    return { ...this.histories.counts(), isCut };
  }

  private async level(level: readonly Settled[]): Promise<void> {
    if (level[0]) this.say(`edit ${level[0].edits}, from ${level.length} worlds between runs`);
    for (const [nth, settled] of level.entries())
      for (const edit of this.editsOf(settled)) {
        if (this.isOver()) {
          this.say(`ended early, after ${nth} of them`);
          return;
        }
        await this.histories.edit(settled, edit);
      }
  }

  private editsOf({ program, snapshot, before }: Settled): Edit[] {
    const edits = this.alphabet.editsOf(program, snapshot.state);
    const { isPlacing } = this.setting.choices;
    return (before ? [...edits, revertEdit(program, before)] : edits).map((edit) =>
      isPlacing && isMisplaced(edit.program) ? { ...edit, isRefusable: true } : edit,
    );
  }

  private isOver(): boolean {
    if (this.slice.isFirst && this.histories.violations.length > 0) return true;
    this.isCut ||= performance.now() - this.begunMs > this.slice.limitMs;
    return this.isCut;
  }
}

/** A point between two runs at which nothing is under way. */
export interface Settled {
  /** How many edits come before the next run. */
  edits: number;
  program: Program;
  snapshot: Snapshot;
  before: Program | undefined;
  path: readonly string[];
  /** Ids that earlier reverts left at the service, as documented. */
  orphans: ReadonlySet<string>;
}

/** After these faults the next run begins at once. */
const hasty: readonly FaultKind[] = ["provider killed after", "provider killed, takes effect late", "reads lag"];
const cutOffs: readonly FaultKind[] = ["provider killed after", "engine killed before"];

const upOf = (isRefreshed: boolean) => (isRefreshed ? "up --refresh" : "up");
const saidOf = (nth: number, kind: FaultKind, { method, path }: Sent) => `${kind} at ${nth} (${method} ${path})`;

const kindsIn = ({ kind, also }: Fault): FaultKind[] => [kind, ...(also ? kindsIn(also) : [])];
const isKill = (fault: Fault) => kindsIn(fault).some((kind) => kind.includes("killed"));

/** docs/reliability.md: what an earlier revert has left may be in the way; the error names it. */
const isRefusable = (edit: Edit, { error = "" }: Ran, { orphans }: Settled): boolean =>
  edit.isRefusable === true || [...orphans].some((id) => error.includes(id));

/** The faults that can follow the n-th request of a run: at the next request, and at the next write. */
function secondFaults(requests: readonly Sent[], nth: number): Fault[] {
  const write = requests.findIndex(({ method }, at) => at > nth && method !== "GET");
  const places = [...new Set([nth + 1, write])].filter((at) => at > nth && at < requests.length);
  return places.flatMap((at) => allKindsAt(requests[at]?.method ?? "GET").map((kind) => ({ at, kind })));
}

/** True if a creation record names a create that no state has yet. */
const isBegun = ({ records }: Snapshot): boolean => [...records.values()].some((text) => text.includes("postedAtMs"));

/** Which faults a walk tries. */
export interface Tries {
  /** Meets only every n-th fault, for a sample. */
  everyNthFault?: number;
  /** Where a sample starts to count. Each number below n is another sample. */
  countsFrom?: number;
  /** Also tries the rarer faults, and after each fault every n-th second one, at the next request and at the next write. */
  everyNthPair?: number | undefined;
  /** Tries each ordered pair of kinds at least once. */
  hasEachPairOfKinds?: boolean;
  /** Also tells the known violations. */
  hasKnown?: boolean;
}

/** Runs an edit without a fault and with each fault, and collects the worlds that it can end in. */
export class Histories {
  private readonly found: Violations;
  private faults: number;
  private pairs: number;
  private triedPairs = 0;
  private readonly kindPairs = new Set<string>();
  private readonly seen = new Set<string>();
  private readonly settledKeys = new Set<string>();
  private queue: Settled[] = [];
  private runs = 0;
  private histories = 0;

  constructor(
    private readonly setting: Setting,
    say: (line: string) => void,
    private readonly tries: Tries = {},
  ) {
    this.found = new Violations(say, tries.hasKnown);
    this.faults = this.pairs = tries.countsFrom ?? 0;
  }

  get violations(): readonly Violation[] {
    return this.found.all;
  }

  counts() {
    const { runs, histories, violations, triedPairs: pairs } = this;
    return { states: this.seen.size, settled: this.settledKeys.size, runs, histories, pairs, violations };
  }

  /** Returns the worlds between runs that are new since the last call. */
  takeSettled(): Settled[] {
    const taken = this.queue;
    this.queue = [];
    return taken;
  }

  /** Runs one edit without a fault, and with each fault at each request. */
  async edit(at: Settled, edit: Edit): Promise<void> {
    const path = [...at.path, edit.name];
    const { stranger } = edit;
    const from = stranger ? { ...at, snapshot: { ...at.snapshot, items: [...at.snapshot.items, stranger] } } : at;
    const clean = await this.run(path, from.snapshot, edit);
    this.check(path, clean, from, edit);
    const preview = await this.run(path, from.snapshot, { ...edit, does: "preview" });
    this.wrong([...path, "preview"], previewed(edit, from.snapshot, preview, clean));
    if (clean.error !== undefined && !isRefusable(edit, clean, from)) this.wrong(path, [`refused: ${clean.error}`]);
    if (clean.error === undefined) await this.settle(path, edit.program, clean, from);
    else await this.revert(path, from, clean.after, edit);
    const known = new Set<string>();
    const { everyNthFault = 1, everyNthPair } = this.tries;
    for (const [nth, sent] of clean.requests.entries())
      for (const kind of everyNthPair === undefined ? kindsAt(sent.method) : allKindsAt(sent.method)) {
        if (++this.faults % everyNthFault !== 0) continue;
        const where = [...path, saidOf(nth, kind, sent)];
        const { requests } = await this.struck(where, from, edit, { at: nth, kind }, known);
        if (everyNthPair === undefined) continue;
        for (const also of secondFaults(requests, nth)) {
          const kinds = `${kind}, ${also.kind}`;
          const isWanted = this.tries.hasEachPairOfKinds && !this.kindPairs.has(kinds);
          if (++this.pairs % everyNthPair !== 0 && !isWanted) continue;
          this.triedPairs += 1;
          this.kindPairs.add(kinds);
          const second = requests[also.at];
          if (!second) continue;
          const both = [...where, `and ${saidOf(also.at, also.kind, second)}`];
          await this.struck(both, from, edit, { at: nth, kind, also }, known);
        }
      }
  }

  /** Runs an edit with a fault, and the recoveries from it. */
  private async struck(
    where: readonly string[],
    from: Settled,
    edit: Edit,
    fault: Fault,
    known: Set<string>,
  ): Promise<Ran> {
    const ran = await this.faulted(where, from, edit, fault);
    if (ran.error !== undefined && edit.isRefusable !== true && !edit.isHurried && mustSucceed(fault))
      this.wrong(where, [`not waited out: ${ran.error}`]);
    const key = `${ran.error === undefined} ${isKill(fault)} ${keyOf(edit.program, ran.after)}`;
    if (known.has(key)) return ran;
    known.add(key);
    await this.end(where, from, edit, ran, fault);
    return ran;
  }

  private async faulted(where: readonly string[], from: Settled, edit: Edit, fault: Fault): Promise<Ran> {
    const ran = await this.run(where, from.snapshot, edit, fault);
    this.check(where, ran, from, edit);
    // If the service has answered, the state must have the id, also if the work then failed. A message names a share that stays.
    const isKnown = (id: string) => from.orphans.has(id) || ran.said.some((line) => line.includes(id));
    const lost =
      fault.kind === "work fails" && !fault.also ? [...orphansIn(ran.after)].filter((id) => !isKnown(id)) : [];
    const problems = lost.map((id) => `an id is lost: ${id}`);
    this.wrong(where, problems);
    if (ran.error === undefined) await this.settle(where, edit.program, ran, from);
    return ran;
  }

  /**
   * Runs the documented recovery if a run with a fault failed: once `up` of the same program, and once `up --refresh` of the program
   * before the edit. After a kill both are `up --refresh`; after work that failed, the first one is tried in both ways.
   */
  private async end(
    path: readonly string[],
    from: Settled,
    edit: Edit,
    { error, after }: Ran,
    fault: Fault,
  ): Promise<void> {
    if (error === undefined) return;
    const isKilled = isKill(fault);
    const later = fresh(after);
    const again = await this.recover(path, from, edit, later, isKilled);
    if (isKilled && from.edits <= 1)
      await this.cutOffAgain([...path, "up --refresh"], from, edit, later, again.requests);
    // docs/reliability.md: a user who reverts an update or a delete that did not end waits until it can no longer take effect.
    const isInterrupted =
      isKilled || kindsIn(fault).some((kind) => kind === "Ctrl-C" || kind.includes("pause beyond each deadline"));
    const isWriteComing = after.late.some(({ asked: { method } }) => method !== "POST");
    if (isKilled && from.edits <= 1 && isBegun(after) && !isWriteComing)
      await this.changeAndRecover(path, from, edit, later);
    // docs/how-to/recover.md: what is in ERROR is sent again by `up --refresh`.
    if (!isKilled && kindsIn(fault).includes("work fails")) await this.recover(path, from, edit, later, true);
    if (!isKilled) await this.repair(path, from, edit, later);
    if (!isWriteComing) await this.revert(path, from, isInterrupted ? later : after, edit);
  }

  /** Changes the program before the recovery, and cuts off the recovery. */
  private async changeAndRecover(path: readonly string[], from: Settled, edit: Edit, after: Snapshot): Promise<void> {
    const changed = { ...edit, program: retargeted(edit.program) };
    const where = [...path, "change each target"];
    const again = await this.recover(where, from, changed, after, true);
    await this.cutOffAgain([...where, "up --refresh"], from, changed, after, again.requests);
  }

  /** The work that failed is repaired at the service. The next `up` must not replace what is DEPLOYED again. */
  private async repair(path: readonly string[], from: Settled, edit: Edit, after: Snapshot): Promise<void> {
    const failed = after.items.filter(({ status }) => status === "ERROR").map(({ id }) => id);
    const ids = new Map([...heldOf(edit.program, after.state)].filter(([, id]) => failed.includes(id)));
    if (ids.size === 0) return;
    const items = after.items.map((item) =>
      failed.includes(item.id) ? { ...item, status: "DEPLOYED" as const } : item,
    );
    const where = [...path, "repaired at the service", "up"];
    const ran = await this.run(where, { ...after, items }, { program: edit.program });
    this.wrong(where, lostBy(ids, { program: edit.program }, ran.after));
  }

  private async recover(
    path: readonly string[],
    from: Settled,
    edit: Edit,
    snapshot: Snapshot,
    isRefreshed: boolean,
  ): Promise<Ran> {
    const where = [...path, upOf(isRefreshed)];
    const first = await this.run(where, snapshot, { program: edit.program }, undefined, isRefreshed);
    // One more `up` is needed if the deadline is shorter than the wait for a read that can be believed, or if a second fault let work fail
    // whose id the state did not have yet: the message says so.
    const isFailed = this.tries.everyNthPair !== undefined && /\[(tunnel|share)-error\]/.test(first.error ?? "");
    const again =
      first.error !== undefined && (edit.isHurried || isFailed)
        ? await this.run([...where, "up"], first.after, { program: edit.program })
        : first;
    this.check(where, again, from, edit);
    if (again.error === undefined) await this.settle(where, edit.program, again, from);
    else if (!isRefusable(edit, again, from)) this.wrong(where, [`stuck: ${again.error}`]);
    else await this.revert(where, from, again.after, edit);
    return again;
  }

  /** Cuts off the recovery at each of its writes, and then recovers again. */
  private async cutOffAgain(
    path: readonly string[],
    from: Settled,
    edit: Edit,
    snapshot: Snapshot,
    requests: readonly Sent[],
  ): Promise<void> {
    const known = new Set<string>();
    for (const [nth, sent] of requests.entries())
      for (const kind of sent.method === "GET" ? [] : cutOffs) {
        const where = [...path, saidOf(nth, kind, sent)];
        const ran = await this.run(where, snapshot, { program: edit.program }, { at: nth, kind }, true);
        this.check(where, ran, from, edit);
        const key = keyOf(edit.program, ran.after);
        if (known.has(key)) continue;
        known.add(key);
        await this.recover(where, from, edit, ran.after, true);
      }
  }

  private async revert(path: readonly string[], from: Settled, snapshot: Snapshot, edit: Edit): Promise<void> {
    const program = plain(from.program);
    const reverting = [...path, "revert and up --refresh"];
    const first = await this.run(reverting, snapshot, { program }, undefined, true);
    // docs/reliability.md: the next `up` replaces a tunnel that the interrupted run created with other arguments. If the state has the first
    // tunnel only as the rest of a replacement, the message says how to adopt it.
    const [, slot = "", adopt] =
      /^(\w+): .* set `adopt: "(tnl-\d+)"`.*\[identical-exists\]/.exec(first.error ?? "") ?? [];
    const isMore = adopt !== undefined || first.error?.includes("[tunnel-differs]") === true;
    const next = adopt === undefined ? program : changed(program, slot, ({ args }) => ({ args: { ...args, adopt } }));
    const where = [...reverting, ...(isMore ? ["up"] : [])];
    const back = isMore ? await this.run(where, first.after, { program: next }) : first;
    if (back.error === undefined) await this.settle(where, program, back, from, true);
    else if (!edit.isOneWay && !isOfOrphan(back)) this.wrong(where, [`stuck: ${back.error}`]);
  }

  private async settle(
    path: readonly string[],
    program: Program,
    ran: Ran,
    from: Settled,
    isReverted = false,
  ): Promise<void> {
    this.histories += 1;
    const { isPlacing } = this.setting.choices;
    this.wrong(path, unsettled(program, ran, isReverted, from, isPlacing));
    const snapshot = rested(ran.after, from.snapshot);
    const key = restedKeyOf(plain(program), snapshot);
    if (this.settledKeys.has(key)) return;
    this.settledKeys.add(key);
    const quiet = await this.run([...path, "up"], snapshot, {
      program: program.map((one) => ({ ...one, aliases: [] })),
    });
    const writes = quiet.requests.filter(({ method }) => method !== "GET");
    const found = [quiet.error ?? [], quiet.steps, quiet.said, writes.map((each) => JSON.stringify(each))].flat();
    this.wrong(
      [...path, "up"],
      found.map((each) => `not quiet: ${each}`),
    );
    // Another owner's share is still in the way: no further edit needs to start from here.
    if (snapshot.items.some(({ id }) => id === "shr-stranger-like")) return;
    const orphans = orphansIn(snapshot);
    this.queue.push({ edits: from.edits + 1, program, snapshot, before: from.program, path, orphans });
  }

  private async run(
    path: readonly string[],
    snapshot: Snapshot,
    { program, replaced, asks, does }: Pick<Edit, "program" | "replaced" | "asks"> & Pick<Command, "does">,
    fault?: Fault,
    isRefreshed = false,
  ): Promise<Ran> {
    this.runs += 1;
    const isHasty = fault !== undefined && kindsIn(fault).some((kind) => hasty.includes(kind));
    const command = { program, does, replaced, asks, fault, isRefreshed, isHasty };
    const ran = await run(this.setting, snapshot, command);
    for (const boundary of ran.boundaries) this.seen.add(keyOf(program, boundary));
    this.seen.add(keyOf(program, ran.after));
    this.wrong(path, dishonest(snapshot, ran, command));
    return ran;
  }

  private check(path: readonly string[], ran: Ran, from: Settled, edit: Edit): void {
    const ids = heldOf(from.program, from.snapshot.state);
    this.wrong(path, [
      ...[...ran.boundaries, ran.after].flatMap((each) => alwaysWrong(from.snapshot, each)),
      ...told(ran),
      ...writtenTwice(ran, this.setting.choices),
      ...lostBy(ids, edit, ran.after),
      ...adoptedDeleted(from.snapshot, edit.program, ran),
    ]);
  }

  private wrong(path: readonly string[], found: readonly string[]): void {
    this.found.add(path, found);
  }
}
