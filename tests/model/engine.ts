import { isDeepStrictEqual } from "node:util";
import { nameOf } from "../harness/state";
import type { ModelProcess } from "./process";
import {
  all,
  type Answer,
  Failed,
  keptOptions,
  type Kept,
  type Props,
  type Registration,
  type Retries,
  type Run,
  Secret,
  tunnelArgument,
  UNKNOWN,
} from "./program";

/** What the engine does with a provider, as far as it matters to what is kept when something fails or is killed. */
export class ModelEngine implements Run {
  state: Kept[] = [];
  /** Of the last run, also where it failed. */
  steps: string[] = [];
  isCancelled = false;

  /** The steps that changed something; rejects with the first failure, after what ran beside it has ended. */
  async up(
    process: ModelProcess,
    program: Registration[],
    replaced: readonly string[] = [],
    retries?: Retries,
  ): Promise<string[]> {
    this.begin();
    try {
      await new Up(this, process, program, replaced, { retries }).all();
    } finally {
      process.saved();
    }
    return this.steps;
  }

  /** What an up would do; nothing is called that writes, and the state stays as it is. */
  async preview(process: ModelProcess, program: Registration[], replaced: readonly string[] = []): Promise<string[]> {
    this.begin();
    const run = { state: this.state.map((each) => ({ ...each })), steps: this.steps, isCancelled: false };
    await new Up(run, process, program, replaced, { isPreview: true }).all();
    return this.steps;
  }

  async refresh(process: ModelProcess): Promise<void> {
    this.begin();
    await all(
      this.state.map(async (each) => {
        const seen = await process.run(() => process.adapter.read(each, each));
        const isNews = !isDeepStrictEqual(seen?.outputs, each.outputs);
        if (isNews) this.steps.push(`${seen ? "update" : "delete"} ${nameOf(each.urn)}`);
        if (!seen) this.state = this.state.filter((one) => one !== each);
        else
          Object.assign(each, {
            outputs: seen.outputs,
            isPartial: seen.isPartial ?? false,
            ...(seen.inputs && { inputs: seen.inputs }),
          });
      }),
    );
    process.saved();
  }

  /** Ctrl-C: what is under way goes on to its end, and nothing new begins. */
  cancel(): void {
    this.isCancelled = true;
  }

  private begin(): void {
    Object.assign(this, { steps: [], isCancelled: false });
  }
}

/** The arguments after `ignoreChanges`: Pulumi puts the inputs of the state back before it calls check. */
function withOld({ args, ignores = [] }: Registration, olds: Props): Props {
  if (ignores.includes("*")) return olds;
  const [given, old] = [args, olds].map((each) => Object.entries(each));
  const kept = given?.filter(([name]) => !ignores.includes(name)) ?? [];
  return Object.fromEntries([...kept, ...(old?.filter(([name]) => ignores.includes(name)) ?? [])]);
}

/** @throws Failed for what the state has as protected. */
function refuseProtected({ urn, isProtected }: Kept): void {
  if (isProtected) throw new Failed(nameOf(urn), new Error("it is protected, and cannot be deleted or replaced"));
}

/** What is planned has none yet. */
const noId = "";

/** One program run: each resource is checked, compared, and made, changed or replaced; what is declared no longer goes at the end. */
export class Up {
  /** What the program declares, once it is registered. */
  private readonly registered = new Set<string>();
  /** The inputs of what goes with its tunnel, and is created again: `ignoreChanges` puts them back also then. */
  private readonly recreated = new Map<string, Props>();
  private readonly isPreview: boolean;
  private readonly retries: Retries | undefined;

  constructor(
    private readonly run: Run,
    private readonly process: ModelProcess,
    private readonly program: Registration[],
    private readonly replaced: readonly string[],
    { isPreview = false, retries }: { isPreview?: boolean; retries?: Retries | undefined } = {},
  ) {
    this.isPreview = isPreview;
    this.retries = retries;
  }

