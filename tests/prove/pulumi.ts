import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import {
  type Running,
  startPulumi,
  well,
  descendants,
  isProvider,
  kill,
  lingering,
  type Process,
} from "../harness/command";
import {
  engineEnvironment,
  quickJavaScript,
  pathWithPlugin,
  pluginClasses,
  serviceEnvironment,
} from "../harness/environment";
import { type EngineEvent, summarized, type Entry, heldIn, inFolder, nameOf, emptyState, salt } from "../harness/state";
import { ownProgram, programFolder, removeFolder } from "../harness/folder";
import { effectsOf } from "../lifecycle/row";
import { Secret, type Kind, typeTokens, type Kept } from "../model/program";
import { component } from "./alphabet";
import { canaries } from "./secrets";
import { draw, virtual, type History, Play, play, type Runner } from "./history";
import { choices } from "./jobs";
import { type Command, frontDoor, type Ran, type Snapshot, token } from "./run";
import { start } from "./walk";
import { Wire } from "./wire";

const project = "prove";
const stack = "test";
const longestRunMs = 240_000;
/** How long to wait for providers of a killed engine. A provider notices within a second, and gives its last write two more. */
const orphansLeaveMs = 15_000;

export type { History } from "./history";

/** Plays a history on Pulumi. Checks only after the last run that nothing is left to do, because a run takes seconds. */
export async function playOnPulumi(history: History): Promise<Pick<Play, "problems" | "log" | "skipped">> {
  const world = await PulumiWorld.open(history);
  try {
    const played = new Play(world.run, history, () => false);
    await played.all(history.steps);
    if (played.problems.length === 0) await played.quiet();
    if (played.problems.length === 0) await played.end();
    const { problems, log, skipped } = played;
    return { problems: [...problems, ...world.problems, ...world.leaks()], log, skipped };
  } finally {
    await world.close();
  }
}

/** One stack on Pulumi, with a service and a folder of its own. */
export class PulumiWorld {
  /** Problems that no later run would show. */
  readonly problems: string[] = [];
  private readonly folder = programFolder(ownProgram, project);
  /** Has a file for each dynamic provider that has loaded the package, named after its process. */
  private readonly loaded = mkdtempSync(join(this.folder, "loaded-"));
  private machine = 0;
  private orphans: Process[] = [];

  private constructor(
    private readonly isPlugin: boolean,
    private readonly isSerial: true | undefined,
    private readonly wire: Wire,
  ) {}

  static async open({ service, adapter, isSerial }: History): Promise<PulumiWorld> {
    const world = new PulumiWorld(adapter === "plugin", isSerial, await Wire.open(choices[service], start.wallMs));
    inFolder(join(world.folder, "state")).write(project, stack, emptyState(project, stack));
    writeFileSync(join(world.folder, `Pulumi.${stack}.yaml`), `encryptionsalt: ${salt}\n`);
    return world;
  }

  readonly run: Runner = async (before, command) => {
    // A snapshot without records stands for another machine.
    if (before.records.size === 0) this.machine += 1;
    this.declare(command.program);
    const events = join(this.folder, "events.json");
    writeFileSync(events, "");
    const running: { now?: Running } = {};
    const struck = { engine: false, interrupted: false };
    this.wire.begin(before, command.fault, {
      kill: (who) => {
        struck.engine ||= who === "engine";
        this.strike(running.now?.pid ?? 0, who);
      },
      interrupt: () => {
        struck.interrupted = true;
        kill(running.now?.pid ?? 0, "SIGINT");
      },
    });
    running.now = this.start([...this.flags(command), "--event-log", events], command.isFast);
    const { code, text } = await this.ended(running.now);
    await this.quiet();
    if (struck.engine) well(await this.start(["cancel", "--yes", "--stack", stack]).end);
    const lines = readFileSync(events, "utf8").split("\n");
    // A killed engine leaves half a line.
    const whole = lines.filter((line) => line.endsWith("}"));
    const { steps } = summarized(whole.map((line) => JSON.parse(line) as EngineEvent));
    const isDone = code === 0 && !struck.interrupted;
    return this.ran(before, {
      steps,
      said: text.split("\n"),
      error: isDone ? undefined : `exit code ${code}:\n${text}`,
    });
  };

  async close(): Promise<void> {
    for (const { pid } of await lingering(this.orphans, 0)) kill(pid);
    await this.wire.close();
    removeFolder(this.folder);
  }

  /** The secrets that files of Pulumi show. */
  leaks(): string[] {
    const files = readdirSync(join(this.folder, "state"), { recursive: true, withFileTypes: true });
    const texts = files
      .filter((each) => each.isFile())
      .map((each) => readFileSync(join(each.parentPath, each.name), "utf8"));
    return canaries
      .filter((each) => texts.some((text) => text.includes(each)))
      .map((each) => `a file of the state shows ${each}`);
  }

