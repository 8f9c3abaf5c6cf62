import { Random } from "../harness/random";
import type { Kept, OpenAdapter } from "../model/program";
import { component, type Edit, keysOf, plain, type Program, revertEdit, withEach } from "./alphabet";
import {
  alwaysWrong,
  heldOf,
  isMisplaced,
  isOfOrphan,
  lostBy,
  orphansIn,
  overdone,
  parts,
  unsettled,
  writtenTwice,
  told,
} from "./checks";
import { allKindsAt, type Fault, type FaultKind, faultKinds, rarerKinds, requestOf } from "./faults";
import { adapters, alphabets, choices, type Job, variants } from "./jobs";
import { type Command, type Ran, run, type Sent, type Snapshot } from "./run";
import { start } from "./walk";

/** One step of a history: an edit, the run after it, and its faults. */
export interface Step {
  /** The edit before the run, by its name; `no edit` runs the same program again. */
  edit: string;
  /** The command, if it is not `up`. A refresh and a destroy do not apply the edit. */
  command?: Command["does"];
  isRefreshed?: true;
  /** The engine writes the state only at the end of this run. */
  isFast?: true;
  /** This run is on a machine without creation records. */
  isElsewhere?: true;
  fault?: Fault;
  /** A second fault, in the recovery. */
  later?: Fault;
  /** How the user goes on after a run that failed: with the same program, or with the program as it was. */
  ends?: "again" | "reverted";
}

/** A history of one stack. It is plain JSON, and runs in virtual time and on Pulumi. */
export interface History extends Job {
  /** Pulumi's `--parallel 1`. */
  isSerial?: true;
  steps: Step[];
}

/** Runs a command on the world as it was after the one before. */
export type Runner = (before: Snapshot, command: Command) => Promise<Ran>;

interface Settled {
  program: Program;
  snapshot: Snapshot;
  before: Program | undefined;
  /** Ids that earlier reverts left at the service, as documented. */
  orphans: ReadonlySet<string>;
}

/** A history while it is played. Checks each run. */
export class Play {
  readonly problems: string[] = [];
  readonly log: string[] = [];
  readonly runs: { command: Command; ran: Ran }[] = [];
  /** How many steps were skipped, because their edit is not possible after the runs before. */
  skipped = 0;
  /** True if the documented recovery cannot go on. The history ends. */
  isOver = false;
  private settled: Settled = { program: [], snapshot: start, before: undefined, orphans: new Set() };

  constructor(
    private readonly runner: Runner,
    private readonly job: Pick<Job, "programs" | "service">,
    /** True for runs after which `up` and refresh must find nothing to do. */
    private readonly isQuietTried: (ran: Ran, isFaulted: boolean) => boolean = () => true,
  ) {}

  /** The edits that are possible now. */
  edits(): Edit[] {
    const { program, snapshot, before } = this.settled;
    const alphabet = alphabets[this.job.programs];
    const { isPlacing } = choices[this.job.service];
    if (before === undefined) return [{ name: "up", program: alphabet.start }];
    const same: Edit = { name: "no edit", program: plain(program) };
    const edits = [...alphabet.editsOf(program, snapshot.state), ...editsOfAll(program, snapshot.state)];
    return [...edits, revertEdit(program, before), same].map((edit) =>
      clashes(program, edit.program) || (isPlacing && isMisplaced(edit.program))
        ? { ...edit, isRefusable: true }
        : edit,
    );
  }

  async step(step: Step): Promise<void> {
    const edit = this.editOf(step);
    if (!edit || this.isOver) {
      this.skipped += 1;
      return;
    }
    const from = this.beside(edit, step);
    const { fault, isRefreshed = false, isFast, command: does } = step;
    const { program, replaced } = edit;
    const ran = await this.run(from.snapshot, { program, replaced, fault, isRefreshed, isFast, does });
    this.check(ran, from, edit);
    if (does === "preview" || does === "refresh") this.wrong(writesOf(ran).map((each) => `a ${does} wrote: ${each}`));
    if (does === "preview") {
      this.settled = { ...from, snapshot: ran.after };
      if (ran.error !== undefined && !fault && !edit.isRefusable) this.wrong([`refused: ${ran.error}`]);
    } else if (ran.error === undefined) await this.settle(program, ran, from, fault !== undefined);
    else if (fault) await this.recover(step, edit, from, ran);
    else {
      if (!edit.isRefusable && !isOfOrphan(ran)) this.wrong([`refused: ${ran.error}`]);
      await this.revert(from, ran.after, edit);
    }
  }

