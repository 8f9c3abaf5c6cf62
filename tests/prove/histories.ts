import { type Edit, plain, type Program, retargeted } from "./alphabet";
import { alwaysWrong, heldOf, isOfOrphan, lostBy, orphansIn, told, unsettled, writtenTwice } from "./checks";
import { keyOf, rested, restedKeyOf } from "./key";
import { type Fault, type FaultKind, kindsAt } from "./faults";
import { type Ran, run, type Sent, type Setting, type Snapshot } from "./run";
import { type About, type Moment, type Reached, rareStates } from "./rare";

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

export interface Violation {
  path: readonly string[];
  problems: readonly string[];
}

/** After these faults the next run begins at once. */
const hasty: readonly FaultKind[] = ["provider killed after", "provider killed, takes effect late"];
const cutOffs: readonly FaultKind[] = ["provider killed after", "engine killed before"];

const aboutOf = (kind: FaultKind, { method, path }: Sent): About => ({ kind, method, path });
const upOf = (isRefreshed: boolean) => (isRefreshed ? "up --refresh" : "up");
const saidOf = (nth: number, { kind, method, path }: About) => `${kind} at ${nth} (${method} ${path})`;

/** docs/reliability.md: what an earlier revert has left may be in the way; the error names it. */
const isRefusable = (edit: Edit, { error = "" }: Ran, { orphans }: Settled): boolean =>
  edit.isRefusable === true || [...orphans].some((id) => error.includes(id));

/** True if a creation record names a create that no state has yet. */
const isBegun = ({ records }: Snapshot): boolean => [...records.values()].some((text) => text.includes("postedAtMs"));

/** Runs an edit without a fault and with each fault, and collects the worlds that it can end in. */
export class Histories {
  readonly violations: Violation[] = [];
  private faults = 0;
  private readonly reached: Reached = Object.fromEntries(Object.keys(rareStates).map((name) => [name, 0]));
  private readonly seen = new Set<string>();
  private readonly settledKeys = new Set<string>();
  private queue: Settled[] = [];
  private runs = 0;
  private histories = 0;

  constructor(
    private readonly setting: Setting,
    private readonly say: (line: string) => void,
    private readonly everyNthFault = 1,
  ) {}

  counts() {
    const { runs, histories, reached, violations } = this;
    return { states: this.seen.size, settled: this.settledKeys.size, runs, histories, reached, violations };
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
    const clean = await this.run(from.snapshot, edit);
    this.check(path, clean, from, edit);
    if (clean.error !== undefined && !isRefusable(edit, clean, from)) this.wrong(path, [`refused: ${clean.error}`]);
    this.note({ stage: "edit", edit: edit.name, ran: clean });
    if (clean.error === undefined) await this.settle(path, edit.program, clean, from);
    else this.note(await this.revert(path, from, clean.after, edit));
    const known = new Map<string, Moment[]>();
    for (const [nth, sent] of clean.requests.entries())
      for (const kind of kindsAt(sent.method)) {
        if (++this.faults % this.everyNthFault !== 0) continue;
        const about = aboutOf(kind, sent);
        const where = [...path, saidOf(nth, about)];
        const ran = await this.faulted(where, from, edit, { at: nth, kind });
        const key = `${ran.error === undefined} ${kind.includes("killed")} ${keyOf(edit.program, ran.after)}`;
        const isKilled = kind.includes("killed");
        const later = known.get(key) ?? (await this.end(where, from, edit, ran, isKilled));
        known.set(key, later);
        for (const moment of [{ stage: "edit", edit: edit.name, ran } as const, ...later])
          this.note({ ...moment, fault: about });
      }
  }

  private async faulted(where: readonly string[], from: Settled, edit: Edit, fault: Fault): Promise<Ran> {
    const ran = await this.run(from.snapshot, edit, fault);
    this.check(where, ran, from, edit);
    // If the service has answered, the state must have the id, also if the work then failed. A message names a share that stays.
    const isKnown = (id: string) => from.orphans.has(id) || ran.said.some((line) => line.includes(id));
    const lost = fault.kind === "work fails" ? [...orphansIn(ran.after)].filter((id) => !isKnown(id)) : [];
    const problems = lost.map((id) => `an id is lost: ${id}`);
    this.wrong(where, problems);
    if (ran.error === undefined) await this.settle(where, edit.program, ran, from);
    return ran;
  }