  private async ran(before: Snapshot, how: Pick<Ran, "steps" | "said" | "error">): Promise<Ran> {
    const state = keptIn(inFolder(join(this.folder, "state")).read(project, stack));
    const records = new Map([["machine", String(this.machine)]]);
    const settled = await this.wire.settled();
    const { requests, boundaries } = this.wire;
    return {
      ...how,
      after: { state, records, late: [], ...settled },
      requests,
      lines: [],
      operations: [],
      asked: [],
      boundaries: boundaries.map((items) => ({ ...before, items })),
    };
  }

  private flags({ does, isRefreshed, replaced = [] }: Command): string[] {
    const named = this.urns(replaced).flatMap((urn) => ["--replace", urn]);
    const shared = ["--stack", stack, ...(isRefreshed ? ["--refresh"] : []), ...named];
    return does === "preview" ? [does, ...shared] : [does ?? "up", "--yes", "--skip-preview", ...shared];
  }

  private urns(slots: readonly string[]): string[] {
    return this.program.filter(({ slot }) => slots.includes(slot)).map(({ urn }) => this.real(urn));
  }

  private program: Command["program"] = [];

  /** Writes the program of the next run. */
  private declare(program: Command["program"]): void {
    this.program = program;
    const names = new Map(program.map(({ slot, urn }) => [slot, nameOf(urn)]));
    const resources: Record<string, Record<string, object>> = {
      groups: { around: {} },
      tunnels: {},
      shares: {},
      sets: {},
    };
    for (const { kind, urn, aliases, args, on } of program) {
      const given = Object.entries(args).map(([key, value]) => [
        key,
        value instanceof Secret ? { secret: value.value } : value,
      ]);
      const parent = urn.includes(component) && { parent: "around" };
      resources[kind] = {
        ...resources[kind],
        [nameOf(urn)]: {
          ...(Object.fromEntries(given) as object),
          ...(on !== undefined && { ipsecTunnelId: { tunnel: names.get(on) } }),
          opts: { aliases: aliases.map((alias) => this.real(alias)), ...parent },
        },
      };
    }
    const imports = this.isPlugin ? pluginClasses : "pulumi-frontdoor";
    writeFileSync(join(this.folder, "resources.json"), JSON.stringify({ imports, ...resources }));
  }

  private real(urn: string): string {
    return this.isPlugin ? asPlugin(urn) : urn;
  }

  private start(args: string[], isFast = false): Running {
    const records = join(this.folder, `records-${this.machine}`);
    const env = {
      ...engineEnvironment(this.folder),
      // Without it the engine does not know --event-log.
      PULUMI_DEBUG_COMMANDS: "1",
      ...(this.isSerial && { PULUMI_PARALLEL: "1" }),
      ...(isFast && { PULUMI_SKIP_CHECKPOINTS: "true" }),
      NODE_OPTIONS: quickJavaScript,
      PATH: pathWithPlugin,
      FRONTDOOR_STATE_DIR: records,
      ...serviceEnvironment({ baseUrl: this.wire.baseUrl, frontdoorId: frontDoor, token }),
      FRONTDOOR_TEST_LOADED: this.loaded,
      FRONTDOOR_REQUESTS_PER_SECOND: "1000",
      FRONTDOOR_REQUEST_TIMEOUT: "2",
    };
    return startPulumi(args, { cwd: this.folder, env });
  }

  private strike(pid: number, who: "engine" | "provider"): void {
    const all = descendants(pid);
    this.orphans.push(...all);
    if (who === "engine") kill(pid);
    else for (const each of all.filter(isProvider)) kill(each.pid);
  }

  private async ended({ pid, end }: Running): Promise<{ code: number; text: string }> {
    const limit = new AbortController();
    const overdue = sleep(longestRunMs, undefined, { signal: limit.signal }).then(
      () => {
        this.problems.push(`a run did not end in ${longestRunMs / 1000} s`);
        this.strike(pid, "provider");
        this.strike(pid, "engine");
      },
      () => undefined,
    );
    const ended = await end;
    limit.abort();
    await overdue;
    return ended;
  }

  /**
   * Waits until no process of a killed run is left. A host of dynamic providers that the engine started and never called has not loaded the
   * package, and Pulumi lets it run on.
   */
  private async quiet(): Promise<void> {
    const lingers = await lingering(this.orphans.filter(isProvider), orphansLeaveMs);
    const left = lingers.filter(({ pid }) => this.isPlugin || existsSync(join(this.loaded, String(pid))));
    for (const { pid } of lingers) kill(pid);
    if (left.length > 0) this.problems.push(`${left.length} provider process(es) of a killed run still run`);
  }
}

const dynamic = "pulumi-nodejs:dynamic/frontdoor:";
const plugin = "frontdoor:index:";

/** Translates a URN or type to the plugin's. Programs and checks use those of the dynamic provider. */
export const asPlugin = (urn: string): string => urn.replaceAll(dynamic, plugin);
const asDynamic = (urn: string) => urn.replaceAll(plugin, dynamic);

/** The resources in a state of Pulumi, in the form of the model's state. */
export function keptIn(text: string): Kept[] {
  const { entries } = heldIn(text);
  return entries.filter((each) => !each.pendingReplacement).map((entry) => keptOf(entry, entries));
}

