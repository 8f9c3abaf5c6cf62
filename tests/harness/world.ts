import { type Emulator, startEmulator } from "../../emulator";
import { type Config, readConfig } from "../../provider/config";
import type { Planned } from "../../provider/fields/field";
import type { ShareInputs, ShareOutputs } from "../../provider/fields/share";
import type { TunnelInputs, TunnelOutputs } from "../../provider/fields/tunnel";
import type { Send } from "../../provider/http/send";
import type { RecordStore } from "../../provider/run/creation-records";
import type { Checked, Diff, Lifecycle, Outcome } from "../../provider/lifecycle/contract";
import { Resource } from "../../provider/lifecycle/lifecycle";
import { type Context, openService, type Service } from "../../provider/run/service";
import { shareLifecycle } from "../../provider/resources/share";
import { shareSetLifecycle } from "../../provider/resources/share-set";
import type { ShareSetInputs, ShareSetOutputs } from "../../provider/resources/share-set-inputs";
import { tunnelLifecycle } from "../../provider/resources/tunnel";
import { hq, testSettings, web } from "./things";
import { sendTo } from "../model/process";
import { VirtualClock } from "./virtual-clock";

/** Records of unfinished creates and deletes in memory: they outlive the process, as files do. */
export function memoryRecords(): RecordStore {
  const records = new Map<string, string>();
  return {
    read: () => [...records],
    write: (key, text) => records.set(key, text),
    remove: (key) => records.delete(key),
  };
}

/** The lifecycles against an emulator of their own, in virtual time, until the end of a test. */
export interface World {
  emulator: Emulator;
  clock: VirtualClock;
  config: Config;
  service: Service;
  tunnels: Lifecycle<TunnelInputs, TunnelOutputs>;
  shares: Lifecycle<ShareInputs, ShareOutputs>;
  sets: Lifecycle<ShareSetInputs, ShareSetOutputs>;
  /** The same as the adapters call them, with what holds for each id in the state. */
  resources: {
    tunnels: Resource<TunnelInputs, TunnelOutputs>;
    shares: Resource<ShareInputs, ShareOutputs>;
    sets: Resource<ShareSetInputs, ShareSetOutputs>;
  };
  /** Diffs of a share and of a tunnel, by whatever id where none is asked for by it. */
  shareDiff(olds: ShareOutputs, news: Planned<ShareInputs>, id?: string): Promise<Diff>;
  tunnelDiff(olds: TunnelOutputs, news: Planned<TunnelInputs>, id?: string): Promise<Diff>;
  /** An operation in this process with a deadline so many seconds from now. */
  within(seconds: number): Context;
  /** Requests so far, such as `PATCH /ipsec-shares/shr-1 {"target":"a:1"}`, and forgets them. */
  calls(): string[];
  /** The same without reads. */
  writes(): string[];
  /** The creation records of the machine. */
  records: RecordStore;
  /** What the user was told. */
  said: string[];
  /** Another process takes the place of the first, which has ended in order or was killed: nothing that was in its memory is left. */
  nextRun(ended?: "in order" | "killed"): void;
  /** Does this in a process that is killed as soon as the service has done its first POST: the answer reaches nobody. */
  interrupted(work: () => Promise<unknown>): Promise<void>;
  close(): Promise<void>;
}

/** A create under a name the user chose. */
export const chosen = false;

/** A create under a name derived from project, stack and resource. */
export const derived = true;

export const tunnelInputs: TunnelInputs = { ...hq, frontdoorId: "fd-1" };

export const shareInputs = (ipsecTunnelId: string): ShareInputs => ({ ...web, frontdoorId: "fd-1", ipsecTunnelId });

const opened: World[] = [];

afterEach(() => Promise.all(opened.splice(0).map((world) => world.close())));

export async function openWorld(
  settings: Parameters<typeof startEmulator>[0] = {},
  wrap: (send: Send) => Send = (send) => send,
  stackConfig: (emulator: Emulator) => Record<string, string> = () => ({}),
  records = memoryRecords(),
): Promise<World> {
  const emulator = await startEmulator({ frozenAtMs: Date.now(), ...settings });
  const given = { ...testSettings(emulator), ...stackConfig(emulator) };
  const config = readConfig((key) => given[key], given);
  const clock = new VirtualClock((ms) => {
    emulator.clock.advance(ms);
  });
  const ask = sendTo(emulator);
  let kill: (() => void) | undefined;
  const send = wrap(async (request) => {
    const answer = await clock.during(() => ask(request));
    if (!kill || request.method !== "POST") return answer;
    kill();
    return new Promise<never>(() => undefined);
  });
  const said: string[] = [];
  const process = () => {
    const transport = { send, close: () => Promise.resolve() };
    const service = openService({ config, clock, transport, say: (line) => said.push(line), records });
    const lifecycles = {
      tunnels: tunnelLifecycle(service),
      shares: shareLifecycle(service),
      sets: shareSetLifecycle(service),
    };
    const resources = {
      tunnels: new Resource(lifecycles.tunnels, service),
      shares: new Resource(lifecycles.shares, service),
      sets: new Resource(lifecycles.sets, service),
    };
    return { service, ...lifecycles, resources };
  };
  const calls = () => {
    const lines = emulator.requests.map(({ method, path, query, body }) =>
      [method, path + (query === "" ? "" : `?${query}`), ...(body === undefined ? [] : [JSON.stringify(body)])].join(
        " ",
      ),
    );
    emulator.requests.length = 0;
    return lines;
  };
  const world: World = {
    emulator,
    clock,
    config,
    said,
    records,
    ...process(),
    nextRun(ended = "in order") {
      if (ended === "in order") world.service.endRun();
      Object.assign(world, process());
    },
    async interrupted(work) {
      const isKilled = new Promise<void>((resolve) => (kill = resolve));
      void work();
      await isKilled;
      kill = undefined;
      world.nextRun("killed");
      world.calls();
    },
    shareDiff: (state, inputs, id = "shr-1") => world.resources.shares.diff({ id, state, inputs }),
    tunnelDiff: (state, inputs, id = "tnl-1") => world.resources.tunnels.diff({ id, state, inputs }),
    within: (seconds) => ({ deadlineMs: clock.now() + seconds * 1000, service: world.service }),
    calls,
    writes: () => calls().filter((line) => !line.startsWith("GET ")),
    async close() {
      await emulator.close();
    },
  };
  opened.push(world);
  return world;
}