  /** The requests that a step would send without a fault. Changes nothing. */
  async foreseen(step: Step): Promise<readonly Sent[]> {
    const edit = this.editOf(step);
    if (!edit) return [];
    const { program, replaced } = edit;
    const { isRefreshed = false, command: does } = step;
    const command = { program, replaced, isRefreshed, does };
    return (await this.runner(this.beside(edit, step).snapshot, command)).requests;
  }

  /** Plays steps until one shows a problem. */
  async all(steps: readonly Step[]): Promise<void> {
    for (const step of steps) {
      if (this.problems.length > 0) return;
      this.log.push(`[${step.edit}]`);
      await this.step(step);
    }
  }

  private editOf({ edit: name, command }: Step): Edit | undefined {
    const { program } = this.settled;
    if (command === "refresh") return { name: command, program };
    const renews = program.flatMap((one) => [one.slot, ...keysOf(one)]);
    if (command === "destroy") return { name: command, program: [], renews };
    return this.edits().find((edit) => edit.name === name);
  }

  private beside({ stranger }: Edit, { isElsewhere, command }: Step): Settled {
    const { settled } = this;
    const { items, records, ...rest } = settled.snapshot;
    const isSeen = stranger && command !== "preview";
    // docs/reliability.md: without creation records, a resource that an interrupted run left could belong to another owner.
    const isBare = isElsewhere && settled.orphans.size === 0;
    return {
      ...settled,
      snapshot: { ...rest, items: isSeen ? [...items, stranger] : items, records: isBare ? new Map() : records },
    };
  }

  /** Runs the documented recovery after an interruption. The recovery may also be interrupted. */
  private async recover({ later, ends }: Step, edit: Edit, from: Settled, { after }: Ran): Promise<void> {
    // docs/reliability.md: a user who reverts an update or a delete after a kill waits until it can no longer take effect.
    const isReverted = ends === "reverted" && after.late.every(({ asked: { method } }) => method === "POST");
    let snapshot = after;
    if (later) {
      const program = isReverted ? plain(from.program) : edit.program;
      const ran = await this.run(snapshot, { program, fault: later, isRefreshed: true });
      if (!isReverted) this.check(ran, from, edit);
      if (ran.error === undefined) return this.settle(program, ran, from, true, isReverted);
      snapshot = ran.after;
    }
    if (isReverted) return this.revert(from, snapshot, edit);
    const again = await this.replacing(snapshot, edit.program, (first) => {
      this.check(first, from, edit);
    });
    if (again.error === undefined) return this.settle(edit.program, again, from, true);
    if (!edit.isRefusable && !isOfOrphan(again)) this.wrong([`stuck: ${again.error}`]);
    await this.revert(from, again.after, edit);
  }

  /**
   * Runs the program. docs/reliability.md: if the record of a tunnel has no id, the next `up` replaces a tunnel that has other arguments, or
   * that Frontdoor reports as failed.
   */
  private async replacing(snapshot: Snapshot, program: Program, check: (ran: Ran) => void = () => undefined) {
    const first = await this.run(snapshot, { program, isRefreshed: true });
    check(first);
    if (!/\[tunnel-(differs|error)\]/.test(first.error ?? "")) return first;
    const second = await this.run(first.after, { program, isRefreshed: false });
    check(second);
    return second;
  }

  private async revert(from: Settled, snapshot: Snapshot, edit: Edit): Promise<void> {
    const program = plain(from.program);
    const back = await this.replacing(snapshot, program);
    if (back.error === undefined) return this.settle(program, back, from, true, true);
    if (!edit.isOneWay && !isOfOrphan(back)) this.wrong([`stuck: ${back.error}`]);
    this.isOver = true;
  }

