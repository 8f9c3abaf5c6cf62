import type { Made } from "../../provider/resources/lifecycle";
import { UNKNOWN } from "../../provider/resources/lifecycle";
import type { ShareInputs, ShareOutputs } from "../../provider/resources/share-inputs";
import type { TunnelInputs, TunnelOutputs } from "../../provider/resources/tunnel-inputs";
import type { ModelProcess } from "./model-process";
import { derived } from "./world";

/** What a program asks for, by logical name; a share names its tunnel. */
export interface ModelProgram {
  tunnels: Record<string, TunnelInputs>;
  shares: Record<string, Omit<ShareInputs, "ipsecTunnelId"> & { on: string }>;
}

interface Kept<Outputs> {
  id: string;
  outputs: Outputs;
  /** Partly created: the engine calls update also where the diff finds nothing. */
  isPartial: boolean;
}
type KeptShare = Kept<ShareOutputs> & { on: string };

const kept = <Outputs>({ id, outputs, unfinished }: Made<Outputs>): Kept<Outputs> => ({
  id,
  // The state is JSON.
  outputs: JSON.parse(JSON.stringify(outputs)) as Outputs,
  isPartial: unfinished !== undefined,
});

/** What the engine does with the lifecycles, as far as it matters to what is kept when something fails or is killed. */
export class ModelEngine {
  readonly tunnels = new Map<string, Kept<TunnelOutputs>>();
  readonly shares = new Map<string, KeptShare>();
  /** Replaced tunnels that are still to be deleted. */
  readonly doomed: Kept<TunnelOutputs>[] = [];

  /** The steps that changed something; rejects with the first failure, after what ran beside it has ended. */
  async up(process: ModelProcess, program: ModelProgram): Promise<string[]> {
    const steps: string[] = [];
    await all(Object.entries(program.tunnels).map(([name, inputs]) => this.makeRoom(process, name, inputs, steps)));
    await all(
      Object.keys(program.tunnels).map(async (name) => {
        await this.upTunnel(process, program, name, steps);
        const shares = Object.keys(program.shares).filter((share) => program.shares[share]?.on === name);
        await all(shares.map((share) => this.upShare(process, program, share, steps)));
      }),
    );
    await all(
      [...this.shares.keys()]
        .filter((name) => !program.shares[name])
        .map((name) => this.dropShare(process, name, steps)),
    );
    await all([
      ...[...this.tunnels.keys()]
        .filter((name) => !program.tunnels[name])
        .map((name) => this.dropTunnel(process, name, steps)),
      ...this.doomed.map(async (old) => {
        await process.run((until) => process.tunnels.delete(old.id, old.outputs, until));
        steps.push(`delete ${old.id}`);
        this.doomed.splice(this.doomed.indexOf(old), 1);
      }),
    ]);
    return steps;
  }

  async refresh(process: ModelProcess): Promise<void> {
    await all([
      ...[...this.tunnels].map(async ([name, { id, outputs }]) => {
        const seen = await process.run((until) => process.tunnels.read(id, outputs, until));
        if (seen) this.tunnels.set(name, kept({ id, outputs: seen }));
        else this.tunnels.delete(name);
      }),
      ...[...this.shares].map(async ([name, { id, outputs, on }]) => {
        const seen = await process.run((until) => process.shares.read(id, outputs, until));
        if (seen) this.shares.set(name, { ...kept({ id, outputs: seen }), on });
        else this.shares.delete(name);
      }),
    ]);
  }

  destroy(process: ModelProcess): Promise<string[]> {
    return this.up(process, { tunnels: {}, shares: {} });
  }

  /** Deletes a tunnel that is replaced delete-first, and before it what depended on it in the last run, whatever the program says now. */
  private async makeRoom(process: ModelProcess, name: string, inputs: TunnelInputs, steps: string[]): Promise<void> {
    const old = this.tunnels.get(name);
    const diff = old && (await process.run((until) => process.tunnels.diff(old.id, old.outputs, inputs, until)));
    if (!diff?.deleteBeforeReplace || diff.replaces.length === 0) return;
    const dependents: string[] = [];
    for (const [share, { id, on, outputs }] of this.shares) {
      if (on !== name) continue;
      const unknown = { ...outputs, ipsecTunnelId: UNKNOWN } as Parameters<typeof process.shares.diff>[2];
      const { replaces } = await process.run((until) => process.shares.diff(id, outputs, unknown, until));
      if (replaces.length > 0) dependents.push(share);
    }
    await all(dependents.map((share) => this.dropShare(process, share, steps)));
    await this.dropTunnel(process, name, steps);
  }

  private async upTunnel(process: ModelProcess, program: ModelProgram, name: string, steps: string[]): Promise<void> {
    const inputs = program.tunnels[name];
    const old = this.tunnels.get(name);
    if (!inputs) return;
    const diff = old && (await process.run((until) => process.tunnels.diff(old.id, old.outputs, inputs, until)));
    if (old && diff?.replaces.length === 0) {
      if (!diff.changes && !old.isPartial) return;
      steps.push(`update ${name}`);
      this.keepTunnel(name, await process.run((until) => process.tunnels.update(old.id, old.outputs, inputs, until)));
      return;
    }
    steps.push(`create ${name}`);
    const made = await process.run((until) => process.tunnels.create(inputs, derived, until));
    if (old) this.doomed.push(old);
    this.keepTunnel(name, made);
  }

  private async upShare(process: ModelProcess, program: ModelProgram, name: string, steps: string[]): Promise<void> {
    const { on = "", ...rest } = program.shares[name] ?? {};
    const inputs = { ...rest, ipsecTunnelId: this.tunnels.get(on)?.id ?? "" } as ShareInputs;
    const old = this.shares.get(name);
    const diff = old && (await process.run((until) => process.shares.diff(old.id, old.outputs, inputs, until)));
    if (old && diff?.replaces.length === 0) {
      if (!diff.changes && !old.isPartial) {
        // What it depends on is noted anew also where nothing changes.
        old.on = on;
        return;
      }
      steps.push(`update ${name}`);
      this.keepShare(name, on, await process.run((until) => process.shares.update(old.id, old.outputs, inputs, until)));
      return;
    }
    if (old) await this.dropShare(process, name, steps);
    steps.push(`create ${name}`);
    this.keepShare(name, on, await process.run((until) => process.shares.create(inputs, derived, until)));
  }

  private keepTunnel(name: string, made: Made<TunnelOutputs>): void {
    this.tunnels.set(name, kept(made));
    if (made.unfinished) throw made.unfinished;
  }

  private keepShare(name: string, on: string, made: Made<ShareOutputs>): void {
    this.shares.set(name, { ...kept(made), on });
    if (made.unfinished) throw made.unfinished;
  }

  private async dropTunnel(process: ModelProcess, name: string, steps: string[]): Promise<void> {
    const old = this.tunnels.get(name);
    if (!old) return;
    steps.push(`delete ${name}`);
    await process.run((until) => process.tunnels.delete(old.id, old.outputs, until));
    this.tunnels.delete(name);
  }

  private async dropShare(process: ModelProcess, name: string, steps: string[]): Promise<void> {
    const old = this.shares.get(name);
    if (!old) return;
    steps.push(`delete ${name}`);
    await process.run((until) => process.shares.delete(old.id, old.outputs, until));
    this.shares.delete(name);
  }
}

/** Waits for all, then rejects with the first failure: what runs beside a failure is let end. */
async function all(operations: Promise<unknown>[]): Promise<void> {
  const ended = await Promise.allSettled(operations);
  const failed = ended.find((each) => each.status === "rejected");
  if (failed) throw failed.reason as Error;
}
