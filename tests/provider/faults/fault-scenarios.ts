import type { FrontdoorError } from "../../../provider/errors";
import type { Lifecycle } from "../../../provider/lifecycle/lifecycle";
import type { ShareInputs } from "../../../provider/fields/share";
import { ResourceEngine } from "../resource-engine";
import { checkedIn, declaredOn, port, type Shares } from "../set-program";
import { shareInputs, tunnelInputs, type World } from "../world";

/** How an operation ended, as the engine would keep it. */
export interface End {
  /** The id in the state; undefined if nothing is kept. */
  id: string | undefined;
  error: FrontdoorError | undefined;
  /** True if the engine is told that the resource exists but is not ready. */
  isUnfinished: boolean;
}

/** One operation that sends requests of the kind, and the run after it. */
export interface Scenario {
  /** Creates what has to be there before. */
  before(world: World): Promise<void>;
  /** The operation that meets the fault. */
  meet(world: World): Promise<End>;
  /** The next run, in which the service answers well; rejects if the resource is not as declared then. */
  again(world: World, end: End): Promise<void>;
  /** How many objects there are in the end, and how many writes the service may have worked on. */
  objects: { tunnels: number; shares: number };
  writes: number;
}

const seconds = 5 * 60;
const isLiving = ({ status }: { status: string }) => status !== "DELETED";

/** One resource of a program. */
interface Subject<Inputs, Outputs> {
  of: (world: World) => Lifecycle<Inputs, Outputs>;
  /** The inputs before an edit, and after it. */
  inputs: (world: World, isEdited: boolean, olds: object) => Inputs;
  /** Compares the service with the program. */
  expectServed: (world: World, state: { id: string; inputs: Inputs; outputs: Outputs }) => void;
}

class Runs<Inputs extends object, Outputs extends object> {
  isEdited = false;
  private readonly engine;

  constructor(private readonly subject: Subject<Inputs, Outputs>) {
    this.engine = new ResourceEngine(subject.of);
  }

  up(world: World): Promise<End> {
    return this.ended(
      this.engine.up(world, (olds) => this.subject.inputs(world, this.isEdited, olds), seconds),
      false,
    );
  }

  /** The engine would drop what a read finds gone. */
  read(world: World): Promise<End> {
    const { state } = this;
    const read = async () => {
      const outputs = await this.subject.of(world).read(state.id, state.outputs, world.within(seconds));
      expect(outputs).toBeDefined();
      if (outputs) this.engine.state = { ...state, outputs };
      return {};
    };
    return this.ended(read(), true);
  }

  delete(world: World): Promise<End> {
    const { id, outputs } = this.state;
    const gone = this.subject.of(world).delete(id, outputs, world.within(seconds));
    return this.ended(
      gone.then(() => ({})),
      true,
    );
  }

  /** What the engine does in the next run; a run after that changes nothing. */
  async expectRight(world: World): Promise<void> {
    expect(await this.up(world)).toMatchObject({ error: undefined });
    this.subject.expectServed(world, this.state);
    world.nextRun();
    world.calls();
    await this.up(world);
    expect(world.writes()).toEqual([]);
  }

  private ended(work: Promise<{ unfinished?: FrontdoorError }>, isKept: boolean): Promise<End> {
    return work.then(
      ({ unfinished }) => ({ id: this.state.id, error: unfinished, isUnfinished: unfinished !== undefined }),
      (error: unknown) => ({
        id: isKept ? this.state.id : undefined,
        error: error as FrontdoorError,
        isUnfinished: false,
      }),
    );
  }

  private get state() {
    const { state } = this.engine;
    if (!state) throw new Error("nothing is in the state");
    return state;
  }
}

type Act = "create" | "update" | "read" | "delete";