  private async settle(
    program: Program,
    ran: Ran,
    from: Settled,
    isFaulted: boolean,
    isReverted = false,
  ): Promise<void> {
    this.wrong(unsettled(program, ran, isReverted, from, choices[this.job.service].isPlacing));
    // Another owner's share is in the way of only one run.
    const items = ran.after.items.filter(({ id }) => id !== "shr-stranger-like");
    this.settled = {
      program,
      snapshot: { ...ran.after, items },
      before: isReverted ? (from.before ?? from.program) : from.program,
      orphans: orphansIn(ran.after),
    };
    if (program.length === 0 || !this.isQuietTried(ran, isFaulted)) return;
    // If a list left out a field, the next refresh notes how the service spells it, or where it has placed the share.
    const { respelled, isPlacing } = choices[this.job.service];
    if (isFaulted && (respelled !== undefined || isPlacing)) {
      const { after } = await this.run(this.settled.snapshot, { program, does: "refresh", isRefreshed: false });
      this.settled = { ...this.settled, snapshot: after };
    }
    await this.quiet();
  }

  /** Checks that the next `up` and the next refresh find nothing to do. */
  async quiet(): Promise<void> {
    if (this.isOver) return;
    const program = this.settled.program.map((one) => ({ ...one, aliases: [] }));
    for (const does of [undefined, "refresh"] as const) {
      const ran = await this.run(this.settled.snapshot, { program, does, isRefreshed: false });
      const found = [ran.error ?? [], ran.steps, writesOf(ran)].flat();
      this.wrong(found.map((each) => `not quiet: ${does ?? "up"}: ${each}`));
    }
  }

  /** Checks that a destroy leaves only resources of other owners and resources that reverts left. */
  async end(): Promise<void> {
    if (this.isOver) return;
    await this.step({ edit: "destroy", command: "destroy" });
    // docs/reliability.md: a share that a reverted create left keeps its tunnel until the user deletes the share.
    if (this.settled.snapshot.state.length > 0 && this.settled.orphans.size === 0)
      this.wrong(["a destroy leaves something in the state"]);
  }

  private async run(before: Snapshot, command: Command): Promise<Ran> {
    const ran = await this.runner(before, command);
    this.runs.push({ command, ran });
    this.log.push(nameOf(command, ran));
    this.wrong([
      ...told(ran),
      ...overdone(ran),
      ...[...ran.boundaries, ran.after].flatMap((each) => alwaysWrong(before, each)),
    ]);
    return ran;
  }

  private check(ran: Ran, from: Settled, edit: Edit): void {
    const ids = heldOf(from.program, from.snapshot.state);
    this.wrong([...writtenTwice(ran, choices[this.job.service]), ...lostBy(ids, edit, ran.after)]);
  }

  private wrong(problems: readonly string[]): void {
    for (const problem of problems) if (!this.problems.includes(problem)) this.problems.push(problem);
  }
}

/** True if a share needs a port, or a tunnel a location, that another resource has or had before. Only a set puts such writes in order. */
function clashes(before: Program, after: Program): boolean {
  const places = (program: Program) =>
    parts(program).map(({ kind, slot, urn, on, args }) => ({
      ...{ slot, set: urn.split("#")[0], isAdopting: args["adopt"] !== undefined },
      place: `${kind} ${on ?? ""} ${String(args[kind === "tunnels" ? "locationId" : "ingressPort"])}`,
    }));
  const [old, now] = [places(before), places(after)];
  return now.some(({ slot, set, place, isAdopting }) => {
    const isSame = (each: { slot: string; place: string }) => each.place === place && each.slot !== slot;
    return now.some(isSame) || (!isAdopting && old.some((each) => isSame(each) && each.set !== set));
  });
}

const writesOf = ({ requests }: Ran) =>
  requests.filter(({ method }) => method !== "GET").map(({ method, path, body = "" }) => `${method} ${path} ${body}`);

const nameOf = ({ does, isRefreshed, fault }: Command, { error, requests }: Ran) =>
  [
    `${does ?? "up"}${isRefreshed ? " --refresh" : ""}`,
    fault ? `, ${fault.kind} at ${fault.of ?? "request"} ${fault.at} of ${requests.length}` : "",
    error === undefined ? "" : ` failed: ${error.trim().slice(0, 200)}`,
  ].join("");

