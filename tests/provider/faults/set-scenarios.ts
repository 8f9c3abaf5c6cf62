import type { ShareSetInputs } from "../../../provider/resources/share-set-inputs";
import { SetEngine } from "../set-engine";
import type { World } from "../world";
import { ended, minutes, type Scenario } from "./fault-scenarios";

type Shares = Record<string, Record<string, unknown>>;

const share = (ingressPort: number, more: object = {}) => ({
  ...{ target: `host-${ingressPort}.internal:443`, ingressPort },
  ...more,
});
const three: Shares = { web: share(443), db: share(5432, { locationId: "loc-2" }), api: share(8443) };

/** One changed, of one a field cleared, one removed and one added. */
const edited: Shares = { web: share(443, { target: "web2.internal:443" }), db: share(5432), new: share(9443) };

/** A set on a tunnel that is there; its state is kept between the runs. */
class SetRuns {
  private readonly engine = new SetEngine();
  shares = three;

  readonly seed = (world: World) => {
    world.emulator.seedTunnel({ id: "tnl-seeded" });
    return Promise.resolve();
  };

  readonly deploy = async (world: World) => {
    await this.seed(world);
    expect(await this.up(world)).toMatchObject({ error: undefined });
    world.emulator.clock.advance(60_000);
  };

  async up(world: World) {
    const check = (olds: object) => {
      const news = { ipsecTunnelId: "tnl-seeded", envZId: "env-1", shares: this.shares };
      const origin = "organization::urn:pulumi:test::office::frontdoor:index:IpsecShareSet::services";
      const { inputs, failures } = world.sets.check({ news, olds: { ...olds }, origin });
      expect(failures).toEqual([]);
      return inputs as ShareSetInputs;
    };
    return ended(this.engine.up(world, check, 5 * minutes), () => undefined);
  }

  readonly again = async (world: World) => {
    expect(await this.up(world)).toMatchObject({ error: undefined });
    const { ids } = this.kept.outputs;
    const served = world.emulator.shares().filter(({ status }) => status !== "DELETED");
    expect(served.map(({ id }) => id).sort()).toEqual(Object.values(ids).sort());
    expect(Object.keys(ids).sort()).toEqual(Object.keys(this.shares).sort());
    for (const [key, one] of Object.entries(this.shares))
      expect(served.find(({ id }) => id === ids[key])).toMatchObject({
        ...{ name: `office-test-services-${key}`, status: "DEPLOYED" },
        ...one,
      });
    world.nextRun();
    world.calls();
    await this.up(world);
    expect(world.writes()).toEqual([]);
  };

  async delete(world: World) {
    const { id, outputs } = this.kept;
    const gone = world.sets.delete(id, outputs, world.within(5 * minutes));
    return {
      ...(await ended(
        gone.then(() => undefined),
        () => undefined,
      )),
      id,
    };
  }

  private get kept() {
    const { state } = this.engine;
    if (!state) throw new Error("nothing is in the state");
    return state;
  }
}

export function setCreate(): Scenario {
  const runs = new SetRuns();
  return {
    before: runs.seed,
    meet: (world) => runs.up(world),
    again: runs.again,
    objects: { tunnels: 1, shares: 3 },
    writes: 3,
  };
}

/** A PATCH, a PUT since a field is cleared, a DELETE and a POST. */
export function setUpdate(): Scenario {
  const runs = new SetRuns();
  return {
    before: runs.deploy,
    meet(world) {
      runs.shares = edited;
      return runs.up(world);
    },
    again: runs.again,
    objects: { tunnels: 1, shares: 4 },
    writes: 4,
  };
}

export function setDelete(): Scenario {
  const runs = new SetRuns();
  return {
    before: runs.deploy,
    meet: (world) => runs.delete(world),
    async again(world, end) {
      if (end.error) expect(await runs.delete(world)).toMatchObject({ error: undefined });
      expect(world.emulator.shares().filter(({ status }) => status !== "DELETED")).toEqual([]);
    },
    objects: { tunnels: 1, shares: 3 },
    writes: 3,
  };
}
