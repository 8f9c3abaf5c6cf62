import { showEach } from "../harness/shown";
import {
  chosen,
  openShareWorld,
  shareInputs,
  type ShareWorld,
  deploy,
  openWorld,
  tunnelInputs,
  type World,
} from "../harness/world";
import type { TunnelInputs, TunnelOutputs } from "../../provider/fields/types";
import { Resource } from "../../provider/lifecycle/lifecycle";

describe("share", () => {
  let { world, deployed } = {} as ShareWorld;

  beforeEach(async () => {
    ({ world, deployed } = await openShareWorld());
  });

  it("is refused with a reason if its tunnel is gone", async () => {
    const created = world.shares.create({ ...shareInputs("tnl-gone"), name: "web" }, chosen, world.within(900));
    await expect(created).rejects.toThrow(
      /: fd-1 has no tunnel tnl-gone \(400 .*\)\. The share was not created\. .*`npx pulumi-frontdoor tunnels` lists the ids\), or run `pulumi up` in the stack that declares it\. \[tunnel-missing\]$/,
    );
  });

  it.each(["create", "update"] as const)("ends its %s if somebody deletes it meanwhile", async (operation) => {
    const { id, outputs, inputs } = await deployed();
    world.emulator.settings.provisionMs = 600_000;
    const news = { ...inputs, ...(operation === "create" && { name: "db" }), ingressPort: 5432 };
    const startedMs = world.clock.now();
    const made =
      operation === "create"
        ? world.shares.create(news, chosen, world.within(900))
        : world.shares.update(id, outputs, news, world.within(900));
    await world.clock.sleep(20_000);
    world.emulator.removeShare(world.emulator.shares().at(-1)?.id ?? "");
    expect((await made).unfinished?.message).toContain("Frontdoor no longer shows the resource");
    expect(world.clock.now() - startedMs).toBeLessThan(90_000);
  });

  it.each([{ deletedAt: "2026-11-27T10:00:00Z" }, { deleted: true }])("is gone if it shows %j", async (mark) => {
    const { id, outputs } = await deployed();
    showEach(world.emulator, "share", (each) => ({ ...each, ...mark }));
    expect(await world.shares.read(id, outputs, world.within(900))).toBeUndefined();
  });

  describe("gets a PUT without what the provider does not know, if Frontdoor refuses the one with it", () => {
    const settings = { color: "red", idleTimeout: 300 };
    /** Sends a share that has failed again. */
    const sentAgain = async () => {
      const { id, outputs, inputs } = await deployed();
      showEach(world.emulator, "share", (entry) => ({ ...entry, ...settings }));
      world.emulator.setStatus(id, "ERROR");
      return world.shares.update(id, { ...outputs, status: "ERROR" }, inputs, world.within(900));
    };
    const refusal = (status: number, message: string) => ({
      method: "PUT",
      status,
      body: { error: "invalid", message },
    });
    const namesSent = () =>
      world.writes().map((line) => Object.keys(JSON.parse(line.replace(/^PUT \S+ /, "")) as object));
    const warning = expect.stringMatching(/without `color`, `idleTimeout`, so .* \[settings-reset\]$/) as string;

    it.each([400, 422])("whatever the words of a %i are, and a line says so", async (status) => {
      world.emulator.faults.answerNext(refusal(status, "the request is not valid"));
      const made = await sentAgain();
      expect(made.outputs.status).toBe("DEPLOYED");
      const [first, second] = namesSent();
      expect(first).toEqual([...(second ?? []), "color", "idleTimeout"]);
      expect(world.said).toEqual([warning]);
    });

    it("and that one is sent again without it if its answer is lost", async () => {
      world.emulator.faults.answerNext(refusal(400, "unknown property color"));
      world.emulator.faults.answerNext({ method: "PUT", status: 503 });
      expect((await sentAgain()).outputs.status).toBe("DEPLOYED");
      expect(namesSent().map((names) => names.includes("color"))).toEqual([true, false, false]);
      expect(world.said.filter((line) => line.endsWith("[settings-reset]"))).toEqual([warning]);
    });

    it("but not if Frontdoor refuses it for another reason", async () => {
      world.emulator.faults.answerNext(refusal(403, "no right to write this"));
      await expect(sentAgain()).rejects.toThrow();
      expect(namesSent()).toHaveLength(1);
    });
  });

  it("is unfinished after a lost PATCH, also if the token can no longer read", async () => {
    const { id, outputs, inputs } = await deployed();
    world.emulator.faults.answerNext({ method: "PATCH", status: 503, when: "after" });
    const hidden = { error: "not_found", message: "not found" };
    world.emulator.faults.answerNext({ method: "GET", status: 403, body: hidden, skip: 1, times: Infinity });
    const made = await world.shares.update(id, outputs, { ...inputs, target: "b.internal:1" }, world.within(60));
    expect(made).toMatchObject({ id, outputs: { status: "NEW", __settlesAt: expect.any(Number) as number } });
  });

  it("that somebody deletes gets no PATCH", async () => {
    const { id, outputs, inputs } = await deployed();
    world.emulator.setStatus(id, "DELETING");
    const made = await world.shares.update(id, outputs, { ...inputs, target: "b.internal:1" }, world.within(900));
    expect(made.unfinished?.message).toMatch(/Frontdoor is deleting the share\..*\[share-gone\]$/);
    expect(world.writes()).toEqual([]);
  });
});

