import { setTimeout as sleep } from "node:timers/promises";
import { type Emulator, startEmulator } from "../../emulator";
import { differences, leaks } from "./checks";
import { planKill } from "./killing";
import { isProvider, kill, lingering, type Process } from "./processes";
import type { Kill, PlannedFault, Program, Schedule, Step } from "./schedule";
import { type Running, Stack } from "./stack";
import { Watch } from "./watch";

const token = "canary-token-5f1c8e";
const secret = "canary-secret-93ab+/=7d";
const perSecond = ({ isFast }: Schedule) => (isFast ? 200 : 20);
/** Room above the ceiling for requests that a busy machine lets arrive in a heap. */
const crowding = 1.5;
/** An orphaned provider notices within a second and gives its write two. */
const orphansLeaveMs = 15_000;

export interface Report {
  /** Empty when everything held. */
  problems: string[];
  /** What was run, and how it ended, in lines. */
  log: string[];
  /** Processes killed, and faults that came to act. */
  kills: number;
  runs: number;
}

/** Runs a schedule on a real engine against a service of its own. */
export async function runSchedule(schedule: Schedule): Promise<Report> {
  const emulator = await startEmulator({ ...schedule.settings, token, oauthClientSecret: secret });
  const stack = await Stack.open(environment(schedule, emulator));
  const run = new ScheduleRun(schedule, emulator, stack);
  try {
    await run.all();
  } finally {
    await run.endOrphans();
    await emulator.close();
    stack.close();
  }
  return run.report;
}

function environment(schedule: Schedule, { baseUrl, frontdoorId, tokenUrl }: Emulator): Record<string, string> {
  const { credentials, isFast } = schedule;
  const common = {
    FRONTDOOR_BASE_URL: baseUrl,
    FRONTDOOR_ID: frontdoorId,
    FRONTDOOR_REQUEST_TIMEOUT: "2",
    FRONTDOOR_REQUESTS_PER_SECOND: String(perSecond(schedule)),
    ...(isFast && { PULUMI_SKIP_CHECKPOINTS: "true" }),
  };
  if (credentials === "token") return { ...common, FRONTDOOR_TOKEN: token };
  return {
    ...common,
    FRONTDOOR_TOKEN_URL: tokenUrl,
    FRONTDOOR_CLIENT_ID: "emulator-client",
    FRONTDOOR_CLIENT_SECRET: secret,
    FRONTDOOR_TOKEN_REQUEST: credentials,
  };
}

class ScheduleRun {
  readonly report: Report = { problems: [], log: [], kills: 0, runs: 0 };
  private readonly watch: Watch;
  private readonly orphans: Process[] = [];

  constructor(
    private readonly schedule: Schedule,
    private readonly emulator: Emulator,
    private readonly stack: Stack,
  ) {
    this.watch = new Watch(emulator);
  }

  async all(): Promise<void> {
    let program: Program = { tunnels: {}, shares: {} };
    for (const step of this.schedule.steps) {
      if (step.run === "up") program = step.program;
      if (step.run === "destroy") program = { tunnels: {}, shares: {} };
      await this.step(step, program);
      this.problems(differences(this.stack.state().kept, this.emulator, program));
      if (this.report.problems.length > 0) return;
    }
    // After a destroy even the stack itself would be made anew.
    if (this.stack.state().kept.length > 0) await this.expectQuiet();
    if (this.report.problems.length > 0) return;
    await this.engine("destroy", "--skip-preview");
    this.problems(differences(this.stack.state().kept, this.emulator, { tunnels: {}, shares: {} }));
    for (const text of this.stack.files()) this.problems(leaks(text, this.secrets(), "the state"));
    const left = (await lingering(this.orphans, orphansLeaveMs)).filter(isProvider);
    if (left.length > 0) this.problems([`${left.length} provider process(es) of a killed engine still run`]);
  }

  /** One run with its faults; then the service heals, and one more run has to set everything right. */
  private async step({ run, program, faults, kill: plan }: Step, after: Program): Promise<void> {
    this.declare(program);
    const { emulator } = this;
    emulator.requests.length = 0;
    const live: { running?: Running; killed?: Kill } = {};
    // Before the faults, so that none of them hides the write that it waits for.
    if (plan) {
      planKill(emulator, plan, () => {
        live.killed = plan;
        live.running?.strike(plan.who);
      });
    }
    for (const fault of faults) addFault(emulator, fault);

    const flags = run === "preview" ? [] : ["--yes", "--skip-preview"];
    live.running = this.stack.start([run, "--stack", "test", ...flags, ...this.parallel()]);
    const { code, text } = await this.ended(live.running, run);
    const killed = live.killed?.who;
    this.report.log.push(`${run} → ${code}${killed === undefined ? "" : `, ${killed} killed ${plan?.when ?? ""}`}`);
    if (run === "preview") this.expectNoWrites("a preview");
    if (run === "up" && code !== 0 && !killed) this.expectTold(text);
    const peak = this.watch.peakPerSecond();
    if (!killed && peak > crowding * perSecond(this.schedule)) this.problems([`${peak} requests within a second`]);
    if (killed !== undefined) this.report.kills += 1;
    if (code === 0 && run !== "preview" && run !== "refresh") return this.heal();
    await this.heal();
    this.declare(after);
    if (killed === "engine" || killed === "both") await this.engine("cancel");
    await this.engine(run === "destroy" ? "destroy" : "up", "--skip-preview");
  }

