import { isDeepStrictEqual } from "node:util";
import type { ModelProcess } from "./process";
import { type Kind, originOf, type Registration } from "./program";

type Props = Record<string, unknown>;

/** A resource as the state holds it. */
export interface Kept {
  urn: string;
  kind: Kind;
  id: string;
  inputs: Props;
  outputs: Props;
  /** Partly created: the engine calls update also where the diff finds nothing. */
  isPartial: boolean;
  /** Replaced, and still to be deleted. */
  delete?: boolean;
  /** The URN of a share's tunnel. */
  on?: string | undefined;
}

interface Diff {
  changes: boolean;
  replaces: string[];
  deleteBeforeReplace: boolean;
}

const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
const secretMark = "4dabf18193072939515e22adb298388d";

const isSecret = (value: unknown): value is { value: unknown } =>
  typeof value === "object" && value !== null && secretMark in value;

/** Properties as the state keeps them: JSON, secrets without their marks. */
const plain = (props: object): Props =>
  JSON.parse(JSON.stringify(props, (_, value: unknown) => (isSecret(value) ? value.value : value))) as Props;

/** A call failed; which resource it was about. */
export class Failed extends Error {
  constructor(
    readonly slot: string,
    cause: unknown,
  ) {
    super(`${slot}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}

/** What the engine does with a dynamic provider, as far as it matters to what is kept when something fails or is killed. */
export class ModelEngine {
  state: Kept[] = [];

  /** The steps that changed something; rejects with the first failure, after what ran beside it has ended. */
  async up(process: ModelProcess, program: Registration[], replaced: readonly string[] = []): Promise<string[]> {
    const run = new Up(this, process, program, replaced);
    try {
      await run.all();
    } finally {
      process.saved();
    }
    return run.steps;
  }

  async refresh(process: ModelProcess): Promise<void> {
    await all(
      this.state.map(async (each) => {
        const { kind, id, outputs } = each;
        const seen = await process.run(() => process[kind].read(id, outputs));
        const { props } = seen as { props?: Props };
        if (props) {
          Object.assign(each, { outputs: plain(props), isPartial: false });
          const { inputs } = seen as { inputs?: Props };
          if (inputs) each.inputs = plain(inputs);
        } else this.drop(each);
      }),
    );
    process.saved();
  }

  drop(gone: Kept): void {
    this.state = this.state.filter((each) => each !== gone);
  }
}

class Up {
  readonly steps: string[] = [];
  /** What the program declares, once it is registered. */
  private readonly registered = new Set<string>();

  constructor(
    private readonly engine: ModelEngine,
    private readonly process: ModelProcess,
    private readonly program: Registration[],
    private readonly replaced: readonly string[],
  ) {}

  async all(): Promise<void> {
    const tunnels = this.program.filter(({ kind }) => kind === "tunnels");
    for (const one of this.program) this.rename(one);
    await all(tunnels.map((one) => this.makeRoom(one)));
    await all(
      tunnels.map(async (tunnel) => {
        await this.register(tunnel);
        await all(this.program.filter(({ on }) => on === tunnel.slot).map((share) => this.register(share, tunnel)));
      }),
    );
    for (const kind of ["shares", "tunnels"] as const) {
      const left = this.engine.state.filter(
        (each) => each.kind === kind && (each.delete ?? !this.registered.has(each.urn)),
      );
      await all(left.map((each) => this.remove(each)));
    }
  }

  /** What an alias finds goes on under the new URN. */
  private rename({ urn, aliases }: Registration): void {
    this.registered.add(urn);
    if (this.find(urn)) return;
    for (const each of this.engine.state) {
      if (!aliases.includes(each.urn) || each.delete) continue;
      for (const share of this.engine.state) if (share.on === each.urn) share.on = urn;
      each.urn = urn;
      return;
    }
  }

  private find(urn: string): Kept | undefined {
    return this.engine.state.find((each) => each.urn === urn && !each.delete);
  }

  /** Deletes a tunnel that is replaced delete-first, and before it what depended on it in the last run, whatever the program says now. */
  private async makeRoom(tunnel: Registration): Promise<void> {
    const old = this.find(tunnel.urn);
    const diff = old && (await this.diff(tunnel, old, await this.check(tunnel, old)));
    if (!old || !diff?.deleteBeforeReplace || diff.replaces.length === 0) return;
    const dependents: Kept[] = [];
    for (const share of this.engine.state.filter(({ on }) => on === old.urn)) {
      const asked = { ...share.inputs, ipsecTunnelId: unknown };
      const { replaces } = await this.process.run(() => this.process.shares.diff(share.id, share.outputs, asked));
      if (replaces && replaces.length > 0) dependents.push(share);
    }
    await all(dependents.map((share) => this.remove(share)));
    await this.remove(old);
  }

  private async register(one: Registration, tunnel?: Registration): Promise<void> {
    const args = tunnel ? { ...one.args, ipsecTunnelId: this.find(tunnel.urn)?.id } : one.args;
    const whole = { ...one, args };
    const old = this.find(one.urn);
    const inputs = await this.check(whole, old);
    const diff = old && (await this.diff(whole, old, inputs));
    if (old && diff?.replaces.length === 0) {
      if (!diff.changes && !old.isPartial) Object.assign(old, { inputs, on: tunnel?.urn });
      else await this.update(one, old, inputs, tunnel);
      return;
    }
    const fresh = old ? await this.check(whole) : inputs;
    if (old && diff?.deleteBeforeReplace) await this.remove(old);
    await this.create(one, fresh, old, tunnel);
  }

  private async check({ slot, kind, urn, args }: Registration, old?: Kept): Promise<Props> {
    const news = { ...args, __provider: kind, __origin: originOf(urn) };
    const olds = this.replaced.includes(slot) ? {} : (old?.inputs ?? {});
    const checked = await this.process.run(() => this.process[kind].check(olds, news));
    const { inputs, failures } = checked as { inputs: Props; failures?: { reason: string }[] };
    // The engine would keep what was given as a secret `envId` in the clear.
    if (args["envId"] !== undefined && !isSecret(inputs["envZId"]))
      throw new Error(`${slot}: envZId is not kept secret`);
    const [failure] = failures ?? [];
    if (failure) throw new Failed(slot, new Error(failure.reason));
    return { ...plain(inputs), __provider: kind };
  }

  /** What `--replace` names is asked neither for a diff nor for what its old inputs say. */
  private async diff({ slot, kind }: Registration, { id, inputs: olds, outputs }: Kept, inputs: Props): Promise<Diff> {
    if (this.replaced.includes(slot)) return { changes: true, replaces: ["id"], deleteBeforeReplace: false };
    const diff = (await this.told(slot, () => this.process[kind].diff(id, outputs, inputs))) as Partial<Diff>;
    // Where the provider leaves that open, the engine compares inputs.
    return { changes: !isDeepStrictEqual(olds, inputs), replaces: [], deleteBeforeReplace: false, ...diff };
  }

  private async update({ slot, kind }: Registration, old: Kept, inputs: Props, tunnel?: Registration): Promise<void> {
    this.steps.push(`update ${slot}`);
    try {
      const answer = await this.told(slot, () => this.process[kind].update(old.id, old.outputs, inputs));
      const { outs } = answer as { outs?: Props };
      Object.assign(old, { inputs, outputs: plain(outs ?? {}), isPartial: false, on: tunnel?.urn });
    } catch (error) {
      const partly = partlyMade(error);
      // The old inputs are kept, so that the next up asks again.
      if (partly) Object.assign(old, { outputs: partly.outputs, isPartial: true });
      throw error;
    }
  }

  private async create(one: Registration, inputs: Props, old: Kept | undefined, tunnel?: Registration): Promise<void> {
    const { slot, kind, urn } = one;
    this.steps.push(`create ${slot}`);
    const keep = (id: string, outputs: Props, isPartial: boolean) => {
      if (old && this.engine.state.includes(old)) old.delete = true;
      this.engine.state.push({ urn, kind, id, inputs, outputs, isPartial, on: tunnel?.urn });
    };
    try {
      const answer = await this.told(slot, () => this.process[kind].create(inputs));
      const { id, outs } = answer as { id: string; outs: Props };
      keep(id, plain(outs), false);
    } catch (error) {
      const partly = partlyMade(error);
      if (partly) keep(partly.id, partly.outputs, true);
      throw error;
    }
  }

  private async remove(each: Kept): Promise<void> {
    this.steps.push(`delete ${each.id}`);
    await this.told(each.id, () => this.process[each.kind].delete(each.id, each.outputs));
    this.engine.drop(each);
  }

  private told<T>(slot: string, call: () => Promise<T>): Promise<T> {
    return this.process.run(call).catch((error: unknown) => {
      throw new Failed(slot, error);
    });
  }
}

function partlyMade(error: unknown): { id: string; outputs: Props } | undefined {
  const cause: unknown = error instanceof Failed ? error.cause : error;
  const { id, properties } = cause as { id?: string; properties?: object };
  return id === undefined || properties === undefined ? undefined : { id, outputs: plain(properties) };
}

/** Waits for all, then rejects with the first failure: what runs beside a failure is let end. */
async function all(operations: Promise<unknown>[]): Promise<void> {
  const ended = await Promise.allSettled(operations);
  const failed = ended.find((each) => each.status === "rejected");
  if (failed) throw failed.reason as Error;
}
