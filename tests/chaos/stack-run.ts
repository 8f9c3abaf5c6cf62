import { setTimeout as sleep } from "node:timers/promises";
import type { Emulator } from "../../emulator";
import { nameOf } from "../harness/state";
import { differences, heldTwice, leaks } from "./checks";
import { type Covered, declaredButGone, dropped, namesOf, replaceable } from "./declared";
import { planCancel, planKill } from "./killing";
import { isForeign, isRefusal, remedied, type Remedy } from "./refusals";
import type { Args, Kill, PlannedFault, Program, Step } from "./schedule";
import { hasCycle, hasSameTunnels } from "./set-ports";
import { flat, mapped, retaining, type Unfolded } from "./sets";
import type { Shared } from "./shared";
import type { Running, Stack } from "./stack";

/** Room above the ceiling for requests that a busy machine lets arrive in a heap. */
const crowding = 1.5;
/** No wait is left then, but requests may be under way and the machine busy. */
const longestCancelMs = 15_000;
/** After so many remedies a refusal leads nowhere. */
const mostRemedies = 6;
export const nothing: Program = { tunnels: {}, shares: {} };

/** One stack through the steps of a schedule that are its. */
export class StackRun {
  /** What the program is now, and what the last successful up of it made. */
  program = nothing;
  private covered: Covered = { program: nothing, ids: new Map() };
  private spared = new Set<string>();
  /** What the state held before the run, or before the one that was cut off. */
  private before: Unfolded[] = [];
  private wasCutOff = false;
  /** Ids that the program's `{ own: … }` stand for, by what has them and whose they were. */
  private readonly adopted = new Map<string, string>();

  constructor(
    private readonly shared: Shared,
    readonly stack: Stack,
    readonly label: string,
  ) {}

  get kept(): Unfolded[] {
    return this.stack.state().kept;
  }

  /** One run with its faults; then the service heals, and one more run has to set everything right. */
  async step(step: Step): Promise<void> {
    const { emulator, report, owners } = this.shared;
    const { run, faults, kill: plan, cancel } = step;
    const goal = run === "up" ? step.program : run === "destroy" ? nothing : this.program;
    for (const name of replaceable(this.covered.program, step)) this.spared.add(name);
    if (run === "destroy") await this.unprotect();
    if (run === "up") await this.retainFirst(step.program);
    this.declare(step.program);
    emulator.requests.length = 0;
    const live: { running?: Running; killed?: Kill; interrupts: number[] } = { interrupts: [] };
    // Before the faults, so that none of them hides the write that it waits for.
    if (plan) {
      planKill(emulator, plan, () => {
        live.killed = plan;
        live.running?.strike(plan.who);
      });
    }
    const endCancel = cancel
      ? planCancel(emulator, cancel, () => {
          live.interrupts.push(performance.now());
          live.running?.interrupt();
        })
      : () => undefined;
    for (const fault of faults) addFault(emulator, fault);

    const refreshed = step.isRefreshed ? ["--refresh"] : [];
    const flags = [...(run === "preview" ? [] : ["--yes", "--skip-preview"]), ...refreshed];
    const named = run === "up" || run === "preview" ? Object.entries(step.flags ?? {}) : [];
    const chosen = named.flatMap(([flag, names]) => names.flatMap((name) => [`--${flag}`, `**::${name}`]));
    this.remember();
    owners.runs(this.label, this.resolved(step.program));
    live.running = this.stack.start([run, "--stack", this.stack.name, ...flags, ...chosen, ...this.parallel()]);
    const isEdited = run === "up" || run === "preview";
    const { code, text, took } = await this.ended(live.running, run, isEdited ? step.program : goal);
    endCancel();
    const killed = live.killed?.who;
    const [cancelledMs] = live.interrupts;
    if (cancelledMs !== undefined) {
      report.cancels += 1;
      const tookMs = performance.now() - cancelledMs;
      // The dynamic host's waits go on.
      if (this.shared.schedule.host === "plugin" && tookMs > longestCancelMs)
        this.problems([`stuck: ${run} went on for ${Math.round(tookMs / 1000)} s after Ctrl-C:\n${text}`]);
    }
    if (live.interrupts.length > 1) report.doubleCancels += 1;
    report.log.push(
      `${[run, ...refreshed, ...chosen].join(" ")} → ${code} (${took})${killed === undefined ? "" : `, ${killed} killed ${plan?.when ?? ""}`}${", interrupted".repeat(live.interrupts.length)}`,
    );
    if (run === "preview") this.expectNoWrites("a preview");
    const isDoneWhole = isEdited && code === 0 && chosen.length === 0 && cancelledMs === undefined;
    const covered = this.covered.program;
    if (isDoneWhole && hasSameTunnels(step.program, covered) && hasCycle(step.program, covered))
      this.problems([`${run} accepted ports in a cycle`]);
    // A second interrupt leaves nobody the time to tell.
    if (run === "up" && code !== 0 && !killed && live.interrupts.length < 2) this.expectTold(text);
    const peak = this.shared.watch.peakPerSecond();
    if (!killed && peak > crowding * this.shared.perSecond) this.problems([`${peak} requests within a second`]);
    if (killed !== undefined) report.kills += 1;
    if (step.freshMachine === "recovery") this.stack.anotherMachine();
    await this.heal();
    this.program = goal;
    // Interrupted among its deletes the engine leaves out the others, and says that all is well.
    const isDone = code === 0 && cancelledMs === undefined;
    if (!isDone || run === "preview" || run === "refresh" || chosen.length > 0) {
      // An engine that ends at once, as by a signal, leaves its lock.
      if (killed === "engine" || killed === "both" || code === -1) await this.engine("cancel");
      if (run === "destroy") await this.destroyed();
      else await this.recover(step, run === "up" && code !== 0 ? (step.flags?.replace ?? []) : []);
    }
    this.settle();
  }

