import { chosen, openShareWorld, shareInputs, type ShareWorld, tunnelInputs } from "../world";

describe("share", () => {
  let { world, tunnelId, deployed } = {} as ShareWorld;

  beforeEach(async () => {
    ({ world, tunnelId, deployed } = await openShareWorld());
  });
  afterEach(() => world.close());

  it("is refused with a reason if its tunnel is gone", async () => {
    const created = world.shares.create({ ...shareInputs("tnl-gone"), name: "web" }, chosen, world.within(900));
    await expect(created).rejects.toThrow(
      /: fd-1 has no tunnel tnl-gone \(400 .*\)\. The share was not created\. .*`frontdoor tunnels` lists the ids\. \[tunnel-missing\]$/,
    );
  });

  it("is told to refresh if the program has the tunnel", async () => {
    const origin = "organization::urn:pulumi:test::office::frontdoor:index:IpsecTunnel::hq";
    const { id, outputs, inputs } = await deployed();
    world.service.frontDoor("fd-1").tunnels.declarations.addInState("tnl-gone", origin);
    const moved = world.shares.update(id, outputs, { ...inputs, ipsecTunnelId: "tnl-gone" }, world.within(900));
    await expect(moved).rejects.toThrow(
      /: fd-1 has no tunnel tnl-gone \(400 .*\)\. The share was not changed\. Run `pulumi up --refresh` .*\[tunnel-missing\]$/,
    );
  });

  it("waits on through transient trouble and counts it when the deadline passes", async () => {
    world.emulator.settings.provisionMs = 60_000;
    world.emulator.faults.onRequest({
      match: ({ wire }) => wire.incoming.url?.includes("ipsec-shares?id=") ?? false,
      times: 3,
      action: () => Promise.resolve(new Response("unavailable", { status: 503 })),
    });
    const made = await world.shares.create(shareInputs(tunnelId), chosen, world.within(20));
    expect(made.unfinished?.message).toMatch(/still NEW after 20 s, and some polls failed: 3 × GET .* 503/);
  });

  it("clears a field in the next run if the service did not answer in this one", async () => {
    const { id, outputs, inputs } = await deployed();
    const located = { ...inputs, locationId: "loc-1" };
    const before = (await world.shares.update(id, outputs, located, world.within(900))).outputs;
    world.emulator.faults.answerNext({ method: "PUT", path: `/ipsec-shares/${id}`, status: 503, times: 5 });
    const lost = await world.shares.update(id, before, inputs, world.within(900));
    expect(lost.unfinished).toBeDefined();
    world.nextRun();
    world.calls();
    expect((await world.shares.update(id, lost.outputs, inputs, world.within(900))).unfinished).toBeUndefined();
    expect(world.writes()).toEqual([expect.stringMatching(/^PUT /)]);
  });

  it("that moves is deleted if Pulumi replaces it (replaceOnChanges)", async () => {
    const { id, outputs, inputs } = await deployed();
    const hub = { ...tunnelInputs, name: "hub", locationId: "loc-9" };
    const { id: other } = await world.tunnels.create(hub, chosen, world.within(900));
    const origin = "organization::urn:pulumi:dev::net::frontdoor:index:IpsecShare::web";
    const { inputs: news } = world.shares.check({
      news: { ...inputs, ipsecTunnelId: other },
      olds: { ...inputs },
      origin,
    });
    await world.shareDiff(outputs, news, id);
    world.calls();
    await world.shares.delete(id, outputs, world.within(900));
    expect(world.writes()).toEqual([`DELETE /ipsec-shares/${id}`]);
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
    world.emulator.faults.answerNext({ method: "PATCH", status: 409, body: { error: "busy", message: "not now" } });
    const update = world.shares.update(id, outputs, { ...inputs, target: "b.internal:1" }, world.within(900));
    await world.clock.sleep(5_000);
    world.emulator.setStatus(id, "DEPLOYED");
    expect((await update).outputs).toMatchObject({ status: "DEPLOYED", target: "b.internal:1" });
  });
});
