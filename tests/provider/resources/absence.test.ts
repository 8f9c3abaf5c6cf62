import { openShareWorld, type ShareWorld } from "../world";

describe("a share that is not shown", () => {
  let { world, deployed } = {} as ShareWorld;
  beforeEach(async () => {
    ({ world, deployed } = await openShareWorld());
  });
  afterEach(() => world.close());

  /** For so long, counted from the first of them, reads of shares answer as a replica that has never heard of any. */
  const staleFor = (ms: number) => {
    let sinceMs: number | undefined;
    world.emulator.faults.onRequest({
      match: ({ method, path }) =>
        method === "GET" &&
        path.startsWith("/ipsec-shares") &&
        world.clock.now() - (sinceMs ??= world.clock.now()) < ms,
      times: Infinity,
      action: (_work, { path }) =>
        Promise.resolve(
          path === "/ipsec-shares"
            ? Response.json({ content: [], totalElements: 0 })
            : Response.json({ error: "not_found", message: "not found" }, { status: 404 }),
        ),
    });
  };

  it("is gone where a read and a list say so twice, apart in time", async () => {
    const { id, outputs } = await deployed();
    world.emulator.removeShare(id);
    const startedMs = world.clock.now();
    expect(await world.shares.read(id, outputs, world.within(900))).toBeUndefined();
    const list = `GET /ipsec-shares?id=${id}&page=0&size=100`;
    expect(world.calls()).toEqual([`GET /ipsec-shares/${id}`, list, `GET /ipsec-shares/${id}`, list]);
    expect(world.clock.now() - startedMs).toBeLessThan(7_000);
  });

  it("is not made anew by an update that a stale replica meets", async () => {
    const { id, outputs, inputs } = await deployed();
    staleFor(5_000);
    const made = await world.shares.update(id, { ...outputs, status: "ERROR" }, inputs, world.within(900));
    expect(made).toMatchObject({ id, outputs: { status: "DEPLOYED" } });
    expect(world.writes()).toEqual([]);
  });

  it("is deleted also under a deadline that is shorter than the two looks: else it would stay in the state for good", async () => {
    const { id, outputs } = await deployed();
    world.emulator.removeShare(id);
    await world.shares.delete(id, outputs, world.within(5));
    expect(world.calls().filter((line) => line === `GET /ipsec-shares/${id}`)).toHaveLength(2);
  });
});

describe("a share that shows no more than that it is DELETING", () => {
  let { world, deployed } = {} as ShareWorld;
  beforeEach(async () => {
    ({ world, deployed } = await openShareWorld());
    world.emulator.settings.teardownMs = 600_000;
  });
  afterEach(() => world.close());

  it("keeps in the state what it was, and is not written to", async () => {
    const { id, outputs, inputs } = await deployed();
    world.emulator.setStatus(id, "DELETING");
    const bare = { id, name: null, ipsecTunnelId: null, status: "DELETING" };
    world.emulator.faults.onRequest({
      match: ({ method, path }) => method === "GET" && path.startsWith("/ipsec-shares"),
      times: Infinity,
      action: (_work, { path }) =>
        Promise.resolve(Response.json(path === "/ipsec-shares" ? { content: [bare], totalElements: 1 } : bare)),
    });
    world.writes();
    expect(await world.shares.read(id, outputs, world.within(60))).toEqual({ ...outputs, status: "DELETING" });
    const made = await world.shares.update(id, { ...outputs, status: "ERROR" }, inputs, world.within(60));
    expect(made.outputs).toMatchObject({ target: inputs.target, status: "DELETING" });
    expect(world.writes()).toEqual([]);
  });
});