  async all(): Promise<void> {
    const tunnels = this.program.filter(({ kind }) => kind === "tunnels");
    for (const one of this.program) this.rename(one);
    await all(tunnels.map((one) => this.makeRoom(one)));
    const isOnOwn = (share: Registration) => tunnels.some(({ slot }) => slot === share.on);
    const others = this.program.filter((one) => one.kind !== "tunnels" && !isOnOwn(one));
    await all([
      ...tunnels.map(async (tunnel) => {
        await this.register(tunnel);
        await all(this.program.filter(({ on }) => on === tunnel.slot).map((share) => this.register(share, tunnel)));
      }),
      ...others.map((share) => this.register(share)),
    ]);
    for (const isTunnel of [false, true]) {
      const isLeft = (each: Kept) =>
        (each.kind === "tunnels") === isTunnel && (each.delete ?? !this.registered.has(each.urn));
      await all(this.run.state.filter(isLeft).map((each) => this.remove(each, each.delete ? "replace" : "delete")));
    }
  }

  /** What an alias finds goes on under the new URN. */
  private rename({ urn, aliases }: Registration): void {
    this.registered.add(urn);
    if (this.find(urn)) return;
    for (const each of this.run.state) {
      if (!aliases.includes(each.urn) || each.delete) continue;
      for (const share of this.run.state) if (share.on === each.urn) share.on = urn;
      each.urn = urn;
      return;
    }
  }

  private find(urn: string): Kept | undefined {
    return this.run.state.find((each) => each.urn === urn && !each.delete);
  }

  /** Deletes a tunnel that is replaced delete-first, and before it what depended on it in the last run, whatever the program says now. */
  private async makeRoom(tunnel: Registration): Promise<void> {
    const old = this.find(tunnel.urn);
    if (old?.isPending) return;
    const diff = old && (await this.diff(tunnel, old, await this.check(tunnel, old)));
    if (!old || !diff?.deleteBeforeReplace || diff.replaces.length === 0) return;
    const dependents: Kept[] = [];
    refuseProtected(old);
    for (const share of this.run.state.filter(({ on }) => on === old.urn)) {
      const asked = { ...share.inputs, [tunnelArgument(share.kind)]: UNKNOWN };
      const { replaces = [] } = await this.process.run(() => this.process.adapter.diff(share, share, asked));
      if (replaces.length > 0) dependents.push(share);
    }
    dependents.forEach(refuseProtected);
    // One chain of steps in the engine: a failure keeps the later ones from being begun.
    for (const share of dependents.reverse()) {
      this.recreated.set(share.urn, share.inputs);
      await this.remove(share, "replace");
    }
    await this.remove(old, "replace");
  }

  private async register(one: Registration, tunnel?: Registration): Promise<void> {
    const tunnelId = tunnel && this.find(tunnel.urn)?.id;
    const onTunnel = { [tunnelArgument(one.kind)]: tunnelId === noId ? UNKNOWN : tunnelId };
    const args = tunnel ? { ...one.args, ...onTunnel } : one.args;
    const whole = { ...one, args, ...(tunnelId === noId && { tunnel: tunnel?.urn }) };
    const old = this.find(one.urn);
    const inputs = await this.check(whole, old);
    const diff = old && (await this.diff(whole, old, inputs));
    if (old?.isPending) return this.create(one, await this.check(whole), old, tunnel);
    if (old && diff?.replaces.length === 0) {
      const { timeouts } = one;
      if (!diff.changes && !old.isPartial)
        Object.assign(old, { inputs, timeouts, on: tunnel?.urn, ...keptOptions(one) });
      else await this.update(one, old, inputs, tunnel);
      return;
    }
    if (old) refuseProtected(old);
    const fresh = old ? await this.check(whole) : inputs;
    if (old && diff?.deleteBeforeReplace) await this.remove(old, "replace");
    await this.create(one, fresh, old, tunnel);
  }

  private async check(one: Registration, old?: Kept): Promise<Props> {
    const olds = this.replaced.includes(one.slot) ? {} : (old?.inputs ?? {});
    const before = old?.inputs ?? this.recreated.get(one.urn);
    const args = before ? withOld(one, before) : one.args;
    const { inputs, failures } = await this.process.run(() => this.process.adapter.check(one, olds, args));
    // The engine would keep what was given as a secret `envId` in the clear.
    if (one.args["envId"] instanceof Secret && !(inputs["envZId"] instanceof Secret))
      throw new Error(`${one.slot}: envZId is not kept secret`);
    const told = failures.map(({ property, reason }) => `property ${property} has a problem: ${reason}`);
    if (told.length > 0) throw new Failed(one.slot, new Error(told.join("\n")));
    return inputs;
  }