function keptOf(entry: Entry, entries: readonly Entry[]): Kept {
  const { id, inputs, outputs, initErrors = [] } = entry;
  const urn = asDynamic(entry.urn);
  const tunnel = entries.find((each) => each.id === inputs["ipsecTunnelId"] && each.urn.includes("IpsecTunnel::"));
  return {
    ...{ urn, id, kind: kindOf(urn), inputs: plainOf(inputs), outputs: plainOf(outputs) },
    ...{ isPartial: initErrors.length > 0, on: tunnel && asDynamic(tunnel.urn) },
    ...(entry.delete && { delete: true }),
  };
}

const kindOf = (urn: string): Kind => {
  const [found = "shares"] = (Object.keys(typeTokens) as Kind[]).filter((kind) =>
    urn.includes(`${typeTokens[kind]}::`),
  );
  return found;
};

const plainOf = (props: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(props).map(([key, value]) => [key, isSecret(value) ? new Secret("") : value]));

const isSecret = (value: unknown) => typeof value === "object" && value !== null && "ciphertext" in value;

/** Plays a random history without faults on the model and on Pulumi. Returns the differences. */
export async function conforms(
  seed: number,
  adapter?: History["adapter"],
): Promise<{ history: History; differences: string[] }> {
  const { history } = await draw(seed, { isCalm: true, adapter });
  const model = await play(history, virtual(history), () => false);
  const world = await PulumiWorld.open(history);
  try {
    const real = await play(history, world.run, () => false);
    const problems = [...model.problems, ...real.problems, ...world.problems];
    return { history, differences: [...problems, ...differences(model, real)] };
  } finally {
    await world.close();
  }
}

function differences(model: Play, real: Play): string[] {
  if (model.runs.length !== real.runs.length)
    return [`${model.log.join("; ")} on the model, ${real.log.join("; ")} on Pulumi`];
  return model.runs.flatMap(({ ran }, number) => {
    const [one, other] = [traceOf(ran), traceOf(real.runs[number]?.ran ?? ran)];
    return Object.keys(one).flatMap((key) => {
      const [ours = [], theirs = []] = [one[key], other[key]];
      if (isDeepStrictEqual(ours, theirs)) return [];
      const [more, fewer] = [without(ours, theirs), without(theirs, ours)];
      return [`run ${number + 1}, ${key}: the model has ${more.join(", ")}, Pulumi has ${fewer.join(", ")}`];
    });
  });
}

const without = (some: readonly string[], others: readonly string[]) => some.filter((each) => !others.includes(each));

/** What a run did and how it ended: its writes in order for each resource, the service and the state. Names replace ids. */
function traceOf({ after, error, requests, steps }: Ran): Record<string, string[]> {
  const names = new Map<string, string>();
  for (const { id, fields, kind } of after.items) {
    const name = `${kind} ${String(fields["name"])}`;
    names.set(id, `${name} #${[...names.values()].filter((each) => each.startsWith(`${name} #`)).length}`);
  }
  const named = (value: unknown): unknown => JSON.parse(spelled(value, names));
  const writes = new Map<string, string[]>();
  for (const { method, path, body = "{}", status } of requests) {
    if (method === "GET") continue;
    const [, , id] = path.split("/");
    const about =
      id === undefined ? `POST ${String((JSON.parse(body) as { name?: string }).name)}` : (names.get(id) ?? id);
    const write = `${method} ${spelled(body, names)} ${status}`;
    const before = writes.get(about) ?? [];
    // The number of refused tries of a write depends on timing.
    writes.set(about, before.at(-1) === write ? before : [...before, write]);
  }
  return {
    end: [error === undefined ? "done" : "failed"],
    // After a failure, the steps that had begun depend on the order in which the engine recorded the resources.
    effects: error === undefined ? effectsOf(steps) : [],
    writes: [...writes].map(([about, all]) => `${about}: ${all.join(", ")}`).sort(),
    items: after.items
      .filter(({ status }) => status !== "DELETED")
      .map((item) => sorted(named(item)))
      .sort(),
    state: after.state.map(({ delete: isDoomed = false, ...kept }) => sorted(named({ ...kept, isDoomed }))).sort(),
  };
}

/** What the model has at another value, or not at all: the code of a dynamic provider, and the time of a write. */
const unlike = ["__provider", "__settlesAt"];

/** JSON with names for ids. */
const spelled = (value: unknown, names: Map<string, string>) =>
  JSON.stringify(value, (key, each: unknown) =>
    unlike.includes(key) ? undefined : each instanceof Secret ? "[secret]" : each,
  ).replace(/\b(?:tnl|shr)-\d+/g, (id) => names.get(id) ?? id);

const byKey = (value: object) =>
  Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));

const sorted = (value: unknown): string =>
  JSON.stringify(value, (_key, each: unknown) =>
    typeof each === "object" && each !== null && !Array.isArray(each) ? byKey(each) : each,
  );