  /**
   * What gets stuck must not keep a run for the usual quarter of an hour; a delete has the patience of the run before, so all of
   * them are told.
   */
  private declare(program: Program): void {
    const isStuck = this.schedule.steps.some(({ faults }) => faults.some(({ fault }) => fault === "stick"));
    this.stack.program(isStuck ? impatient(program) : program);
  }

  /** A run that fails names whatever it leaves unready. */
  private expectTold(text: string): void {
    const unready = this.stack.state().kept.filter(({ outputs }) => outputs["status"] !== "DEPLOYED");
    this.problems(unready.filter(({ id }) => !text.includes(id)).map(({ id }) => `untold: ${id} is not ready`));
  }

  /** No more faults; what was late arrives, what was stuck goes on, what lagged behind catches up. */
  private async heal(): Promise<void> {
    this.emulator.faults.clear();
    await sleep(50);
    this.emulator.clock.advance(60_000);
    await sleep(50);
    for (const { id, status } of [...this.emulator.tunnels(), ...this.emulator.shares()]) {
      if (status === "NEW") this.emulator.setStatus(id, "DEPLOYED");
      if (status === "DELETING") this.emulator.setStatus(id, "DELETED");
    }
    this.emulator.clock.advance(60_000);
  }

  /** A run that has to succeed; where it finds a tunnel in ERROR, it is the next one that replaces it (docs/reliability.md). */
  private async engine(command: string, ...flags: string[]): Promise<void> {
    const first = await this.told(command, flags);
    const { code, text } = first.text.includes("it replaces the tunnel") ? await this.told(command, flags) : first;
    if (code !== 0) this.problems([`stuck: ${command} ${flags.join(" ")} ended with ${code}:\n${text}`]);
  }

  private async told(command: string, flags: string[]) {
    const parallel = command === "cancel" ? [] : this.parallel();
    const running = this.stack.start([command, "--yes", "--stack", "test", ...flags, ...parallel]);
    const { code, text } = await this.ended(running, command);
    this.report.log.push(`${[command, ...flags].join(" ")} → ${code}`);
    return { code, text };
  }

  /** The next up and refresh find nothing to change; both in one run, unless there is something to clear. */
  private async expectQuiet(): Promise<void> {
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
    this.emulator.requests.length = 0;
    await this.engine(command, ...flags);
    this.expectNoWrites(command);
  }

  private expectNoWrites(what: string): void {
    const writes = this.emulator.requests.filter(({ method, path }) => method !== "GET" && !path.startsWith("/oauth"));
    if (writes.length > 0)
      this.problems([`${what} wrote: ${writes.map(({ method, path }) => `${method} ${path}`).join()}`]);
  }

  private parallel(): string[] {
    return this.schedule.isFast ? ["--parallel", "256"] : [];
  }

  private async ended(running: Running, what: string) {
    this.report.runs += 1;
    const { code, text, isOverdue, orphans } = await running.end;
    this.orphans.push(...orphans);
    if (isOverdue) this.problems([`stuck: ${what} did not end:\n${text}`]);
    this.problems(leaks(text, this.secrets(), `the output of ${what}`));
    this.problems([...this.watch.problems]);
    return { code, text };
  }

  private secrets(): string[] {
    // Tokens that the emulator gives out begin like that.
    return [token, secret, "issued-", ...this.emulator.tunnels().map(({ id }) => this.emulator.samplePsk(id))];
  }

  private problems(found: string[]): void {
    for (const problem of found) if (!this.report.problems.includes(problem)) this.report.problems.push(problem);
  }

  /** What a killed engine has left running is ours to end. */
  async endOrphans(): Promise<void> {
    for (const { pid } of await lingering(this.orphans, 0)) kill(pid);
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

function impatient({ tunnels, shares }: Program): Program {
  const opts = { customTimeouts: { create: "5s", update: "5s", delete: "5s" } };
  const hasty = (resources: Program["shares"]) =>
    Object.fromEntries(Object.entries(resources).map(([name, args]) => [name, { ...args, opts }]));
  return { tunnels: hasty(tunnels), shares: hasty(shares) };
}