/** `count` is how many objects there are in the end, and `writes` how many an update sends. */
const scenario =
  <Inputs extends object, Outputs extends object>(
    subject: () => Subject<Inputs, Outputs>,
    act: Act,
    { tunnels = 1, shares = 0, writes = 1 }: { tunnels?: number; shares?: number; writes?: number },
    prepare: (world: World) => void = () => undefined,
  ) =>
  (): Scenario => {
    const runs = new Runs(subject());
    return {
      async before(world) {
        if (shares > 0) world.emulator.seedTunnel({ id: "tnl-seeded" });
        if (act !== "create") expect(await runs.up(world)).toMatchObject({ error: undefined });
        world.emulator.clock.advance(60_000);
      },
      meet(world) {
        prepare(world);
        runs.isEdited = act === "update";
        if (act === "read" || act === "delete") return runs[act](world);
        return runs.up(world);
      },
      async again(world, { error }) {
        if (act !== "delete") return runs.expectRight(world);
        if (error) expect(await runs.delete(world)).toMatchObject({ error: undefined });
        expect((shares > 0 ? world.emulator.shares() : world.emulator.tunnels()).filter(isLiving)).toEqual([]);
      },
      objects: { tunnels, shares },
      writes,
    };
  };

const tunnel = (): Subject<typeof tunnelInputs, object> => ({
  of: ({ tunnels }) => tunnels,
  inputs: () => tunnelInputs,
  expectServed({ emulator }, { id, outputs }) {
    expect(outputs).toMatchObject({ status: "DEPLOYED", sampleConfig: expect.any(String) as string });
    expect(outputs).toMatchObject({ vpnConnectionId: expect.any(String) as string });
    expect(emulator.tunnels()).toMatchObject([{ ...tunnelInputs, id, status: "DEPLOYED" }]);
  },
});

const placed: ShareInputs = { ...shareInputs("tnl-seeded"), locationId: "loc-2" };
const share = (edited: ShareInputs) => (): Subject<ShareInputs, object> => ({
  of: ({ shares }) => shares,
  inputs: (_world, isEdited) => (isEdited ? edited : placed),
  expectServed({ emulator }, { id, inputs }) {
    expect(emulator.shares()).toMatchObject([{ ...inputs, id, status: "DEPLOYED" }]);
  },
});

const three: Shares = { web: port(443), db: port(5432, { locationId: "loc-2" }), api: port(8443) };
/** One share changed, a field of one cleared, one removed and one added. */
const edited: Shares = { web: port(443, { target: "web2.internal:443" }), db: port(5432), new: port(9443) };
const set = (): Subject<{ shares: object }, { ids: Record<string, string> }> => ({
  of: ({ sets }) => sets,
  inputs(world, isEdited, olds) {
    const { inputs, failures } = checkedIn(world, declaredOn("tnl-seeded", isEdited ? edited : three), olds);
    expect(failures).toEqual([]);
    return inputs;
  },
  expectServed({ emulator }, { outputs: { ids } }) {
    const declared = "new" in ids ? edited : three;
    expect(Object.keys(ids).sort()).toEqual(Object.keys(declared).sort());
    const served = emulator.shares().filter(isLiving);
    expect(served.map(({ id }) => id).sort()).toEqual(Object.values(ids).sort());
    for (const [key, part] of Object.entries(declared))
      expect(served.find(({ id }) => id === ids[key])).toMatchObject({
        ...{ name: `office-test-services-${key}`, status: "DEPLOYED" },
        ...part,
      });
  },
});

const one = { shares: 1 };
const patched = share({ ...placed, target: "web2.internal:443" });

export const tunnelCreate = scenario(tunnel, "create", {});
export const tunnelRead = scenario(tunnel, "read", { writes: 0 });
export const tunnelDelete = scenario(tunnel, "delete", {});
export const shareCreate = scenario(patched, "create", one);
export const sharePatch = scenario(patched, "update", one);
export const sharePut = scenario(share(shareInputs("tnl-seeded")), "update", one);
/** The list that a read asks first is refused, so that the share is read by its id. */
export const shareRead = scenario(patched, "read", { ...one, writes: 0 }, ({ emulator }) => {
  emulator.faults.answerNext({ method: "GET", path: /^\/ipsec-shares$/, status: 403 });
});
export const shareDelete = scenario(patched, "delete", one);
export const setCreate = scenario(set, "create", { shares: 3, writes: 3 });
/** A PATCH, a PUT since a field is cleared, a DELETE and a POST. */
export const setUpdate = scenario(set, "update", { shares: 4, writes: 4 });
export const setDelete = scenario(set, "delete", { shares: 3, writes: 3 });