  /** What `--replace` names is asked neither for a diff nor for what its old inputs say. */
  private async diff(one: Registration, old: Kept, news: Props) {
    const isTriggered = old.trigger !== undefined && old.trigger !== one.trigger;
    if (isTriggered || this.replaced.includes(one.slot))
      return { changes: true, replaces: ["id"], deleteBeforeReplace: false };
    const diff = await this.told(one.slot, () => this.process.adapter.diff(one, old, news));
    const { replaces = [], deleteBeforeReplace = false } = diff;
    // Where the provider leaves that open, the engine compares inputs.
    const isSame = (name: string) => isDeepStrictEqual(old.inputs[name], news[name]);
    const compared = diff.changes === undefined ? Object.keys({ ...old.inputs, ...news }) : [];
    const differing = diff.properties ?? compared.filter((name) => !isSame(name));
    const chosen = differing.filter((name) => one.replacesOn?.includes(name));
    const changes = diff.changes ?? !isDeepStrictEqual(old.inputs, news);
    return { changes, replaces: [...replaces, ...chosen], deleteBeforeReplace };
  }

  private async update(one: Registration, old: Kept, inputs: Props, tunnel?: Registration): Promise<void> {
    const { timeouts } = one;
    this.begin(`update ${nameOf(one.urn)}`);
    if (this.isPreview) return;
    const { outputs, unfinished } = await this.told(one.slot, () => this.process.adapter.update(one, old, inputs));
    // The old inputs of what is not ready are kept, so that the next up asks again.
    Object.assign(old, unfinished ? { outputs, isPartial: true } : { outputs, isPartial: false, inputs, timeouts });
    Object.assign(old, { on: tunnel?.urn, ...keptOptions(one) });
    if (unfinished) throw new Failed(one.slot, unfinished);
  }

  private async create(one: Registration, inputs: Props, old: Kept | undefined, tunnel?: Registration): Promise<void> {
    const { slot, kind, urn, timeouts } = one;
    this.begin(`${old ? "replace" : "create"} ${nameOf(urn)}`);
    const planned: Answer = { id: noId, outputs: inputs };
    const made = this.isPreview ? planned : await this.told(slot, () => this.created(one, inputs));
    const { id, outputs, unfinished } = made;
    if (old?.isPending) this.run.state = this.run.state.filter((each) => each !== old);
    else if (old && this.run.state.includes(old)) old.delete = true;
    const kept = { urn, kind, id, inputs, outputs, timeouts, on: tunnel?.urn, ...keptOptions(one) };
    this.run.state.push({ ...kept, isPartial: !!unfinished });
    if (unfinished) throw new Failed(slot, unfinished);
  }

  /** Creates a resource. If that fails, an error hook asks for one retry: only what its last call has returned is kept. */
  private async created(one: Registration, inputs: Props): Promise<Answer> {
    const { adapter } = this.process;
    const retries = this.retries ?? one.retries;
    const made = await this.process.run(() => adapter.create(one, inputs).catch((error: unknown) => error as Error));
    const isFailed = made instanceof Error || made.unfinished !== undefined;
    if (isFailed && retries && !this.run.isCancelled) {
      if (made instanceof Error || retries === "create again") return adapter.create(one, inputs);
      return adapter.update(one, { id: made.id, inputs, outputs: made.outputs }, inputs);
    }
    if (made instanceof Error) throw made;
    return made;
  }

  private async remove(each: Kept, step: "delete" | "replace"): Promise<void> {
    if (!each.delete) refuseProtected(each);
    this.begin(`${step} ${nameOf(each.urn)}`);
    const declared = this.program.find(({ urn }) => urn === each.urn);
    const isRetained = (declared ?? each).isRetained === true;
    if (isRetained && step === "replace" && !this.isPreview) each.isPending = true;
    if (each.isPending) return;
    if (!this.isPreview && !isRetained) await this.told(each.id, () => this.process.adapter.delete(each, each));
    // A new array: what looks at the old one goes on undisturbed.
    this.run.state = this.run.state.filter((one) => one !== each);
  }

  private begin(step: string): void {
    if (this.run.isCancelled) throw new Failed(step, new Error("the run was cancelled"));
    this.run.steps.push(step);
  }

  private told<T>(slot: string, call: () => Promise<T>): Promise<T> {
    return this.process.run(call).catch((error: unknown) => {
      throw new Failed(slot, error);
    });
  }
}
