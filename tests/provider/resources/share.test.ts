import { chosen, openShareWorld, shareInputs, type ShareWorld } from "../world";

describe("share", () => {
  let { world, tunnelId, deployed } = {} as ShareWorld;

  beforeEach(async () => {
    ({ world, tunnelId, deployed } = await openShareWorld());
  });
  afterEach(() => world.close());

  it("is refused with a reason if its tunnel is gone", async () => {
    const created = world.shares.create({ ...shareInputs("tnl-gone"), name: "web" }, chosen, world.within(900));
    await expect(created).rejects.toThrow(/tnl-gone.*\[tunnel-missing\]$/);
  });

  it("repairs an ERROR that lagging reads go on showing for a while", async () => {
    world.emulator.faults.failNext({ kind: "share", op: "create" });
    const inputs = shareInputs(tunnelId);
    const made = await world.shares.create(inputs, chosen, world.within(900));
    world.emulator.clock.advance(60_000);
    Object.assign(world.emulator.settings, { readLagMs: 3000, listLagMs: 3000 });
    const repaired = await world.shares.update(made.id, made.outputs, inputs, world.within(900));
    expect(repaired).toMatchObject({ outputs: { status: "DEPLOYED" } });
    expect(repaired.unfinished).toBeUndefined();
  });

  describe("whose update was cut short while the old values show", () => {
    const cut = async () => {
      const { id, outputs, inputs } = await deployed();
      Object.assign(world.emulator.settings, { readLagMs: 20_000, listLagMs: 20_000 });
      const news = { ...inputs, target: "b.internal:1" };
      const made = await world.shares.update(id, outputs, news, world.within(2));
      expect(made).toMatchObject({ outputs: { status: "NEW", target: "b.internal:1" } });
      world.nextRun();
      world.calls();
      return { id, outputs: made.outputs, inputs };
    };

    it("is written back if the program is reverted: the old DEPLOYED proves nothing", async () => {
      const { id, outputs, inputs } = await cut();
      expect(await world.shareDiff(outputs, inputs, id)).toMatchObject({ changes: true, replaces: [] });
      const made = await world.shares.update(id, outputs, inputs, world.within(900));
      expect(made).toMatchObject({ outputs: { status: "DEPLOYED", target: inputs.target } });
      expect(made.unfinished).toBeUndefined();
      expect(world.writes()).toEqual([`PATCH /ipsec-shares/${id} {"target":"${inputs.target}"}`]);
      expect(world.emulator.shares()).toMatchObject([{ status: "DEPLOYED", target: inputs.target }]);
    });
  });

  it("waits on through transient trouble and counts it when the deadline passes", async () => {
    world.emulator.settings.provisionMs = 60_000;
    world.emulator.faults.onRequest({
      match: ({ wire }) => wire.incoming.url?.includes("ipsec-shares?id=") ?? false,
      times: 3,
      action: () => Promise.resolve(new Response("unavailable", { status: 503 })),
    });
    const made = await world.shares.create(shareInputs(tunnelId), chosen, world.within(20));
    expect(made.unfinished?.message).toMatch(/still NEW after 20 s \(trouble on the way: 3 × GET .* 503/);
  });

  it.each([
    ["DEPLOYED", []],
    ["DELETING", ["status"]],
  ] as const)("whose state says DELETING is looked at before a replacement: %s", async (status, replaces) => {
    const { id, outputs, inputs } = await deployed();
    world.emulator.setStatus(id, status);
    const diff = await world.shareDiff({ ...outputs, status: "DELETING" }, inputs, id);
    expect(diff).toMatchObject({ changes: true, replaces, deleteBeforeReplace: true });
    expect(world.calls()).toEqual([`GET /ipsec-shares/${id}`]);
  });

  it.each([
    ["an HTML 404", { status: 404, headers: { "content-type": "text/html" }, body: "<html>not found</html>" }],
    ["a 403", { status: 403, body: { error: "not_found", message: "front door not found" } }],
    ["a 502", { status: 502, body: "bad gateway" }],
  ])("is not read as gone on %s", async (_name, answer) => {
    const { id, outputs } = await deployed();
    world.emulator.faults.answerNext({ path: "/ipsec-shares", times: 100, ...answer });
    await expect(world.shares.read(id, outputs, world.within(60))).rejects.toThrow(/GET \/v2\/fd-1\/ipsec-shares/);
  });

  it("waits out a refusal for a state it does not know", async () => {
    const { id, outputs, inputs } = await deployed();
    world.emulator.setStatus(id, "PROVISIONING" as never);
    world.emulator.faults.answerNext({ method: "PATCH", status: 422, body: { error: "busy", message: "not now" } });
    const update = world.shares.update(id, outputs, { ...inputs, target: "b.internal:1" }, world.within(900));
    await world.clock.sleep(5_000);
    world.emulator.setStatus(id, "DEPLOYED");
    expect((await update).outputs).toMatchObject({ status: "DEPLOYED", target: "b.internal:1" });
  });

  it("sends what has changed and waits for that alone, whatever else was changed by hand", async () => {
    const { id, outputs, inputs } = await deployed();
    world.emulator.patchShare(id, { target: "by-hand.internal:1" });
    world.writes();
    const made = await world.shares.update(id, outputs, { ...inputs, ingressPort: 8443 }, world.within(900));
    expect(made.unfinished).toBeUndefined();
    expect(world.writes()).toEqual([`PATCH /ipsec-shares/${id} {"ingressPort":8443}`]);
  });
});