  /** Sets `retain`, in an up of its own, on keys that this program hands over, as the docs say: an edit that did it was taken back. */
  private async retainFirst(next: Program): Promise<void> {
    const before = flat(this.covered.program).shares;
    const handedOver = Object.entries(next.shares).flatMap(([name, { adopt }]) => {
      const own = (adopt as { own?: string } | undefined)?.own;
      const isAfter = Object.values(next.sets ?? {}).some(({ opts }) => opts?.dependsOn?.includes(name));
      return own?.includes("[") && before[own] && before[own]["retain"] !== true && !isAfter ? [own] : [];
    });
    if (handedOver.length === 0) return;
    this.program = retaining(this.covered.program, handedOver);
    this.declare(this.program);
    await this.engine("up", "--skip-preview");
    this.settle();
  }

  /** Takes what was made by hand into the state, by logical name, and writes nothing at the service. */
  async import(ids: Record<string, string>): Promise<void> {
    // The program may have it under another name by then.
    const type = (id: string) => `frontdoor:index:${id.startsWith("tnl-") ? "IpsecTunnel" : "IpsecShare"}`;
    const resources = Object.entries(ids).map(([name, id]) => ({ type: type(id), name, id }));
    for (const { id } of resources) this.shared.owners.imports(id);
    const flags = ["--file", this.stack.importFile(resources), "--generate-code=false", "--protect=false"];
    await this.quietly("import", ...flags, "--skip-preview");
  }