describe("a resource as hosts work it", () => {
  let opened: ShareWorld;
  const shares = () => new Resource(opened.world.shares, opened.world.service);
  const tunnels = () => new Resource(opened.world.tunnels, opened.world.service);
  beforeEach(async () => {
    opened = await openShareWorld();
  });

  it.each(["", "fd-1/"])("is read from an id alone, as an import does, its inputs included: %j", async (place) => {
    const { id, inputs } = await opened.deployed();
    // Frontdoor has chosen the location.
    expect(await shares().read({ id: `${place}${id}` })).toEqual({
      id,
      outputs: {
        ...inputs,
        locationId: "loc-1",
        status: "DEPLOYED",
        __adopt: id,
        __seenAt: "http://127.0.0.1/frontdoor",
      },
      inputs,
    });
    const tunnel = await tunnels().read({ id: `${place}${opened.tunnelId}` });
    expect(tunnel).toMatchObject({
      id: opened.tunnelId,
      outputs: { status: "DEPLOYED", sampleConfig: expect.stringContaining("") as string },
      inputs: { name: "hq", peerCidr: "10.20.0.0/16" },
    });
  });

  it("is not deleted for a new adopt if an import has brought it and it has failed, also after an update without adopt", async () => {
    const { world, tunnelId: id } = opened;
    world.emulator.setStatus(id, "ERROR");
    const { outputs: state = {}, inputs = {} } = (await tunnels().read({ id })) ?? {};
    const declared = { ...inputs, peerCidr: "10.29.0.0/16", adopt: "tnl-two" } as TunnelInputs;
    const refused = (before: object) => tunnels().diff({ id, state: before as TunnelOutputs, inputs: declared });
    await expect(refused(state)).rejects.toThrow(/the state has \S+, and `adopt` names tnl-two/);
    const updated = await tunnels().update({ id, state: state as TunnelOutputs, inputs: inputs as TunnelInputs });
    await expect(refused(updated.outputs)).rejects.toThrow(/the state has \S+, and `adopt` names tnl-two/);
  });

  it("says at once that an id to import does not exist, with the kind and the front door", async () => {
    const none =
      "front door fd-1 has no resource of this kind with this id. Correct the id, or run `pulumi up --refresh` if somebody has deleted it. [not-found]";
    await expect(shares().read({ id: "shr-none" })).rejects.toThrow(`IPsec share shr-none: ${none}`);
    await expect(tunnels().read({ id: "fd-1/tnl-none" })).rejects.toThrow(`IPsec tunnel tnl-none: ${none}`);
    const sets = new Resource(opened.world.sets, opened.world.service);
    await expect(sets.read({ id: "tunnel/tnl-none" })).rejects.toThrow(
      "IPsec share set: tunnel tnl-none of front door fd-1 has no shares. Correct the id. [not-found]",
    );
    expect(opened.world.said).toEqual([]);
  });

  it.each(["IpsecShare", "IpsecTunnel"])("refuses to import a resource that is being deleted: %s", async (type) => {
    const { world, tunnelId } = opened;
    world.emulator.settings.teardownMs = 600_000;
    const id = type === "IpsecShare" ? (await opened.deployed()).id : tunnelId;
    world.emulator.setStatus(id, "DELETING");
    const importing = (type === "IpsecShare" ? shares() : tunnels()).read({ id });
    await expect(importing).rejects.toThrow(`${id}: Frontdoor is deleting this resource`);
  });

  it("refuses an id of more parts than a front door and an id", async () => {
    await expect(shares().read({ id: "a/fd-1/shr-1" })).rejects.toThrow("a/fd-1/shr-1 has too many parts for an id");
  });

  it("proposes no spelling of a secret input", async () => {
    const news = { ...shareInputs("tnl-1"), target: "b\u00fccher.example:443" };
    const { failures } = await shares().check({ news, olds: {}, origin: undefined, secrets: ["target"] });
    expect(JSON.stringify(failures)).toContain("needs its ASCII form");
    expect(JSON.stringify(failures)).not.toMatch(/xn--|b\u00fccher/);
  });

  it("shows no secret input in any message, whatever resource it is about", async () => {
    const { id, outputs, inputs } = await opened.deployed();
    opened.world.service.secrets.addAll("web.internal:443");
    const news = { ...inputs, name: "-", target: "web.internal:443:no" };
    const { failures } = await shares().check({ news, olds: {}, origin: undefined, secrets: ["name"] });
    expect(failures).toEqual([
      { property: "target", reason: expect.any(String) as string },
      { property: "", reason: expect.stringMatching(/^name \(a secret\) must be/) as string },
    ]);
    opened.world.emulator.faults.answerNext({ status: 400, times: 9, body: { error: "web.internal:443 is taken" } });
    const refused = await tunnels()
      .read({ id, state: outputs as never })
      .catch((error: unknown) => error);
    expect(refused).toHaveProperty("message", expect.stringContaining("[secret] is taken"));
  });
});

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