/** Creates a resource as an earlier run: it is ready, and lists show it. */
export async function deploy<Inputs, Outputs>(world: World, lifecycle: Lifecycle<Inputs, Outputs>, inputs: Inputs) {
  const { id, outputs } = await lifecycle.create(inputs, chosen, world.within(1800));
  world.emulator.clock.advance(60_000);
  world.nextRun();
  world.calls();
  return { id, outputs, inputs };
}

/** A world with a tunnel, and a way to have a share on it that an earlier run has made, that is ready and that lists show. */
export async function openShareWorld(...settings: Parameters<typeof openWorld>) {
  const world = await openWorld(...settings);
  const tunnelId = (await world.tunnels.create(tunnelInputs, chosen, world.within(900))).id;
  world.calls();
  const deployed = () => deploy(world, world.shares, shareInputs(tunnelId));
  return { world, tunnelId, deployed };
}
export type ShareWorld = Awaited<ReturnType<typeof openShareWorld>>;

export type Shares = Record<string, object>;
export type Declared = Record<string, unknown> & { shares: Shares };

const originOf = (name: string) => `organization::urn:pulumi:test::office::frontdoor:index:IpsecShareSet::${name}`;

/** A set as a program declares it. */
export const declaredOn = (ipsecTunnelId: string, shares: Shares, more: object = {}): Declared => ({
  ipsecTunnelId,
  envZId: "env-1",
  ...more,
  shares,
});

/** A share of it. */
export const port = (ingressPort: number, more: object = {}) => ({
  target: `host-${ingressPort}.internal:443`,
  ingressPort,
  ...more,
});

/** What check says of a set. */
export const checkedIn = (world: World, news: Declared, olds: object = {}, name = "services") =>
  world.sets.check({
    news,
    olds: olds as Record<string, unknown>,
    origin: originOf(name),
  }) as Checked<ShareSetInputs> & {
    inputs: ShareSetInputs;
  };

/** A world with a tunnel. */
export async function openWithTunnel(...settings: Parameters<typeof openWorld>): Promise<[World, string]> {
  const world = await openWorld(...settings);
  const { id } = await world.tunnels.create(tunnelInputs, chosen, world.within(900));
  world.calls();
  return [world, id];
}

/** What a program does with the set "services" from one run to the next. No edit of these tests replaces it. */
class Stack {
  private state: { id: string; inputs: ShareSetInputs; outputs: ShareSetOutputs } | undefined;

  constructor(private readonly world: World) {}

  /** A create or an update, as the diff says. Returns the writes in the order sent, and what is not as declared. */
  async up(news: Declared): Promise<{ writes: string[]; error?: string | undefined }> {
    const { world, state } = this;
    world.nextRun();
    world.calls();
    const { inputs, failures } = checkedIn(world, news, state?.inputs);
    expect(failures).toEqual([]);
    const made = state ? await this.update(state, inputs) : await world.sets.create(inputs, derived, world.within(900));
    if (made !== state) this.state = { id: made.id, inputs, outputs: made.outputs };
    world.emulator.clock.advance(60_000);
    return { writes: world.writes(), error: "unfinished" in made ? made.unfinished?.message : undefined };
  }

  private async update(
    state: { id: string; outputs: ShareSetOutputs },
    inputs: ShareSetInputs,
  ): Promise<Outcome<ShareSetOutputs>> {
    const { sets } = this.world;
    const until = this.world.within(900);
    const { changes, replaces } = await sets.diff(state.id, state.outputs, inputs, until);
    expect(replaces).toEqual([]);
    return changes ? sets.update(state.id, state.outputs, inputs, until) : state;
  }

  get outputs() {
    if (!this.state) throw new Error("there is no set");
    return this.state.outputs;
  }
}

/** The words of tests about the set "services" on the tunnel of the world that is open. */
export const programOf = (opened: () => [World, string]) => ({
  declared: (shares: Shares, more: object = {}): Declared => declaredOn(opened()[1], shares, more),
  check: (news: Declared, olds: object = {}) => checkedIn(opened()[0], news, olds),
  stack: () => new Stack(opened()[0]),
});

/** Writes by method and id, in order of the alphabet. */
export const kinds = (writes: string[]) =>
  writes.map((line) => line.replace(/ \{.*/, "").replace(/ \/ipsec-shares/, "")).sort();
