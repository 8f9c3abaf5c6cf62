import { chosen, openWorld, shareInputs, type World } from "../world";

describe("a tunnel that takes one change of its shares at a time", () => {
  let world: World;
  const start = async (settings: Parameters<typeof openWorld>[0] = {}) => {
    world = await openWorld({
      tunnelShareChanges: "one at a time",
      provisionMs: 10_000,
      teardownMs: 5_000,
      ...settings,
    });
    world.emulator.seedTunnel({ id: "tnl-1" });
  };
  const inputs = (n: number) => ({ ...shareInputs("tnl-1"), name: `s-${n}`, ingressPort: 1000 + n });
  const createMany = (count: number) =>
    Promise.all(Array.from({ length: count }, (_, n) => world.shares.create(inputs(n), chosen, world.within(900))));
  afterEach(() => world.close());

  it.each([{ listLagMs: 0 }, { listLagMs: 5_000 }, { conflictStatus: 400 as const }])(
    "has many shares created, updated and deleted at once, with %p",
    async (settings) => {
      await start(settings);
      const made = await createMany(12);
      expect(made.every(({ unfinished }) => !unfinished)).toBe(true);
      expect(world.clock.now()).toBeLessThan(12 * 20_000);

      const change = (id: string, n: number, outputs: (typeof made)[number]["outputs"]) =>
        world.shares.update(id, outputs, { ...inputs(n), envZId: "env-2" }, world.within(900));
      const changed = await Promise.all(made.map(({ id, outputs }, n) => change(id, n, outputs)));
      expect(changed.every(({ unfinished }) => !unfinished)).toBe(true);
      expect(world.emulator.shares().every(({ envZId, status }) => envZId === "env-2" && status === "DEPLOYED")).toBe(
        true,
      );

      world.nextRun();
      await Promise.all(changed.map(({ id, outputs }) => world.shares.delete(id, outputs, world.within(900))));
      expect(new Set(world.emulator.shares().map(({ status }) => status))).toEqual(new Set(["DELETED"]));
    },
  );

  it("is waited for while somebody else changes a share, until the deadline", async () => {
    await start();
    const other = world.emulator.seedShare({ ...shareInputs("tnl-1"), name: "other", ingressPort: 2000 });
    world.emulator.setStatus(other.id, "NEW");
    await expect(world.shares.create(inputs(1), chosen, world.within(60))).rejects.toThrow(/409 .* is busy/);
    expect(world.clock.now()).toBeGreaterThan(50_000);
    expect(world.clock.now()).toBeLessThan(65_000);
  });

  it("reports a conflict of two creates of one run once one of the two is done", async () => {
    await start({ tunnelShareChanges: "together" });
    const same = (name: string) => world.shares.create({ ...inputs(0), name }, chosen, world.within(900));
    const ended = await Promise.allSettled([same("one"), same("two")]);
    expect(ended.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(world.clock.now()).toBeLessThan(20_000);
  });
});
