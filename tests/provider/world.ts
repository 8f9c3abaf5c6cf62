import type { Planned } from "../../provider/fields/field";
import { type Emulator, startEmulator } from "../../emulator";
import { type Context, openService, type Service } from "../../provider/operations/service";
import { type Config, readConfig } from "../../provider/config";
import { openPool, type Send } from "../../provider/http/send";
import type { RecordStore } from "../../provider/ledger/creation-records";
import type { RunStore } from "../../provider/ledger/files";
import type { Diff, Lifecycle } from "../../provider/lifecycle/lifecycle";
import type { ShareSetInputs, ShareSetOutputs } from "../../provider/resources/share-set-inputs";
import { shareLifecycle } from "../../provider/resources/share";
import type { ShareInputs, ShareOutputs } from "../../provider/fields/share";
import { shareSetLifecycle } from "../../provider/resources/share-set";
import { tunnelLifecycle } from "../../provider/resources/tunnel";
import type { TunnelInputs, TunnelOutputs } from "../../provider/fields/tunnel";
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

/** The lifecycles against an emulator of their own, in virtual time. */
export interface World {
  emulator: Emulator;
  clock: VirtualClock;
  config: Config;
  service: Service;
  tunnels: Lifecycle<TunnelInputs, TunnelOutputs>;
  shares: Lifecycle<ShareInputs, ShareOutputs>;
  sets: Lifecycle<ShareSetInputs, ShareSetOutputs>;
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
  nextRun(ended?: "in order" | "killed", next?: "up" | "preview"): void;
  /** Does this in a process that is killed as soon as the service has done its first POST: the answer reaches nobody. */
  interrupted(work: () => Promise<unknown>): Promise<void>;
  close(): Promise<void>;
}

/** A create under a name the user chose. */
export const chosen = false;

/** A create under a name derived from project, stack and resource. */
export const derived = true;

export const tunnelInputs: TunnelInputs = {
  name: "hq",
  frontdoorId: "fd-1",
  peerPublicIp: "203.0.113.7",
  peerCidr: "10.20.0.0/16",
};

export const shareInputs = (ipsecTunnelId: string): ShareInputs => ({
  name: "web",
  frontdoorId: "fd-1",
  ipsecTunnelId,
  envZId: "env-1",
  target: "web.internal:443",
  ingressPort: 443,
});

export async function openWorld(
  settings: Parameters<typeof startEmulator>[0] = {},
  wrap: (send: Send) => Send = (send) => send,
  stackConfig: (emulator: Emulator) => Record<string, string> = () => ({}),
  records = memoryRecords(),
  run?: RunStore,
): Promise<World> {
  const emulator = await startEmulator({ frozenAtMs: Date.now(), ...settings });
  const given: Record<string, string> = {
    "frontdoor:baseUrl": emulator.baseUrl,
    "frontdoor:token": emulator.token,
    "frontdoor:frontdoorId": emulator.frontdoorId,
    "frontdoor:requestsPerSecond": "1000",
    ...stackConfig(emulator),
  };
  const config = readConfig((key) => given[key], {});
  const clock = new VirtualClock((ms) => {
    emulator.clock.advance(ms);
  });
  const pool = openPool();
  let kill: (() => void) | undefined;
  const send = wrap(async (request) => {
    const answer = await clock.during(() => pool.send(request));
    if (!kill || request.method !== "POST") return answer;
    kill();
    return new Promise<never>(() => undefined);
  });
  const said: string[] = [];
  const process = (does: "up" | "preview" = "up") => {
    const transport = { send, close: () => Promise.resolve() };
    const service = openService({ config, clock, transport, say: (line) => said.push(line), records, run });
    if (does === "up") service.previewGate.open();
    return {
      service,
      tunnels: tunnelLifecycle(service),
      shares: shareLifecycle(service),
      sets: shareSetLifecycle(service),
    };
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
    nextRun(ended = "in order", next = "up") {
      if (ended === "in order") world.service.endRun();
      Object.assign(world, process(next));
    },
    async interrupted(work) {
      const isKilled = new Promise<void>((resolve) => (kill = resolve));
      void work();
      await isKilled;
      kill = undefined;
      world.nextRun("killed");
      world.calls();
    },
    shareDiff: (olds, news, id = "shr-1") => world.shares.diff(id, olds, news, world.within(60)),
    tunnelDiff: (olds, news, id = "tnl-1") => world.tunnels.diff(id, olds, news, world.within(60)),
    within: (seconds) => ({ deadlineMs: clock.now() + seconds * 1000, service: world.service }),
    calls,
    writes: () => calls().filter((line) => !line.startsWith("GET ")),
    async close() {
      await pool.close();
      await emulator.close();
    },
  };
  return world;
}

/** A world with a tunnel, and a way to have a share on it that an earlier run has made, that is ready and that lists show. */
export async function openShareWorld() {
  const world = await openWorld();
  const tunnelId = (await world.tunnels.create(tunnelInputs, chosen, world.within(900))).id;
  world.calls();
  const deployed = async () => {
    const inputs = shareInputs(tunnelId);
    const { id, outputs } = await world.shares.create(inputs, chosen, world.within(900));
    world.emulator.clock.advance(60_000);
    world.nextRun();
    world.calls();
    return { id, outputs, inputs };
  };
  return { world, tunnelId, deployed };
}
export type ShareWorld = Awaited<ReturnType<typeof openShareWorld>>;
