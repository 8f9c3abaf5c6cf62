import { chosen, derived, openShareWorld, shareInputs, type ShareWorld } from "../world";

describe("share", () => {
  let { world, tunnelId, deployed } = {} as ShareWorld;

  beforeEach(async () => {
    ({ world, tunnelId, deployed } = await openShareWorld());
  });
  afterEach(() => world.close());

  it("is created with one POST and waited for with lists", async () => {
    const made = await world.shares.create(shareInputs(tunnelId), chosen, world.within(900));
    expect(made.unfinished).toBeUndefined();
    expect(made.outputs).toMatchObject({ name: "web", target: "web.internal:443", status: "DEPLOYED" });
    const [look, post, ...looks] = world.calls();
    expect(look).toBe("GET /ipsec-shares?name=web&page=0&size=100");
    expect(post).toBe(
      `POST /ipsec-shares {"name":"web","ipsecTunnelId":"${tunnelId}","envZId":"env-1","target":"web.internal:443","ingressPort":443}`,
    );
    expect(new Set(looks)).toEqual(new Set([`GET /ipsec-shares?id=${made.id}&page=0&size=100`]));
  });

  it("sends one PATCH with exactly the changed field and waits for the new value while reads lag", async () => {
    const { id, outputs, inputs } = await deployed();
    Object.assign(world.emulator.settings, { readLagMs: 2000, listLagMs: 2000 });
    const made = await world.shares.update(id, outputs, { ...inputs, target: "web2.internal:443" }, world.within(900));
    expect(made.outputs).toMatchObject({ target: "web2.internal:443", status: "DEPLOYED" });
    expect(world.writes()).toEqual([`PATCH /ipsec-shares/${id} {"target":"web2.internal:443"}`]);
  });

  it("clears a location with a PUT of the full body", async () => {
    const inputs = { ...shareInputs(tunnelId), locationId: "loc-2" };
    const { id, outputs } = await world.shares.create(inputs, chosen, world.within(900));
    world.calls();
    const cleared = { ...inputs, locationId: undefined };
    expect(await world.shareDiff(outputs, cleared)).toMatchObject({ changes: true, replaces: [] });
    const made = await world.shares.update(id, outputs, cleared, world.within(900));
    expect(made.unfinished).toBeUndefined();
    expect(world.writes()).toEqual([
      `PUT /ipsec-shares/${id} {"name":"web","ipsecTunnelId":"${tunnelId}","envZId":"env-1","target":"web.internal:443","ingressPort":443}`,
    ]);
    expect(await world.shareDiff(made.outputs, cleared)).toMatchObject({ changes: false });
  });

  it("is told who has the port that it changes to, and what to do", async () => {
    const { id, outputs, inputs } = await deployed();
    const other = { ...inputs, name: "other", ingressPort: 444 };
    const holder = await world.shares.create(other, chosen, world.within(900));
    const swapped = world.shares.update(id, outputs, { ...inputs, ingressPort: 444 }, world.within(900));
    await expect(swapped).rejects.toThrow(
      `port 444 of tunnel ${tunnelId} is used by share ${holder.id}. This share was not changed. Move or remove that share first`,
    );
  });

  it("is told that its tunnel is gone", async () => {
    const created = world.shares.create({ ...shareInputs("tnl-gone"), name: "web" }, chosen, world.within(900));
    await expect(created).rejects.toThrow('tunnel tnl-gone is not there: run "pulumi up" for the whole program');
  });

  it("writes nothing when nothing changed", async () => {
    const { id, outputs, inputs } = await deployed();
    await world.shares.update(id, outputs, inputs, world.within(900));
    expect(world.writes()).toEqual([]);
  });

  it("keeps the id when provisioning ends in ERROR, and is repaired by one PUT", async () => {
    world.emulator.faults.failNext({ kind: "share", op: "create" });
    const inputs = shareInputs(tunnelId);
    const made = await world.shares.create(inputs, chosen, world.within(900));
    expect(made.unfinished?.message).toMatch(
      /IPsec share "web" \(shr-\d+\): the service reports ERROR; .* run "pulumi up" again/,
    );
    expect(made.outputs.status).toBe("ERROR");
    expect(await world.shareDiff(made.outputs, inputs)).toMatchObject({ changes: true, replaces: [] });
    world.calls();
    const repaired = await world.shares.update(made.id, made.outputs, inputs, world.within(900));
    expect(repaired.outputs.status).toBe("DEPLOYED");
    expect(world.writes()).toEqual([expect.stringMatching(`^PUT /ipsec-shares/${made.id} `)]);
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

  it("keeps the id when the deadline passes, and the next run only waits", async () => {
    world.emulator.settings.provisionMs = 60_000;
    const inputs = shareInputs(tunnelId);
    const made = await world.shares.create(inputs, chosen, world.within(3));
    expect(made.unfinished?.message).toContain("still NEW after 3 s");
    expect(made.unfinished?.trouble.kind).toBe("timed-out");
    world.calls();
    const resumed = await world.shares.update(made.id, made.outputs, inputs, world.within(900));
    expect(resumed.outputs.status).toBe("DEPLOYED");
    expect(world.writes()).toEqual([]);
  });

  it("does not write an update twice that was cut short", async () => {
    const { id, outputs, inputs } = await deployed();
    Object.assign(world.emulator.settings, { readLagMs: 5000, listLagMs: 5000 });
    const news = { ...inputs, target: "web2.internal:443" };
    const cut = await world.shares.update(id, outputs, news, world.within(2));
    expect(cut.unfinished?.message).toContain("still DEPLOYED, not yet updated after 2 s");
    const resumed = await world.shares.update(id, cut.outputs, news, world.within(900));
    expect(resumed.outputs).toMatchObject({ status: "DEPLOYED", target: "web2.internal:443" });
    expect(world.writes()).toEqual([`PATCH /ipsec-shares/${id} {"target":"web2.internal:443"}`]);
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
      return { id, outputs: made.outputs, inputs, news };
    };

    it("is written back where the program is rolled back: the old DEPLOYED proves nothing", async () => {
      const { id, outputs, inputs } = await cut();
      expect(await world.shareDiff(outputs, inputs, id)).toMatchObject({ changes: true, replaces: [] });
      const made = await world.shares.update(id, outputs, inputs, world.within(900));
      expect(made).toMatchObject({ outputs: { status: "DEPLOYED", target: inputs.target } });
      expect(made.unfinished).toBeUndefined();
      expect(world.writes()).toEqual([`PATCH /ipsec-shares/${id} {"target":"${inputs.target}"}`]);
      expect(world.emulator.shares()).toMatchObject([{ status: "DEPLOYED", target: inputs.target }]);
    });

    it("is read as it was asked for last also where what shows is older than the share's first DEPLOYED", async () => {
      const { id, outputs, inputs } = await cut();
      const body = { ...inputs, id, status: "NEW" };
      world.emulator.faults.answerNext({ method: "GET", path: `/ipsec-shares/${id}`, status: 200, body });
      expect(await world.shares.read(id, outputs, world.within(60))).toEqual(outputs);
    });

    it("is read as it was asked for last, until that shows", async () => {
      const { id, outputs, news } = await cut();
      expect(await world.shares.read(id, outputs, world.within(60))).toEqual(outputs);
      await world.clock.sleep(40_000);
      const read = await world.shares.read(id, outputs, world.within(60));
      expect(read).toMatchObject({ status: "DEPLOYED", target: news.target });
      expect(world.writes()).toEqual([]);
    });
  });

  it("waits on for an id that the service does not show yet, and creates nothing anew", async () => {
    Object.assign(world.emulator.settings, { readLagMs: 10_000, listLagMs: 10_000 });
    const inputs = shareInputs(tunnelId);
    const cut = await world.shares.create(inputs, chosen, world.within(3));
    expect(cut.unfinished?.message).toContain("still not shown by the service after 3 s");
    const resumed = await world.shares.update(cut.id, cut.outputs, inputs, world.within(900));
    expect(resumed.outputs.status).toBe("DEPLOYED");
    expect(world.writes()).toEqual([expect.stringMatching("^POST /ipsec-shares ")]);
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

  it("is deleted once it is gone, and already gone is success", async () => {
    const { id, outputs } = await deployed();
    await world.shares.delete(id, outputs, world.within(900));
    expect(world.emulator.shares()).toMatchObject([{ id, status: "DELETED" }]);
    await world.shares.delete(id, outputs, world.within(900));
    expect(world.writes()).toEqual([`DELETE /ipsec-shares/${id}`, `DELETE /ipsec-shares/${id}`]);
  });

  it.each([["404"], ["DELETED"]] as const)("is read as gone when the service shows %s", async (shown) => {
    world.emulator.settings.deletedShownAs = shown;
    const { id, outputs } = await deployed();
    await world.shares.delete(id, outputs, world.within(900));
    expect(await world.shares.read(id, outputs, world.within(60))).toBeUndefined();
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

  it("takes an answer to a write for accepted also where its body is not JSON", async () => {
    const { id, outputs, inputs } = await deployed();
    for (const method of ["PATCH", "DELETE"])
      world.emulator.faults.answerNext({ method, status: 202, body: "accepted", when: "after" });
    const made = await world.shares.update(id, outputs, { ...inputs, target: "b.internal:1" }, world.within(900));
    expect(made.outputs.target).toBe("b.internal:1");
    world.nextRun();
    await world.shares.delete(id, made.outputs, world.within(900));
    expect(world.writes()).toHaveLength(2);
  });

  it.each(["before", "after"] as const)(
    "finds out what came of a write that a web page answers (%s it)",
    async (when) => {
      const { id, outputs, inputs } = await deployed();
      for (const method of ["PATCH", "DELETE"])
        world.emulator.faults.answerNext({ method, status: 200, body: "<html>Sign in</html>", when });
      const startedMs = world.clock.now();
      const made = await world.shares.update(id, outputs, { ...inputs, target: "b.internal:1" }, world.within(900));
      expect(made).toMatchObject({ outputs: { target: "b.internal:1", status: "DEPLOYED" } });
      const patches = world.writes().filter((line) => line.startsWith("PATCH"));
      expect(patches).toHaveLength(when === "before" ? 2 : 1);
      world.nextRun();
      await world.shares.delete(id, made.outputs, world.within(900));
      expect(world.emulator.shares().filter(({ status }) => status !== "DELETED")).toEqual([]);
      expect(world.clock.now() - startedMs).toBeLessThan(60_000);
    },
  );

  it("waits out a refusal for a state it does not know", async () => {
    const { id, outputs, inputs } = await deployed();
    world.emulator.setStatus(id, "PROVISIONING" as never);
    world.emulator.faults.answerNext({ method: "PATCH", status: 422, body: { error: "busy", message: "not now" } });
    const update = world.shares.update(id, outputs, { ...inputs, target: "b.internal:1" }, world.within(900));
    await world.clock.sleep(5_000);
    world.emulator.setStatus(id, "DEPLOYED");
    expect((await update).outputs).toMatchObject({ status: "DEPLOYED", target: "b.internal:1" });
  });

  it("writes nothing twice where a killed run has written already, and waits for its end", async () => {
    const { id, outputs, inputs } = await deployed();
    const news = { ...inputs, target: "b.internal:1" };
    const { calls } = world.service.frontDoor("fd-1").shares;
    await calls.write("PATCH", id, { target: news.target }, world.within(900));
    world.nextRun();
    world.writes();
    const made = await world.shares.update(id, outputs, news, world.within(900));
    expect(made.outputs).toMatchObject({ target: news.target, status: "DEPLOYED" });
    expect(world.emulator.shares().map(({ status }) => status)).toEqual(["DEPLOYED"]);
    expect(world.writes()).toEqual([]);
  });

  it("sends what has changed and waits for that alone, whatever else was changed by hand", async () => {
    const { id, outputs, inputs } = await deployed();
    world.emulator.patchShare(id, { target: "by-hand.internal:1" });
    world.writes();
    const made = await world.shares.update(id, outputs, { ...inputs, ingressPort: 8443 }, world.within(900));
    expect(made.unfinished).toBeUndefined();
    expect(world.writes()).toEqual([`PATCH /ipsec-shares/${id} {"ingressPort":8443}`]);
  });

  it("makes anew what was deleted before", async () => {
    const inputs = { ...shareInputs(tunnelId), name: "derived" };
    const first = await world.shares.create(inputs, derived, world.within(900));
    world.nextRun();
    const other = { ...inputs, name: "other", ingressPort: 1 };
    const [second] = await Promise.all([
      world.shares
        .delete(first.id, first.outputs, world.within(900))
        .then(() => world.shares.create(inputs, derived, world.within(900))),
      world.shares.create(other, derived, world.within(900)),
      world.shares.create({ ...other, name: "third", ingressPort: 2 }, derived, world.within(900)),
    ]);
    expect(second.id).not.toBe(first.id);
    expect(second.outputs.status).toBe("DEPLOYED");
  });
});