  /** The run after: it succeeds, or it refuses the edit and says so; then the user does what is left to do. */
  private async recover(step: Step, replaced: string[]): Promise<void> {
    const { shared } = this;
    // What was broken off is repeated as it was.
    const again = replaced.flatMap((name) => ["--replace", `**::${name}`]);
    let isRepeated = true;
    let isTakenBack = false;
    for (let remedies = 0; ; remedies++) {
      this.declare(this.program);
      const { code, text } = await this.told("up", ["--skip-preview", ...(isRepeated ? again : [])]);
      if (code === 0) return;
      // What it finds in ERROR only now is replaced by the next one, and what is not ready in time is waited for (docs/reliability.md).
      const second = ["it replaces the tunnel", "it goes on waiting"].some((next) => text.includes(next))
        ? await this.told("up", ["--skip-preview"])
        : { code, text };
      if (second.code === 0) return;
      const remedy: Remedy | undefined =
        remedies < mostRemedies &&
        isRefusal(second.text, shared.schedule, step, isTakenBack, hasCycle(this.program, this.covered.program))
          ? remedied(this, step, second.text, shared)
          : undefined;
      if (!remedy) {
        this.problems([`stuck: up ended with ${second.code}:\n${second.text}`]);
        return;
      }
      shared.report.refusals.push(`${step.edits?.join(" + ") ?? "?"}: ${remedy.why}`);
      shared.report.log.push(remedy.what);
      isTakenBack ||= remedy.what.startsWith("taken back");
      if (isTakenBack) {
        for (const name of dropped(this.covered.program, this.program)) this.spared.add(name);
        await this.unprotect();
      }
      this.program = remedy.program;
      isRepeated = remedy.isRepeated ?? false;
    }
  }

  /** What is covered from now on. */
  private settle(): void {
    this.covered = { program: this.program, ids: new Map(this.kept.map(({ urn, id }) => [nameOf(urn), id])) };
    this.spared = new Set();
  }

  get lastGood(): Program {
    return this.covered.program;
  }

  differences(): string[] {
    return differences(this.kept, this.shared.emulator, this.program, (id) => this.shared.owners.of(id) === this.label);
  }

  /** Takes the stack away; nothing of it is left. */
  async destroy(): Promise<void> {
    await this.unprotect();
    this.program = nothing;
    await this.destroyed();
    this.covered = { program: nothing, ids: new Map() };
  }

  /** What others have on a tunnel leaves before its delete; what `retainOnDelete` leaves there the user removes by hand then. */
  private async destroyed(): Promise<void> {
    this.othersLeave();
    const refreshed = this.shared.schedule.seed % 2 === 0 ? ["--refresh"] : [];
    const { code, text } = await this.told("destroy", ["--skip-preview", ...refreshed]);
    if (code === 0) return;
    if (this.othersLeave() === 0) this.problems([`stuck: destroy ended with ${code}:\n${text}`]);
    else await this.engine("destroy", "--skip-preview");
  }

  private othersLeave(): number {
    const { emulator, owners } = this.shared;
    const { kept } = this;
    const inTheWay = emulator.shares().filter(({ id, ipsecTunnelId, status }) => {
      const isOn = kept.some((each) => each.id === ipsecTunnelId);
      return isOn && status !== "DELETED" && isForeign(owners, id);
    });
    for (const { id } of inTheWay) emulator.removeShare(id);
    return inTheWay.length;
  }

  private async unprotect(): Promise<void> {
    if (this.kept.some(({ protect }) => protect)) {
      await this.stack.start(["state", "unprotect", "--all", "--yes", "--stack", this.stack.name]).end;
    }
  }

  /** The program with the ids that it adopts. */
  private resolved(program: Program): Program {
    return mapped(program, (name, { adopt, ...args }) => {
      const own = (adopt as { own?: string } | undefined)?.own;
      if (own === undefined) return { ...args, ...(adopt !== undefined && { adopt }) };
      const id = this.adopted.get(`${name} as ${own}`) ?? this.covered.ids.get(own);
      if (id !== undefined) this.adopted.set(`${name} as ${own}`, id);
      return { ...args, ...(id !== undefined && { adopt: id }) };
    });
  }

  /**
   * What gets stuck must not keep a run for the usual quarter of an hour, but as long as it takes to prove twice that something is
   * gone; a delete has the patience of the run before, so all of them are told.
   */
  private declare(program: Program): void {
    const isStuck = this.shared.schedule.steps.some(({ faults }) => faults.some(({ fault }) => fault === "stick"));
    const resolved = this.resolved(program);
    this.stack.program(isStuck ? impatient(resolved) : resolved);
  }

