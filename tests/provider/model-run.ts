import { startEmulator, type Emulator } from "../../emulator";
import { Watch } from "../chaos/watch";
import { ModelEngine, type ModelProgram } from "./model-engine";
import type { ModelFault, ModelHistory, ModelStep } from "./model-history";
import { ModelProcess } from "./model-process";
import { VirtualClock } from "./virtual-clock";
import { memoryRecords } from "./world";

/** Someone else's, under the names of two of the program's resources: never touched. */
const strangers = {
  tunnel: { id: "tnl-stranger", name: "t1", locationId: "loc-stranger", peerCidr: "10.99.0.0/16" },
  share: { id: "shr-stranger", name: "s1", ipsecTunnelId: "tnl-stranger", target: "stranger:1", ingressPort: 1 },
};
const strangerIds = [strangers.tunnel.id, strangers.share.id];

const nothing: ModelProgram = { tunnels: {}, shares: {} };

/** One service after another in the same emulator: starting it anew each time would cost more than a history. */
export class ModelWorld {
  private records = memoryRecords();

  private constructor(private readonly emulator: Emulator) {}

  static async open(): Promise<ModelWorld> {
    return new ModelWorld(await startEmulator({ frozenAtMs: Date.UTC(2030, 0, 1) }));
  }

  close(): Promise<void> {
    return this.emulator.close();
  }

  /** Runs a history to its end. @throws Error that says what did not hold. */
  async run({ settings, steps }: ModelHistory): Promise<void> {
    const { emulator } = this;
    emulator.reset();
    Object.assign(emulator.settings, settings);
    emulator.seedTunnel(strangers.tunnel);
    emulator.seedShare(strangers.share);
    const watch = new Watch(emulator, (id) => strangerIds.includes(id));
    const clock = new VirtualClock((ms) => {
      emulator.clock.advance(ms);
    });
    const engine = new ModelEngine();
    this.records = memoryRecords();
    let program = nothing;
    for (const step of steps) {
      if (step.run !== "refresh") program = step.run === "destroy" ? nothing : step.program;
      await this.step(engine, clock, step, program);
      this.check(engine, program);
      expectNone([...watch.problems]);
    }
    expectNone(await engine.up(new ModelProcess(emulator, clock, undefined, this.records), program));
    await engine.refresh(new ModelProcess(emulator, clock, undefined, this.records));
    expectNone(await engine.up(new ModelProcess(emulator, clock, undefined, this.records), program));
    await engine.destroy(new ModelProcess(emulator, clock, undefined, this.records));
    this.check(engine, nothing);
    expectNone([...watch.problems]);
  }

  /** A run with its faults and its kill; then the service heals, and one more run sets everything right. */
  private async step(engine: ModelEngine, clock: VirtualClock, step: ModelStep, program: ModelProgram): Promise<void> {
    const { emulator } = this;
    for (const fault of step.faults) addFault(emulator, fault);
    const first = new ModelProcess(emulator, clock, step.kill, this.records);
    const run = step.run === "refresh" ? engine.refresh(first) : engine.up(first, program);
    await run.catch(() => undefined);
    emulator.faults.clear();
    // In short steps, so that what is late comes when it is due.
    for (let seconds = 0; seconds < 12; seconds++) await clock.sleep(1_000);
    await clock.sleep(48_000);
    first.end();
    if (step.isRefreshed) await engine.refresh(new ModelProcess(emulator, clock, undefined, this.records));
    const recover = () => engine.up(new ModelProcess(emulator, clock, undefined, this.records), program);
    await recover().catch((error: unknown) => {
      // A tunnel whose ERROR only this run finds is replaced by the next one (docs/reliability.md).
      if (!String(error).includes("it replaces the tunnel")) throw error;
      return recover();
    });
    await clock.sleep(60_000);
  }

  /** Each object of the service is in the state, ready and as it was asked for, and the other way round. */
  private check({ tunnels, shares, doomed }: ModelEngine, program: ModelProgram): void {
    const all = [...this.emulator.tunnels(), ...this.emulator.shares()];
    for (const stranger of Object.values(strangers)) {
      expect(all.find(({ id }) => id === stranger.id)).toMatchObject({ ...stranger, status: "DEPLOYED" });
    }
    const served = all.filter(({ id, status }) => status !== "DELETED" && !strangerIds.includes(id));
    const state = [...tunnels, ...shares];
    const told = (what: object) => JSON.stringify(what);
    expectNone(doomed.map(({ id }) => `${id} is still to be deleted`));
    expectNone(
      served.filter(({ id }) => !state.some(([, each]) => each.id === id)).map((object) => `orphan: ${told(object)}`),
    );
    for (const [name, { id, outputs }] of state) {
      const object = served.find((each) => each.id === id);
      if (object?.status !== "DEPLOYED" || outputs.status !== "DEPLOYED") {
        throw new Error(`${name} ${told(outputs)} is in the service ${told(object ?? {})}`);
      }
      const { on, ...wanted } = { on: undefined, ...program.tunnels[name], ...program.shares[name] };
      const expected = { ...wanted, ...(on !== undefined && { ipsecTunnelId: tunnels.get(on)?.id }) };
      for (const [key, value] of Object.entries(expected)) {
        if ((object as unknown as Record<string, unknown>)[key] !== value)
          throw new Error(`${name}.${key}: ${told(object)}`);
      }
    }
    const wanted = Object.keys({ ...program.tunnels, ...program.shares }).sort();
    if (told(state.map(([name]) => name).sort()) !== told(wanted))
      throw new Error(`the state lacks some of ${wanted.join()}`);
  }
}

function addFault({ faults }: Emulator, fault: ModelFault): void {
  if ("op" in fault) faults.failNext(fault);
  else faults.add(fault);
}

function expectNone(problems: string[]): void {
  if (problems.length > 0) throw new Error(problems.join("; "));
}
