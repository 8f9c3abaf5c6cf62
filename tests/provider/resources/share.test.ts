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

  it("waits out a refusal for a state it does not know", async () => {
    const { id, outputs, inputs } = await deployed();
    world.emulator.setStatus(id, "PROVISIONING" as never);
    world.emulator.faults.answerNext({ method: "PATCH", status: 422, body: { error: "busy", message: "not now" } });
    const update = world.shares.update(id, outputs, { ...inputs, target: "b.internal:1" }, world.within(900));
    await world.clock.sleep(5_000);
    world.emulator.setStatus(id, "DEPLOYED");
    expect((await update).outputs).toMatchObject({ status: "DEPLOYED", target: "b.internal:1" });
  });
});
