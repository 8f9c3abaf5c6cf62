import {
  deploy,
  chosen,
  openShareWorld,
  type ShareWorld,
  openWorld,
  shareInputs,
  tunnelInputs,
  type World,
} from "../harness/world";

describe("an edit right after another one", () => {
  let { world, deployed } = {} as ShareWorld;
  beforeEach(async () => {
    ({ world, deployed } = await openShareWorld());
  });
  const edit = async (change: object, lagMs: number) => {
    const { id, outputs, inputs } = await deployed();
    const made = await world.shares.update(id, outputs, { ...inputs, target: "b.internal:1" }, world.within(900));
    world.nextRun();
    world.calls();
    Object.assign(world.emulator.settings, { readLagMs: lagMs, listLagMs: lagMs });
    const lines: string[] = [];
    const context = { ...world.within(900), report: (line: string) => lines.push(line) };
    const startedMs = world.clock.now();
    const again = await world.shares.update(id, made.outputs, { ...inputs, ...change }, context);
    return { again, lines, writes: world.writes(), tookMs: world.clock.now() - startedMs };
  };

  it("goes on at once if Frontdoor shows the last one", async () => {
    const { again, lines, writes, tookMs } = await edit({ target: "c.internal:1" }, 0);
    expect(again).toMatchObject({ outputs: { target: "c.internal:1", status: "DEPLOYED" } });
    expect(writes).toEqual(['PATCH /ipsec-shares/shr-1 {"target":"c.internal:1"}']);
    expect(lines.join("\n")).not.toContain("does not show yet");
    expect(tookMs).toBeLessThan(15_000);
  });

  it("is not taken for done if it reverts that one and a replica lags, and the line says what it waits for", async () => {
    const { again, lines, writes } = await edit({}, 20_000);
    expect(again).toMatchObject({ outputs: { status: "DEPLOYED" } });
    expect(writes).toEqual([expect.stringMatching(/^PATCH /)]);
    expect(world.emulator.shares()).toMatchObject([{ target: again.outputs.target }]);
    expect(lines).toContainEqual(expect.stringMatching(/^the last write does not show yet, waits at most \d+ s$/));
  });
});

it("an edit sends only what a colleague has not done yet", async () => {
  const { world, deployed } = await openShareWorld();
  const { id, outputs, inputs } = await deployed();
  await world.clock.sleep(40_000);
  world.emulator.patchShare(id, { target: "b.internal:1" });
  world.emulator.setStatus(id, "DEPLOYED");
  const news = { ...inputs, target: "b.internal:1", ingressPort: 8443 };
  const made = await world.shares.update(id, outputs, news, world.within(900));
  expect(made).toMatchObject({ outputs: { ...news, status: "DEPLOYED" } });
  expect(world.writes()).toEqual([`PATCH /ipsec-shares/${id} {"ingressPort":8443}`]);
});

describe("a list that takes 20 s and lags by 28 s", () => {
  it.each([
    ["an accepted PATCH", () => undefined],
    [
      "one whose answer was lost",
      (w: ShareWorld["world"]) => w.emulator.faults.add({ fault: "late", method: "PATCH", delayMs: 50_000, times: 1 }),
    ],
  ])("is judged by the time at which it was asked for: %s", async (_what, fail) => {
    let slowMs = 0;
    const { world, deployed } = await openShareWorld({}, (send) => async (request) => {
      const answer = await send(request);
      if (request.method === "GET" && request.url.includes("ipsec-shares?")) await world.clock.sleep(slowMs);
      return answer;
    });
    const { id, outputs, inputs } = await deployed();
    await world.clock.sleep(40_000);
    world.nextRun();
    Object.assign(world.emulator.settings, { listLagMs: 28_000, readLagMs: 28_000 });
    fail(world);
    slowMs = 20_000;
    const made = await world.shares.update(id, outputs, { ...inputs, target: "b.internal:1" }, world.within(900));
    expect(made).not.toHaveProperty("unfinished");
    expect(made.outputs).toMatchObject({ target: "b.internal:1", status: "DEPLOYED" });
  });
});

describe("odd answers to writes", () => {
  let world: World;
  const inputs = { ...shareInputs("tnl-1"), locationId: "loc-2" };
  const deployed = () => deploy(world, world.shares, inputs);
  const ofShares = /^\/ipsec-shares$/;
  const ofOne = /^\/ipsec-shares\/./;

  beforeEach(async () => {
    world = await openWorld({ duplicateIngressPort: "allowed" });
    world.emulator.seedTunnel({ ...tunnelInputs, id: "tnl-1" });
  });

  it("a POST is not sent while a list shows its name with an id that no path can have", async () => {
    const body = { content: [{ ...inputs, id: "a/b", status: "DEPLOYED" }], totalElements: 1 };
    world.emulator.faults.answerNext({ method: "GET", path: ofShares, status: 200, body, times: Infinity });
    await expect(world.shares.create(inputs, chosen, world.within(900))).rejects.toThrow(
      /"a\/b".*\[unusable-answer\]$/,
    );
    expect(world.writes()).toEqual([]);
  });

  it("a DELETE that is not found ten times while the share is there fails, and waits for nothing", async () => {
    const { id, outputs } = await deployed();
    const notFound = { error: "not_found", message: "No such share" };
    world.emulator.faults.answerNext({ method: "DELETE", path: ofOne, status: 404, body: notFound, times: Infinity });
    await expect(world.shares.delete(id, outputs, world.within(900))).rejects.toThrow(
      /still shows it.*\[not-deleted\]$/,
    );
    expect(world.writes()).toHaveLength(10);
    expect(world.clock.now()).toBeLessThan(60_000);
  });

  it("a web page is no sample configuration", async () => {
    const path = /sample-config$/;
    world.emulator.faults.answerNext({ method: "GET", path, status: 200, body: "<!doctype html><p>Sign in" });
    const made = await world.tunnels.create({ ...tunnelInputs, locationId: "loc-9" }, chosen, world.within(900));
    expect(made.unfinished).toBeUndefined();
    expect(made.outputs.sampleConfig).not.toContain("Sign in");
  });
});
