import type { ShareInputs, ShareOutputs } from "../../../provider/fields/share";
import { chosen, openShareWorld, type ShareWorld } from "../world";
import { checkedIn, declaredOn, port } from "./set-program";

const lagging = (ms: number) => ({ readLagMs: ms, listLagMs: ms });

describe("a read of an unfinished share is not believed at once", () => {
  let { world, tunnelId, deployed } = {} as ShareWorld;
  let state: { id: string; outputs: ShareOutputs };
  let first: ShareInputs, edited: ShareInputs;
  beforeEach(async () => {
    ({ world, tunnelId, deployed } = await openShareWorld());
    const { id, outputs, inputs } = await deployed();
    state = { id, outputs };
    [first, edited] = [inputs, { ...inputs, target: "b.internal:1" }];
  });
  afterEach(() => world.close());

  /** One `up` of a new process, as the engine does it. Returns its writes. */
  const up = async (news: ShareInputs, seconds = 900) => {
    world.nextRun();
    world.calls();
    const { changes } = await world.shareDiff(state.outputs, news, state.id);
    if (changes) state = await world.shares.update(state.id, state.outputs, news, world.within(seconds));
    return world.writes();
  };
  const refresh = async () => {
    world.nextRun();
    const outputs = await world.shares.read(state.id, state.outputs, world.within(900));
    if (!outputs) throw new Error("the share is gone");
    state = { ...state, outputs };
  };
  const live = () => world.emulator.shares().find(({ id }) => id === state.id);
  /** The service comes to rest, and then shows what the program and the state say. */
  const expectServed = (news: ShareInputs) => {
    world.emulator.clock.advance(60_000);
    const { locationId, target } = news;
    expect(state.outputs).toMatchObject({ status: "DEPLOYED", target });
    expect(live()).toMatchObject({ status: "DEPLOYED", target, ...(locationId !== undefined && { locationId }) });
    expect(state.outputs.locationId).toBe(live()?.locationId);
  };

  describe.each([12_000, 25_000])("with reads that lag by %d ms", (lagMs) => {
    it.each([["refresh"], ["no refresh"]])(
      "if the update ended at its deadline and is reverted: %s",
      async (refreshed) => {
        Object.assign(world.emulator.settings, lagging(lagMs));
        await up(edited, 5);
        expect(state.outputs).toMatchObject({ target: edited.target, status: "NEW" });
        if (refreshed === "refresh") {
          await refresh();
          expect(state.outputs).toMatchObject({ target: edited.target });
        }
        await up(first);
        expectServed(first);
      },
    );

    it("if the up is repeated: nothing is written twice", async () => {
      Object.assign(world.emulator.settings, lagging(lagMs));
      expect(await up(edited, 5)).toHaveLength(1);
      expect(await up(edited)).toEqual([]);
      expectServed(edited);
    });

    it("if the up is repeated with a deadline before the reads are right", async () => {
      Object.assign(world.emulator.settings, lagging(lagMs));
      await up(edited, 3);
      const startedMs = world.clock.now();
      expect(await up(edited, 3)).toEqual([]);
      expect(world.clock.now() - startedMs).toBeLessThanOrEqual(63_000);
      expect(await up(edited)).toEqual([]);
      expectServed(edited);
    });

    it.each([["refresh"], ["no refresh"]])("if the revert is lost without effect: %s", async (refreshed) => {
      Object.assign(world.emulator.settings, lagging(lagMs));
      await up(edited, 5);
      world.emulator.faults.answerNext({ method: "PATCH", status: 503, times: 5 });
      await up(first, 5);
      world.emulator.faults.clear();
      if (refreshed === "refresh") await refresh();
      await up(first);
      expectServed(first);
    });

    it.each([["refresh"], ["no refresh"]])("if a cleared field is given again: %s", async (refreshed) => {
      const located = { ...first, locationId: "loc-9" };
      await up(located);
      world.emulator.clock.advance(60_000);
      Object.assign(world.emulator.settings, lagging(lagMs));
      await up(first, 5);
      if (refreshed === "refresh") await refresh();
      await up(located);
      expectServed(located);
    });

    it.each([["refresh"], ["no refresh"]])(
      "if the lost PUT that clears a field takes effect: %s",
      async (refreshed) => {
        const located = { ...first, locationId: "loc-9" };
        await up(located);
        world.emulator.clock.advance(60_000);
        Object.assign(world.emulator.settings, lagging(lagMs));
        world.emulator.faults.answerNext({ method: "PUT", status: 503, when: "after" });
        await up(first, 5);
        if (refreshed === "refresh") await refresh();
        await up(located);
        expectServed(located);
      },
    );
  });

  it("but after 30 s of the same other values", async () => {
    world.emulator.faults.answerNext({ method: "PATCH", status: 503, times: 5 });
    await up(edited, 5);
    world.emulator.faults.clear();
    const startedMs = world.clock.now();
    await refresh();
    expect(world.clock.now() - startedMs).toBeGreaterThanOrEqual(30_000);
    expect(state.outputs).toMatchObject({ target: first.target, status: "DEPLOYED" });
    expect(await up(edited)).toHaveLength(1);
    expectServed(edited);
  });

  it("also with a deadline of less than 30 s: the up after the next one is done", async () => {
    world.emulator.faults.answerNext({ method: "PATCH", status: 503, times: 5 });
    await up(edited, 5);
    world.emulator.faults.clear();
    expect(await up(edited, 3)).toHaveLength(1);
    expect(await up(edited, 3)).toEqual([]);
    expectServed(edited);
  });

  it("in a set", async () => {
    const program = (target: string) =>
      checkedIn(world, declaredOn(tunnelId, { a: port(1, { target }), b: port(2) })).inputs;
    const made = await world.sets.create(program("a.internal:1"), chosen, world.within(900));
    world.emulator.clock.advance(60_000);
    Object.assign(world.emulator.settings, lagging(12_000));
    world.nextRun();
    const cut = await world.sets.update(made.id, made.outputs, program("b.internal:1"), world.within(5));
    expect(cut.unfinished).toBeDefined();
    world.nextRun();
    const read = await world.sets.read(made.id, cut.outputs, world.within(900));
    expect(read?.shares["a"]).toMatchObject({ target: "b.internal:1" });
    const reverted = program("a.internal:1");
    if (!read) return;
    expect(await world.sets.diff(made.id, read, reverted, world.within(60))).toMatchObject({ changes: true });
    const next = await world.sets.update(made.id, read, reverted, world.within(900));
    expect(next.unfinished).toBeUndefined();
    const id = made.outputs.ids["a"];
    expect(world.emulator.shares().find((share) => share.id === id)).toMatchObject({ target: "a.internal:1" });
  });
});
