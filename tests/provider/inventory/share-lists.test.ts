import { chosen, openShareWorld, shareInputs, type ShareWorld } from "../world";

describe("share seen through lists", () => {
  let { world, tunnelId, deployed } = {} as ShareWorld;
  const createMany = (count: number) =>
    Promise.all(
      Array.from({ length: count }, (_, n) =>
        world.shares.create(
          { ...shareInputs(tunnelId), name: `s-${n}`, ingressPort: 1000 + n },
          chosen,
          world.within(900),
        ),
      ),
    );

  beforeEach(async () => {
    ({ world, tunnelId, deployed } = await openShareWorld());
  });
  afterEach(() => world.close());

  it("is refreshed by lists where many are: one for thirty, and a read for one", async () => {
    const made = await createMany(30);
    await world.clock.sleep(60_000);
    world.calls();
    const read = await Promise.all(made.map(({ id, outputs }) => world.shares.read(id, outputs, world.within(60))));
    expect(read).toEqual(made.map(({ outputs }) => outputs));
    expect(world.calls()).toEqual(["GET /ipsec-shares?page=0&size=100"]);
    await world.clock.sleep(60_000);
    const [first] = made;
    await world.shares.read(first?.id ?? "", first?.outputs ?? ({} as never), world.within(60));
    expect(world.calls()).toEqual([`GET /ipsec-shares/${first?.id}`]);
  });

  it("waits for an id that lists show in a shape that can't be read", async () => {
    const { id, outputs } = await deployed();
    world.emulator.settings.teardownMs = 8_000;
    let lists = 0;
    world.emulator.faults.onRequest({
      match: ({ method, path }) => method === "GET" && path === "/ipsec-shares" && ++lists > 1,
      times: 1_000,
      action: () => Promise.resolve(Response.json({ content: [{ id, name: null }], totalElements: 1 })),
    });
    await world.shares.delete(id, outputs, world.within(900));
    expect(world.emulator.shares().map(({ status }) => status)).toEqual(["DELETED"]);
  });
});
