import { chosen, openWorld, shareInputs, tunnelInputs, type World } from "../world";

describe("odd answers to writes", () => {
  let world: World;
  const inputs = { ...shareInputs("tnl-1"), locationId: "loc-2" };
  const deployed = async () => {
    const made = await world.shares.create(inputs, chosen, world.within(900));
    world.emulator.clock.advance(60_000);
    world.nextRun();
    world.calls();
    return made;
  };
  const ofShares = /^\/ipsec-shares$/;
  const ofOne = /^\/ipsec-shares\/./;

  beforeEach(async () => {
    world = await openWorld({ duplicateIngressPort: "allowed" });
    world.emulator.seedTunnel({ ...tunnelInputs, id: "tnl-1" });
  });
  afterEach(() => world.close());

  it("a POST that is accepted without its id is never sent again, however late lists show its work", async () => {
    world.emulator.settings.listLagMs = 20_000;
    world.emulator.faults.answerNext({ method: "POST", path: ofShares, status: 202, when: "after" });
    const made = await world.shares.create(inputs, chosen, world.within(900));
    expect(made.outputs.status).toBe("DEPLOYED");
    expect(world.writes()).toHaveLength(1);
  });

  it("a POST that is accepted and never shows ends at the deadline, with a code", async () => {
    world.emulator.faults.answerNext({ method: "POST", path: ofShares, status: 202 });
    await expect(world.shares.create(inputs, chosen, world.within(60))).rejects.toThrow(/\[not-shown\]$/);
    expect(world.writes()).toHaveLength(1);
  });

  it.each(["/v2/fd-1/operations/op-77", "/v2/fd-1/ipsec-shares/"])("a Location of %s holds no id", async (location) => {
    world.emulator.faults.answerNext({
      method: "POST",
      path: ofShares,
      status: 202,
      headers: { location },
      when: "after",
    });
    const made = await world.shares.create(inputs, chosen, world.within(900));
    expect(made.id).toBe(world.emulator.shares()[0]?.id);
  });

  it("a DELETE that is not found while the share is there is sent again", async () => {
    const { id, outputs } = await deployed();
    const notFound = { error: "not_found", message: "No such share" };
    world.emulator.faults.answerNext({ method: "DELETE", path: ofOne, status: 404, body: notFound });
    await world.shares.delete(id, outputs, world.within(900));
    expect(world.emulator.shares()).toMatchObject([{ status: "DELETED" }]);
    expect(world.writes()).toHaveLength(2);
  });

  it("a PATCH of a share that is gone keeps it as gone, so that the next run creates it again", async () => {
    const { id, outputs } = await deployed();
    world.emulator.removeShare(id);
    const news = { ...inputs, target: "web2.internal:443" };
    const made = await world.shares.update(id, outputs, news, world.within(900));
    expect(made.unfinished?.message).toMatch(/Run `pulumi up --refresh` .*\[share-gone\]$/);
    expect((await world.shareDiff(made.outputs, news)).replaces).toEqual(["status"]);
  });

  it("a POST that ended in 408 or 499 may have been done: it is looked for", async () => {
    world.emulator.faults.answerNext({ method: "POST", path: ofShares, status: 499, when: "after" });
    await world.shares.create(inputs, chosen, world.within(900));
    expect(world.writes()).toHaveLength(1);
    expect(world.emulator.shares()).toHaveLength(1);
  });

  it("a web page is no sample configuration", async () => {
    const path = /sample-config$/;
    world.emulator.faults.answerNext({ method: "GET", path, status: 200, body: "<!doctype html><p>Sign in" });
    const made = await world.tunnels.create({ ...tunnelInputs, locationId: "loc-9" }, chosen, world.within(900));
    expect(made.unfinished).toBeUndefined();
    expect(made.outputs.sampleConfig).not.toContain("Sign in");
  });
});
