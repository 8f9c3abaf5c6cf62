import { type Emulator, startEmulator } from "../../emulator";
import { isProvider, kill, lingering, type Process } from "../harness/processes";
import { leaks } from "./checks";
import { Owners } from "./owners";
import { doubles } from "./refusals";
import { type Program, type Schedule, type Step, type Stranger, without } from "./schedule";
import { mapped } from "./sets";
import { Stack } from "./stack";
import type { Report, Shared } from "./shared";
import { StackRun } from "./stack-run";
import { Watch } from "./watch";

const token = "canary-token-5f1c8e";
const secret = "canary-secret-93ab+/=7d";
const perSecond = ({ isFast }: Schedule) => (isFast ? 200 : 20);
/** An orphaned provider notices within a second and gives its write two. */
const orphansLeaveMs = 15_000;

/** Runs a schedule on a real engine against a service of its own. */
export async function runSchedule(schedule: Schedule): Promise<Report> {
  const emulator = await startEmulator({ ...schedule.settings, token, oauthClientSecret: secret });
  const run = new ScheduleRun(schedule, emulator);
  try {
    await run.all();
  } finally {
    await run.close();
    await emulator.close();
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
  readonly report: Report = {
    ...{ problems: [], log: [], refusals: [], runs: 0 },
    ...{ kills: 0, cancels: 0, doubleCancels: 0, imports: 0 },
  };
  private readonly orphans: Process[] = [];
  private readonly shared: Shared;
  private readonly runs = new Map<"first" | "second", StackRun>();

  constructor(
    private readonly schedule: Schedule,
    private readonly emulator: Emulator,
  ) {
    const owners = new Owners(emulator);
    const edits = schedule.steps.flatMap((step) => step.edits ?? []);
    const mayDouble = edits.some((name) => doubles.includes(name));
    const watch = new Watch(
      emulator,
      (id) => mayDouble || ["another's", "nobody's"].includes(owners.of(id) ?? ""),
      (entry) => {
        owners.judge(entry);
      },
    );
    this.shared = {
      ...{ schedule, emulator, owners, watch, report: this.report, orphans: this.orphans },
      secrets: () => this.secrets(),
      perSecond: perSecond(schedule),
    };
  }

  async all(): Promise<void> {
    for (const step of this.schedule.steps) {
      const run = await this.stack(step.on ?? "first");
      await this.prepare(run, step);
      await run.step(
        step.on === "second" ? { ...step, program: withoutAdopt((await this.stack("first")).program) } : step,
      );
      run.problems(this.differences());
      if (this.report.problems.length > 0) return;
    }
    for (const run of [...this.runs.values()].reverse()) {
      // After a destroy even the stack itself would be made anew.
      if (run.kept.length > 0) await run.expectQuiet();
      if (this.report.problems.length > 0) return;
      await run.destroy();
      run.problems(this.differences());
      for (const text of run.stack.files()) run.problems(leaks(text, this.secrets(), "the state"));
    }
    const left = await lingering(this.orphans.filter(isProvider), orphansLeaveMs);
    if (left.length > 0)
      this.report.problems.push(`${left.length} provider process(es) of a killed or interrupted engine still run`);
  }

  /** What is otherwise than it was, before the step's run. */
  private async prepare(run: StackRun, step: Step): Promise<void> {
    const { renameStack, freshMachine, strangers = [], imports } = step;
    const { stack } = run;
    if (freshMachine === "run") stack.anotherMachine();
    if (renameStack !== undefined && renameStack !== stack.name) {
      const { code, text } = await stack.start(["stack", "rename", renameStack, "--stack", stack.name]).end;
      if (code !== 0) throw new Error(text);
      stack.name = renameStack;
    }
    for (const stranger of strangers) this.seed(run, stranger);
    if (imports) await run.import(imports);
  }

  private seed({ kept }: StackRun, stranger: Stranger): void {
    const { emulator } = this;
    const idOf = (name: string) => kept.find(({ urn }) => urn.endsWith(`::${name}`))?.id;
    if ("like" in stranger) {
      const like = emulator.shares().find(({ id }) => id === idOf(stranger.like));
      if (!like) return;
      const made = emulator.seedShare(without({ ...like }, "id", "status") as Partial<typeof like>);
      this.shared.owners.give(made.id, "another's");
      return;
    }
    if ("tunnel" in stranger) emulator.seedTunnel({ id: stranger.id, ...stranger.tunnel });
    else {
      const fields = without(stranger.share, "opts", "ipsecTunnelId");
      emulator.seedShare({ id: stranger.id, name: "found", ...fields, ipsecTunnelId: idOf(stranger.on) ?? "tnl-0" });
    }
    this.shared.owners.give(stranger.id, "another's");
  }

  /** Of every stack, and of what is another's. */
  private differences(): string[] {
    return [...this.runs.values()].flatMap((run) => run.differences());
  }

  private async stack(label: "first" | "second"): Promise<StackRun> {
    const known = this.runs.get(label);
    if (known) return known;
    const run = new StackRun(
      this.shared,
      await Stack.open(environment(this.schedule, this.emulator), this.schedule.host),
      label,
    );
    this.runs.set(label, run);
    return run;
  }

  private secrets(): string[] {
    // Tokens that the emulator gives out begin like that.
    return [token, secret, "issued-", ...this.emulator.tunnels().map(({ id }) => this.emulator.samplePsk(id))];
  }

  /** What a killed engine has left running is ours to end. */
  async close(): Promise<void> {
    for (const { pid } of await lingering(this.orphans, 0)) kill(pid);
    for (const { stack } of this.runs.values()) stack.close();
  }
}

/** What one stack has adopted or imported is not another one's to take. */
const withoutAdopt = (program: Program): Program =>
  mapped(program, (_name, args) => ({
    ...without(args, "adopt"),
    ...(args.opts && { opts: { ...args.opts, import: undefined } }),
  }));
