import { canaries } from "./checks";
import { existsSync, mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import type { Emulator } from "../../emulator";
import { isProvider, kill, lingering, type Process, well } from "../harness/command";
import { dynamicClasses, pluginClasses } from "../harness/environment";
import { type Resources, Stack } from "../harness/stack";
import { type Entry, nameOf, type Run } from "../harness/state";
import { effectsOf } from "../lifecycle/row";
import { Secret, type Kind, typeTokens, type Kept } from "../model/program";
import { component } from "./alphabet";
import { draw, virtual, type History, Play, play, type Runner } from "./history";
import { choices } from "./jobs";
import { type Command, frontDoor, type Ran, type Snapshot, token } from "./run";
import { start } from "./walk";
import { Wire } from "./wire";

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
  private readonly stack: Stack;
  private readonly isPlugin: boolean;
  /** Has a file for each dynamic provider that has loaded the package, named after its process. */
  private readonly loaded: string;
  private machine = 0;
  private orphans: Process[] = [];

  private constructor(
    { adapter, isSerial }: History,
    private readonly wire: Wire,
  ) {
    this.isPlugin = adapter === "plugin";
    // The walk's service in the place of the emulator: this class uses only its address and token.
    const service = { baseUrl: wire.baseUrl, frontdoorId: frontDoor, token } as Emulator;
    this.stack = Stack.on(service, { project: "prove", imports: this.isPlugin ? pluginClasses : dynamicClasses });
    this.loaded = mkdtempSync(join(this.stack.folder, "loaded-"));
    Object.assign(this.stack.env, {
      ...(isSerial && { PULUMI_PARALLEL: "1" }),
      FRONTDOOR_TEST_LOADED: this.loaded,
      FRONTDOOR_REQUESTS_PER_SECOND: "1000",
      FRONTDOOR_REQUEST_TIMEOUT: "2",
    });
  }

  static async open(history: History): Promise<PulumiWorld> {
    return new PulumiWorld(history, await Wire.open(choices[history.service], start.wallMs));
  }

  readonly run: Runner = async (before, command) => {
    const { stack } = this;
    // A snapshot without records stands for another machine.
    if (before.records.size === 0) this.machine += 1;
    stack.env["FRONTDOOR_STATE_DIR"] = join(stack.folder, `records-${this.machine}`);
    stack.env["PULUMI_SKIP_CHECKPOINTS"] = command.isFast && "true";
    const struck = { engine: false, interrupted: false };
    this.wire.begin(before, command.fault, {
      kill: (who) => {
        struck.engine ||= who === "engine";
        this.strike(who);
      },
      interrupt: () => {
        struck.interrupted = true;
        stack.interrupt();
      },
    });
    const { code, text, steps } = await this.ended(this.command(command));
    await this.quiet();
    if (struck.engine) well(await stack.run("cancel", "--yes"));
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
    this.stack.forget();
  }

  /** The secrets that files of Pulumi show. */
  leaks(): string[] {
    const files = readdirSync(join(this.stack.folder, "state"), { recursive: true, withFileTypes: true });
    const texts = files
      .filter((each) => each.isFile())
      .map((each) => readFileSync(join(each.parentPath, each.name), "utf8"));
    return canaries
      .filter((each) => texts.some((text) => text.includes(each)))
      .map((each) => `a file of the state shows ${each}`);
  }

  private async ran(before: Snapshot, how: Pick<Ran, "steps" | "said" | "error">): Promise<Ran> {
    const records = new Map([["machine", String(this.machine)]]);
    const settled = await this.wire.settled();
    const { requests, boundaries } = this.wire;
    return {
      ...how,
      after: { state: keptIn(this.stack.entries()), records, late: [], ...settled },
      requests,
      lines: [],
      operations: [],
      asked: [],
      boundaries: boundaries.map((items) => ({ ...before, items })),
    };
  }

  private command({ program, does, isRefreshed, replaced = [] }: Command): Promise<Run> {
    if (does === "refresh") return this.stack.refresh();
    if (does === "destroy") return this.stack.destroy();
    const named = program.filter(({ slot }) => replaced.includes(slot));
    const flags = [...(isRefreshed ? ["--refresh"] : []), ...named.flatMap(({ urn }) => ["--replace", this.real(urn)])];
    const resources = this.resourcesOf(program);
    return does === "preview" ? this.stack.preview(resources, ...flags) : this.stack.up(resources, ...flags);
  }

  private resourcesOf(program: Command["program"]): Resources {
    const names = new Map(program.map(({ slot, urn }) => [slot, nameOf(urn)]));
    const resources: Record<string, Record<string, Record<string, unknown>>> = { groups: { around: {} } };
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
    return resources;
  }

  private real(urn: string): string {
    return this.isPlugin ? asPlugin(urn) : urn;
  }

  private strike(who: "engine" | "provider"): void {
    this.orphans.push(...this.stack.processes());
    if (who === "engine") this.stack.killEngine();
    else this.stack.killProvider();
  }

  private async ended(running: Promise<Run>): Promise<Run> {
    const limit = new AbortController();
    const overdue = sleep(longestRunMs, undefined, { signal: limit.signal }).then(
      () => {
        this.problems.push(`a run did not end in ${longestRunMs / 1000} s`);
        this.strike("provider");
        this.strike("engine");
      },
      () => undefined,
    );
    const ended = await running;
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
const keptIn = (entries: readonly Entry[]): Kept[] =>
  entries.filter((each) => !each.pendingReplacement).map((entry) => keptOf(entry, entries));

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