  /** A run that fails names whatever it leaves unready. */
  private expectTold(text: string): void {
    // Of a set it names ten.
    const mayLack = (urn: string) => urn.endsWith("]") && /; and \d+ more; /.test(text);
    const unready = this.kept.filter(({ outputs, urn }) => outputs["status"] !== "DEPLOYED" && !mayLack(urn));
    this.problems(unready.filter(({ id }) => !text.includes(id)).map(({ id }) => `untold: ${id} is not ready`));
  }

  /** No more faults; what was late arrives, what was stuck goes on, what lagged behind catches up. */
  private async heal(): Promise<void> {
    const { emulator } = this.shared;
    emulator.faults.clear();
    await sleep(50);
    emulator.clock.advance(60_000);
    await sleep(50);
    for (const { id, status } of [...emulator.tunnels(), ...emulator.shares()]) {
      if (status === "NEW") emulator.setStatus(id, "DEPLOYED");
      if (status === "DELETING") emulator.setStatus(id, "DELETED");
    }
    emulator.clock.advance(60_000);
  }

  /** A run that has to succeed. */
  async engine(command: string, ...flags: string[]): Promise<void> {
    const { code, text } = await this.told(command, flags);
    if (code !== 0) this.problems([`stuck: ${command} ${flags.join(" ")} ended with ${code}:\n${text}`]);
  }

  private async told(command: string, flags: string[]) {
    const parallel = command === "cancel" ? [] : this.parallel();
    this.remember();
    this.shared.owners.runs(this.label, this.resolved(this.program));
    const running = this.stack.start([command, "--yes", "--stack", this.stack.name, ...flags, ...parallel]);
    const ended = await this.ended(running, command, this.program);
    this.shared.report.log.push(`${[command, ...flags].join(" ")} → ${ended.code} (${ended.took})`);
    return ended;
  }

  /** The next up and refresh find nothing to change; both in one run, unless there is something to clear. */
  async expectQuiet(): Promise<void> {
    const quiet = ["--skip-preview", "--expect-no-changes"];
    const before = shownBy(this.stack);
    // A killed engine's creates stay noted after they were done: harmless, until a refresh clears them.
    if (this.stack.state().pending.length > 0) {
      await this.quietly("refresh", ...quiet, "--clear-pending-creates");
      await this.quietly("up", ...quiet);
    } else await this.quietly("up", "--refresh", ...quiet);
    for (const [id, text] of shownBy(this.stack)) {
      if (before.get(id) !== text) this.problems([`a refresh changed ${String(before.get(id))} to ${text}`]);
    }
    if (this.stack.state().pending.length > 0) this.problems(["pending creates are not cleared"]);
  }

  private async quietly(command: string, ...flags: string[]): Promise<void> {
    this.shared.emulator.requests.length = 0;
    await this.engine(command, ...flags);
    this.expectNoWrites(command);
  }

  private expectNoWrites(what: string): void {
    const writes = this.shared.emulator.requests.filter(
      ({ method, path }) => method !== "GET" && !path.startsWith("/oauth"),
    );
    if (writes.length > 0)
      this.problems([`${what} wrote: ${writes.map(({ method, path }) => `${method} ${path}`).join()}`]);
  }

  private parallel(): string[] {
    return this.shared.schedule.isFast ? ["--parallel", "256"] : [];
  }