/** Plays a history to its end. */
export async function play(
  history: History,
  runner: Runner,
  isQuietTried?: (ran: Ran, isFaulted: boolean) => boolean,
): Promise<Play> {
  const played = new Play(runner, history, isQuietTried);
  await played.all(history.steps);
  if (played.problems.length === 0) await played.end();
  return played;
}

export interface Drawing {
  /** Leaves out a random half of edits, options and faults. */
  isSwarm?: boolean;
  /** No faults, and no commands but `up`. */
  isCalm?: boolean;
  adapter?: History["adapter"] | undefined;
}

/** Options of a step besides its edit. */
type Option =
  | "preview"
  | "refresh"
  | "destroy"
  | "isRefreshed"
  | "isElsewhere"
  | "isFast"
  | "also"
  | "later"
  | "reverted"
  | "no fault";

const longest = 6;

/** Faults that take too long on Pulumi, or that only another clock shows. */
const onlyWalked: readonly FaultKind[] = [
  "503 after, pause of 40 s",
  "503 after, pause beyond each deadline",
  "work never ends",
  "provider killed before, clock set back",
];
const kindsAt = (method: string) => allKindsAt(method).filter((kind) => !onlyWalked.includes(kind));

export const virtual =
  ({ service, adapter, isSerial }: Pick<History, "service" | "adapter" | "isSerial">): Runner =>
  (before, command) => {
    const open = adapters[adapter];
    return run({ choices: choices[service], adapter: isSerial ? serial(open) : open }, before, command);
  };

/** The kind of an edit: its name without the resource. */
const kindOf = (edit: string) => edit.replace(/\b(?:[tsk]\d|single-k\d|services)\b/g, "X");

/** Draws a history and plays it in virtual time, because the possible edits depend on the runs before. */
export async function draw(seed: number, drawing: Drawing = {}): Promise<{ history: History; played: Play }> {
  const random = new Random(seed);
  const history: History = {
    programs: random.pick(["singles", "sets"]),
    service: !drawing.isCalm && random.chance(0.3) ? random.pick(variants) : random.pick(["plain", "other"]),
    adapter: drawing.adapter ?? random.pick(["dynamic", "plugin"]),
    ...(random.chance(0.2) && { isSerial: true as const }),
    steps: [],
  };
  const drawn = new Drawn(random, drawing, virtual(history));
  const played = new Play(virtual(history), history);
  for (let left = 2 + random.upTo(longest - 2); left > 0 && !played.isOver && played.problems.length === 0; left--) {
    const step = await drawn.step(played);
    history.steps.push(step);
    await played.step(step);
  }
  if (played.problems.length === 0) await played.end();
  return { history, played };
}

class Drawn {
  private readonly left = new Map<string, boolean>();
  private readonly kinds: readonly FaultKind[];

  constructor(
    private readonly random: Random,
    private readonly drawing: Drawing,
    private readonly runner: Runner,
  ) {
    const kinds = [...faultKinds, ...rarerKinds].filter((kind) => !this.isLeft(kind));
    this.kinds = kinds.length > 0 ? kinds : faultKinds;
  }

  /** True if this history leaves out the edit, option or fault. Drawn once for the whole history. */
  private isLeft(name: string): boolean {
    const known = this.left.get(name);
    if (known !== undefined) return known;
    const isLeft = (this.drawing.isSwarm ?? true) && this.random.chance(0.5);
    this.left.set(name, isLeft);
    return isLeft;
  }

  private has(option: Option, probability: number): boolean {
    return !this.isLeft(option) && !(this.drawing.isCalm ?? false) && this.random.chance(probability);
  }

  async step(played: Play): Promise<Step> {
    const all = played.edits().filter(({ isRace }) => !(isRace && this.drawing.isCalm));
    const some = all.filter(({ name }) => !this.isLeft(kindOf(name)));
    const edit = this.random.pick(some.length > 0 ? some : all);
    const isFirst = edit.name === "up";
    const command = isFirst
      ? undefined
      : (["preview", "refresh", "destroy"] as const).find((each) => this.has(each, 0.08));
    const step: Step = {
      edit: command === "refresh" || command === "destroy" ? command : edit.name,
      ...(command && { command }),
      ...(!command && this.has("isRefreshed", 0.2) && { isRefreshed: true as const }),
      ...(!command && this.has("isFast", 0.15) && { isFast: true as const }),
      ...(this.has("isElsewhere", 0.1) && { isElsewhere: true as const }),
    };
    if (command === "preview" || this.drawing.isCalm || this.has("no fault", 0.4)) return step;
    const fault = await this.fault(played, step);
    if (!fault) return step;
    const ends = this.has("reverted", 0.4) && !edit.isOneWay ? "reverted" : "again";
    return { ...step, fault, ...(this.has("later", 0.3) && { later: this.anyFault() }), ends };
  }