  /**
   * Runs the documented recovery if a run with a fault failed: once `up` of the same program, and once `up --refresh` of the program
   * before the edit. After a kill both are `up --refresh`.
   */
  private async end(
    path: readonly string[],
    from: Settled,
    edit: Edit,
    { error, after }: Ran,
    isKilled: boolean,
  ): Promise<Moment[]> {
    if (error === undefined) return [];
    const again = await this.recover(path, from, edit, after, isKilled);
    const second =
      isKilled && from.edits <= 1
        ? await this.cutOffAgain([...path, "up --refresh"], from, edit, after, again.requests)
        : [];
    if (isKilled && from.edits <= 1 && isBegun(after)) await this.changeAndRecover(path, from, edit, after);
    if (!isKilled) await this.repair(path, from, edit, after);
    const moment: Moment = { stage: "recovery", edit: edit.name, ran: again };
    // docs/reliability.md: a user who reverts an update or a delete after a kill waits until it can no longer take effect.
    const isWriteComing = after.late.some(({ asked: { method } }) => method !== "POST");
    const reverted = isWriteComing ? [] : [await this.revert(path, from, after, edit)];
    return [moment, ...second, ...reverted];
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
    const ran = await this.run({ ...after, items }, { program: edit.program });
    this.wrong([...path, "repaired at the service", "up"], lostBy(ids, { program: edit.program }, ran.after));
  }

  private async recover(
    path: readonly string[],
    from: Settled,
    edit: Edit,
    snapshot: Snapshot,
    isRefreshed: boolean,
  ): Promise<Ran> {
    const where = [...path, upOf(isRefreshed)];
    const again = await this.run(snapshot, { program: edit.program }, undefined, isRefreshed);
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
  ): Promise<Moment[]> {
    const moments: Moment[] = [];
    const known = new Set<string>();
    for (const [nth, sent] of requests.entries())
      for (const kind of sent.method === "GET" ? [] : cutOffs) {
        const second = aboutOf(kind, sent);
        const where = [...path, saidOf(nth, second)];
        const ran = await this.run(snapshot, { program: edit.program }, { at: nth, kind }, true);
        this.check(where, ran, from, edit);
        const key = keyOf(edit.program, ran.after);
        if (known.has(key)) continue;
        known.add(key);
        const last = await this.recover(where, from, edit, ran.after, true);
        moments.push({ stage: "second recovery", edit: edit.name, ran: last, second });
      }
    return moments;
  }

  private async revert(path: readonly string[], from: Settled, snapshot: Snapshot, edit: Edit): Promise<Moment> {
    const program = plain(from.program);
    const first = await this.run(snapshot, { program }, undefined, true);
    // docs/reliability.md: the next `up` replaces a tunnel that the interrupted run created with other arguments.
    const isReplacedNext = first.error?.includes("[tunnel-differs]") === true;
    const back = isReplacedNext ? await this.run(first.after, { program }) : first;
    const where = [...path, "revert and up --refresh", ...(isReplacedNext ? ["up"] : [])];
    if (back.error === undefined) await this.settle(where, program, back, from, true);
    else if (!edit.isOneWay && !isOfOrphan(back)) this.wrong(where, [`stuck: ${back.error}`]);
    return { stage: "revert", edit: edit.name, ran: back };
  }

  private async settle(
    path: readonly string[],
    program: Program,
    ran: Ran,
    from: Settled,
    isReverted = false,
  ): Promise<void> {
    this.histories += 1;
    this.wrong(path, unsettled(program, ran, isReverted, from));
    const snapshot = rested(ran.after, from.snapshot);
    const key = restedKeyOf(plain(program), snapshot);
    if (this.settledKeys.has(key)) return;
    this.settledKeys.add(key);
    const quiet = await this.run(snapshot, { program: program.map((one) => ({ ...one, aliases: [] })) });
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
    snapshot: Snapshot,
    { program, replaced }: Pick<Edit, "program" | "replaced">,
    fault?: Fault,
    isRefreshed = false,
  ): Promise<Ran> {
    this.runs += 1;
    const isHasty = fault !== undefined && hasty.includes(fault.kind);
    const ran = await run(this.setting, snapshot, { program, replaced, fault, isRefreshed, isHasty });
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
      ...lostBy(ids, edit, ran.after),
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
