import type { FrontdoorError } from "../../../provider/errors";
import type { Made } from "../../../provider/resources/lifecycle";
import type { ShareInputs, ShareOutputs } from "../../../provider/resources/share-inputs";
import type { TunnelOutputs } from "../../../provider/resources/tunnel-inputs";
import { derived, shareInputs, tunnelInputs, type World } from "../world";

/** How an operation ended, as the engine would keep it. */
export interface End {
  /** The id in the state; undefined where nothing is kept. */
  id: string | undefined;
  error: FrontdoorError | undefined;
  /** Whether the engine is told that it exists but is not ready. */
  isUnfinished: boolean;
}

/** One operation that sends requests of the kind, and the run after it. */
export interface Scenario {
  /** Makes what has to be there before. */
  before(world: World): Promise<void>;
  /** The operation that meets the fault. */
  meet(world: World): Promise<End>;
  /** The next run, the service being well again; rejects where it is not right then. */
  again(world: World, end: End): Promise<void>;
  /** How many objects there are in the end, and how many writes of the kind may have been worked on. */
  objects: { tunnels: number; shares: number };
  writes: number;
}

export const minutes = 60;

export const ended = <Outputs>(operation: Promise<Made<Outputs> | undefined>, keep: (made: Made<Outputs>) => void) =>
  operation.then(
    (made): End => {
      if (made) keep(made);
      return { id: made?.id, error: made?.unfinished, isUnfinished: made?.unfinished !== undefined };
    },
    (error: unknown): End => ({ id: undefined, error: error as FrontdoorError, isUnfinished: false }),
  );

/** A read of what is there. The engine would drop what read finds gone. */
async function readThere<Outputs>(
  id: string,
  read: Promise<Outputs | undefined>,
  keep: (made: Made<Outputs>) => void,
): Promise<End> {
  const end = await ended(
    read.then((outputs) => outputs && { id, outputs }),
    keep,
  );
  expect(end.error ?? end.id).toBeDefined();
  return { ...end, id };
}

const done = <Outputs>(made: Made<Outputs>): Outputs => {
  if (made.unfinished) throw made.unfinished;
  return made.outputs;
};

/** A share on a tunnel that is there; its state is kept between the runs. */
class ShareRuns {
  id = "";
  outputs: ShareOutputs | undefined;
  inputs: ShareInputs = { ...shareInputs("tnl-seeded"), locationId: "loc-2" };

  readonly seed = (world: World) => {
    world.emulator.seedTunnel({ id: "tnl-seeded" });
    return Promise.resolve();
  };

  readonly deploy = async (world: World) => {
    await this.seed(world);
    this.keep(await world.shares.create(this.inputs, derived, world.within(5 * minutes)));
    world.emulator.clock.advance(60_000);
  };

  readonly keep = (made: Made<ShareOutputs>) => {
    this.id = made.id;
    this.outputs = made.outputs;
  };

  get kept(): ShareOutputs {
    if (!this.outputs) throw new Error("nothing is in the state");
    return this.outputs;
  }

  create(world: World) {
    return ended(world.shares.create(this.inputs, derived, world.within(5 * minutes)), this.keep);
  }

  update(world: World) {
    const olds = this.kept;
    return ended(world.shares.update(this.id, olds, this.inputs, world.within(5 * minutes)), this.keep);
  }

  /** What the engine does next: creates what is not in the state, updates where the diff asks for it. */
  readonly again = async (world: World) => {
    if (!this.outputs) this.keep(await world.shares.create(this.inputs, derived, world.within(5 * minutes)));
    else if ((await world.shareDiff(this.outputs, this.inputs)).changes) {
      this.keep(await world.shares.update(this.id, this.outputs, this.inputs, world.within(5 * minutes)));
    }
    done({ id: this.id, outputs: this.kept });
    expect(await world.shareDiff(this.kept, this.inputs)).toMatchObject({ changes: false });
    expect(world.emulator.shares()).toMatchObject([{ ...this.inputs, id: this.id, status: "DEPLOYED" }]);
  };
}

export function shareCreate(): Scenario {
  const runs = new ShareRuns();
  return {
    before: runs.seed,
    meet: (world) => runs.create(world),
    again: runs.again,
    objects: { tunnels: 1, shares: 1 },
    writes: 1,
  };
}