  /** A fault at one of the requests that the run sends if there is no fault, mostly at a write. */
  private async fault(played: Play, step: Step): Promise<Fault | undefined> {
    const requests = await played.foreseen(step);
    const writes = requests.filter(({ method }) => method !== "GET");
    const all = writes.length > 0 && this.random.chance(0.8) ? writes : requests;
    if (all.length === 0) return undefined;
    const hit = this.random.pick(all);
    const kinds = kindsAt(hit.method).filter((kind) => this.kinds.includes(kind));
    const kind = this.random.pick(kinds.length > 0 ? kinds : kindsAt(hit.method));
    const also = this.has("also", 0.3) ? { also: this.anyFault() } : {};
    return { of: requestOf(hit), at: countBefore(requests, hit), kind, ...also };
  }

  private anyFault(): Fault {
    const of = this.random.pick([
      "POST share",
      "PATCH share",
      "DELETE share",
      "POST tunnel",
      "DELETE tunnel",
      "GET share",
    ]);
    const kinds = kindsAt(of.split(" ")[0] ?? "").filter((kind) => this.kinds.includes(kind));
    return { of, at: this.random.upTo(1), kind: this.random.pick(kinds.length > 0 ? kinds : kindsAt("GET")) };
  }
}

const countBefore = (requests: readonly Sent[], hit: Sent) =>
  requests.slice(0, requests.indexOf(hit)).filter((each) => requestOf(each) === requestOf(hit)).length;

const other = (urn: string) => (urn.endsWith("-other") ? urn.slice(0, -"-other".length) : `${urn}-other`);
const moved = (urn: string) =>
  urn.includes(component) ? urn.replace(component, "") : urn.replace("::prove::", `::prove::${component}`);

const aliased = (program: Program, name: (urn: string) => string): Program =>
  plain(program).map((one) => ({ ...one, urn: name(one.urn), aliases: [one.urn] }));

/** The resources in another order, and also the keys of sets. */
const reversed = (program: Program): Program =>
  plain(program)
    .toReversed()
    .map(({ args, ...one }) => {
      const shares = args["shares"] && Object.fromEntries(Object.entries(args["shares"]).toReversed());
      return { ...one, args: shares ? { ...args, shares } : args };
    });

/** Edits of every resource at once, which no resource must notice. */
function editsOfAll(program: Program, state: readonly Kept[]): Edit[] {
  const ids = heldOf(program, state);
  const adopting = plain(program).map((one) => ({
    ...withEach(one, (args, slot) => ({ ...args, adopt: ids.get(slot) })),
    urn: other(one.urn),
  }));
  return [
    { name: "declare all in another order", program: reversed(program) },
    { name: "rename all with aliases", program: aliased(program, other), isOneWay: true },
    { name: "move all with aliases", program: aliased(program, moved), isOneWay: true },
    { name: "rename all with adopt", program: adopting },
  ];
}

/** The adapter with one call at a time, as with `--parallel 1`. */
const serial =
  (open: OpenAdapter): OpenAdapter =>
  (...given) => {
    const adapter = open(...given);
    let last: Promise<unknown> = Promise.resolve();
    const queued = <Answer>(call: () => Promise<Answer>): Promise<Answer> => {
      const answer = last.then(call);
      last = answer.catch(() => undefined);
      return answer;
    };
    return {
      ...adapter,
      check: (...args) => queued(() => adapter.check(...args)),
      diff: (...args) => queued(() => adapter.diff(...args)),
      create: (...args) => queued(() => adapter.create(...args)),
      read: (...args) => queued(() => adapter.read(...args)),
      update: (...args) => queued(() => adapter.update(...args)),
      delete: (...args) => queued(() => adapter.delete(...args)),
    };
  };