  /** Waits for a run, and looks at everything that must hold after any. */
  private async ended(running: Running, what: string, program: Program) {
    const { report, owners, watch, emulator, secrets } = this.shared;
    report.runs += 1;
    const startedMs = performance.now();
    const { code, text, isOverdue, orphans } = await running.end;
    const took = `${Math.round((performance.now() - startedMs) / 1000)} s`;
    this.shared.orphans.push(...orphans);
    if (isOverdue) this.problems([`stuck: ${what} did not end:\n${text}`]);
    this.problems(leaks(text, secrets(), `the output of ${what}`));
    const { kept } = this;
    // A provider that outlives its engine may still finish a write.
    this.wasCutOff = code === -1;
    if (!this.wasCutOff) this.letGo(kept, program);
    owners.holds(
      this.label,
      kept.map(({ id }) => id),
    );
    report.imports = owners.imported;
    // What a run that was broken off has left is not set right by its cancel.
    this.problems([...watch.problems, ...owners.problems, ...heldTwice(kept, code !== 0 || what === "cancel")]);
    if (program !== nothing) this.problems(declaredButGone(this.covered, program, this.spared, kept, emulator));
    return { code, text, took };
  }

  private remember(): void {
    const { kept } = this;
    const forgotten = this.before.filter(({ id }) => !kept.some((each) => each.id === id));
    this.before = this.wasCutOff ? [...kept, ...forgotten] : kept;
  }

  /** What the engine leaves alive because the program says so is nobody's from then on. */
  private letGo(kept: Unfolded[], program: Program): void {
    const gone = this.before.filter(({ id }) => !kept.some((each) => each.id === id));
    for (const { id, urn, retainOnDelete, deletedWith, isRetained } of gone) {
      if (retainOnDelete ?? deletedWith) this.shared.owners.give(id, "nobody's");
      if (isRetained) this.letGoKey(id, urn, kept, program);
    }
  }

  /**
   * A share whose key was removed from its set with `retain` is there, and is nobody's unless another resource adopts it. Shares of a set
   * that is replaced or deleted go with it.
   */
  private letGoKey(id: string, urn: string, kept: Unfolded[], program: Program): void {
    const { emulator, owners } = this.shared;
    const [set = ""] = urn.split("[");
    const isThere = emulator.shares().some((each) => each.id === id && !["DELETING", "DELETED"].includes(each.status));
    const isReplaced = Object.values(program.sets ?? {}).some(({ opts }) => opts?.replaceOnChanges);
    const isUpdated = this.before.some(
      (each) => each.urn.startsWith(`${set}[`) && kept.some((now) => now.id === each.id && now.urn === each.urn),
    );
    const isRemoved = !namesOf(program).includes(nameOf(urn));
    if (isUpdated && isRemoved && !isReplaced && !isThere) this.problems([`retained but deleted: ${id}`]);
    const isAdopted = Object.values(flat(this.resolved(program)).shares).some(({ adopt }) => adopt === id);
    if (isThere && !isAdopted) owners.give(id, "nobody's");
  }

  problems(found: string[]): void {
    const { problems } = this.shared.report;
    for (const problem of found) if (!problems.includes(problem)) problems.push(problem);
  }

  get names(): string[] {
    return namesOf(this.program);
  }
}

/** The outputs in the state by id, as text; secrets, which are encrypted anew with every save, left out. */
const shownBy = (stack: Stack) =>
  new Map(
    stack.state().kept.map(({ id, outputs }) => {
      const shown = Object.entries(outputs).filter(([key]) => key !== "sampleConfig");
      return [id, JSON.stringify(shown.sort(([a], [b]) => (a < b ? -1 : 1)))];
    }),
  );

function addFault({ faults }: Emulator, fault: PlannedFault): void {
  if (!("op" in fault)) faults.add(fault);
  else if (fault.fault === "fail") faults.failNext(fault);
  else faults.stickNext(fault);
}

function impatient({ tunnels, shares, sets = {} }: Program): Program {
  const customTimeouts = { create: "15s", update: "15s", delete: "15s" };
  const hasty = <Each extends Args>(resources: Record<string, Each>) =>
    Object.fromEntries(
      Object.entries(resources).map(([name, args]) => [name, { ...args, opts: { ...args.opts, customTimeouts } }]),
    );
  return { tunnels: hasty(tunnels), shares: hasty(shares), sets: hasty(sets) };
}