/** A change by PATCH, or by PUT since a field is cleared. */
export function shareUpdate(method: "PATCH" | "PUT"): Scenario {
  const runs = new ShareRuns();
  return {
    before: runs.deploy,
    meet(world) {
      runs.inputs = method === "PUT" ? shareInputs("tnl-seeded") : { ...runs.inputs, target: "web2.internal:443" };
      return runs.update(world);
    },
    again: runs.again,
    objects: { tunnels: 1, shares: 1 },
    writes: 1,
  };
}

/** The list that a read looks at first is refused, so that the share is read by its id. */
export function shareRead(): Scenario {
  const runs = new ShareRuns();
  return {
    before: runs.deploy,
    async meet(world) {
      world.emulator.faults.answerNext({ method: "GET", path: /^\/ipsec-shares$/, status: 403 });
      return readThere(runs.id, world.shares.read(runs.id, runs.kept, world.within(5 * minutes)), runs.keep);
    },
    again: runs.again,
    objects: { tunnels: 1, shares: 1 },
    writes: 0,
  };
}

export function shareDelete(): Scenario {
  const runs = new ShareRuns();
  return {
    before: runs.deploy,
    async meet(world) {
      const gone = world.shares.delete(runs.id, runs.kept, world.within(5 * minutes));
      return {
        ...(await ended(
          gone.then(() => undefined),
          runs.keep,
        )),
        id: runs.id,
      };
    },
    async again(world, end) {
      if (end.error) await world.shares.delete(runs.id, runs.kept, world.within(5 * minutes));
      expect(world.emulator.shares().filter(({ status }) => status !== "DELETED")).toEqual([]);
    },
    objects: { tunnels: 1, shares: 1 },
    writes: 1,
  };
}

export function tunnelCreate(): Scenario {
  let state: Made<TunnelOutputs> | undefined;
  const keep = (made: Made<TunnelOutputs>) => {
    state = made;
    return made;
  };
  return {
    before: () => Promise.resolve(),
    meet: (world) => ended(world.tunnels.create(tunnelInputs, derived, world.within(5 * minutes)), keep),
    async again(world) {
      const until = world.within(5 * minutes);
      if (!state) keep(await world.tunnels.create(tunnelInputs, derived, until));
      else if ((await world.tunnelDiff(state.outputs, tunnelInputs)).changes) {
        keep(await world.tunnels.update(state.id, state.outputs, tunnelInputs, until));
      }
      expect(state?.outputs).toMatchObject({ status: "DEPLOYED", sampleConfig: expect.any(String) as string });
      expect(state && (await world.tunnelDiff(state.outputs, tunnelInputs))).toMatchObject({ changes: false });
      expect(world.emulator.tunnels()).toMatchObject([{ ...tunnelInputs, id: state?.id, status: "DEPLOYED" }]);
    },
    objects: { tunnels: 1, shares: 0 },
    writes: 1,
  };
}

export function tunnelRead(): Scenario {
  let outputs: TunnelOutputs = { ...tunnelInputs, status: "DEPLOYED" };
  const read = (world: World) =>
    readThere("tnl-1", world.tunnels.read("tnl-1", outputs, world.within(5 * minutes)), (made) => {
      outputs = made.outputs;
    });
  return {
    before(world) {
      world.emulator.seedTunnel({ ...tunnelInputs, id: "tnl-1" });
      return Promise.resolve();
    },
    meet: read,
    async again(world) {
      expect((await read(world)).error).toBeUndefined();
      expect(outputs).toMatchObject({
        ...tunnelInputs,
        status: "DEPLOYED",
        vpnConnectionId: expect.any(String) as string,
      });
    },
    objects: { tunnels: 1, shares: 0 },
    writes: 0,
  };
}

export function tunnelDelete(): Scenario {
  const outputs: TunnelOutputs = { ...tunnelInputs, status: "DEPLOYED" };
  return {
    before(world) {
      world.emulator.seedTunnel({ ...tunnelInputs, id: "tnl-1" });
      return Promise.resolve();
    },
    async meet(world) {
      const gone = world.tunnels.delete("tnl-1", outputs, world.within(5 * minutes));
      return {
        ...(await ended(
          gone.then(() => undefined),
          () => undefined,
        )),
        id: "tnl-1",
      };
    },
    async again(world, end) {
      if (end.error) await world.tunnels.delete("tnl-1", outputs, world.within(5 * minutes));
      expect(world.emulator.tunnels().filter(({ status }) => status !== "DELETED")).toEqual([]);
    },
    objects: { tunnels: 1, shares: 0 },
    writes: 1,
  };
}
