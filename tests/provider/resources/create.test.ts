import type { Send } from "../../../provider/http/send";
import { FrontdoorError } from "../../../provider/errors";
import { chosen, derived, openWorld, shareInputs, tunnelInputs, type World } from "../world";

/** Passes the first POSTs on to the service and loses the answers, or loses the requests themselves. */
const losing = (times: number, what: "answer" | "request"): ((send: Send) => Send) => {
  let left = times;
  return (send) => async (request) => {
    if (request.method !== "POST" || left-- <= 0) return send(request);
    if (what === "answer") await send(request);
    throw new FrontdoorError(`${request.label}: connection lost`, { kind: "unreachable", mayHaveRun: true });
  };
};

describe("create looks first", () => {
  let world: World;
  const start = async (wrap?: (send: Send) => Send, takeOver = "interrupted") => {
    world = await openWorld({ provisionMs: 0 }, wrap, () => ({ "frontdoor:takeOver": takeOver }));
    world.emulator.seedTunnel({ name: "hq", peerPublicIp: "203.0.113.7", peerCidr: "10.20.0.0/16" });
  };
  const left = (change = {}) => world.emulator.seedShare({ ...shareInputs("tnl-1"), ...change });
  afterEach(() => world.close());

  it("does not take over what another resource of the program has, and names it", async () => {
    await start(undefined, "alike");
    const { id } = left();
    world.service.frontDoor("fd-1").shares.claims.hold(id);
    const create = world.shares.create(shareInputs("tnl-1"), derived, world.within(900));
    await expect(create).rejects.toThrow(
      `port 443 of tunnel tnl-1 is used by share ${id}. This share was not changed.`,
    );
    expect(world.writes()).toEqual([expect.stringMatching("^POST /ipsec-shares ")]);
  });

  it.each([
    ["target", { target: "other.internal:443" }],
    ["environment", { envZId: "env-2" }],
    ["port", { ingressPort: 444 }],
    ["status", { status: "DELETING" as const }],
  ])("does not take over what differs in its %s", async (_what, change) => {
    await start(undefined, "alike");
    const { id } = left(change);
    const inputs = { ...shareInputs("tnl-1"), ingressPort: 8443 };
    const made = await world.shares.create(inputs, derived, world.within(900));
    expect(made.id).not.toBe(id);
    expect(made.outputs.status).toBe("DEPLOYED");
  });

  it("costs one list for a burst of creates", async () => {
    await start();
    await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        world.shares.create(
          { ...shareInputs("tnl-1"), name: `s-${n}`, ingressPort: 1000 + n },
          derived,
          world.within(900),
        ),
      ),
    );
    const calls = world.calls();
    const firstPost = calls.findIndex((line) => line.startsWith("POST"));
    expect(calls.slice(0, firstPost)).toEqual(["GET /ipsec-shares?page=0&size=100"]);
    expect(calls.filter((line) => line.includes("name=") || line.startsWith("GET /ipsec-shares?page"))).toHaveLength(1);
  });

  it("finds in a later wave what the list of an earlier one did not show yet", async () => {
    await start();
    world.emulator.settings.listLagMs = 4_000;
    const inputs = (n: number) => ({ ...shareInputs("tnl-1"), name: `s-${n}`, ingressPort: 1000 + n });
    const create = (n: number) => world.shares.create(inputs(n), derived, world.within(900));
    await world.interrupted(() => create(3));
    await Promise.all([create(1), create(2)]);
    await world.clock.sleep(4_000);
    expect((await create(3)).outputs.status).toBe("DEPLOYED");
    expect(world.emulator.shares()).toHaveLength(3);
  });

  it.each([chosen, derived])("finds what a POST has made whose answer was lost (%j)", async (origin) => {
    await start(losing(1, "answer"));
    const made = await world.shares.create(shareInputs("tnl-1"), origin, world.within(900));
    expect(made.outputs.status).toBe("DEPLOYED");
    expect(world.emulator.shares()).toHaveLength(1);
    expect(world.writes()).toHaveLength(1);
  });

  it("finds it also where the list lags behind", async () => {
    await start(losing(1, "answer"));
    world.emulator.settings.listLagMs = 5000;
    world.emulator.clock.advance(60_000);
    await world.shares.create(shareInputs("tnl-1"), chosen, world.within(900));
    expect(world.emulator.shares()).toHaveLength(1);
  });

  it("sends a second POST only once the first one has not shown for a while", async () => {
    await start(losing(1, "request"));
    const startedMs = world.clock.now();
    await world.shares.create(shareInputs("tnl-1"), chosen, world.within(900));
    expect(world.emulator.shares()).toHaveLength(1);
    // The request may take 30 s, and what it has done 12 s more until it shows.
    expect(world.clock.now() - startedMs).toBeGreaterThan(42_000);
  });

  it.each([
    ["a web page", "text/html", "<h1>Sign in</h1>"],
    ["what says JSON and is none", "application/json", '{"id":"shr-'],
  ])("takes %s for no acceptance, whatever its status", async (_what, type, body) => {
    await start();
    const answer = { status: 200, headers: { "content-type": type }, body };
    world.emulator.faults.answerNext({ method: "POST", path: "/ipsec-shares", ...answer });
    const made = await world.shares.create(shareInputs("tnl-1"), chosen, world.within(900));
    expect(made.outputs.status).toBe("DEPLOYED");
    expect(world.emulator.shares()).toHaveLength(1);
    expect(world.clock.now()).toBeLessThan(60_000);
  });

  it("sends none for a slow look that began while the first one could still come", async () => {
    let arrive: (() => Promise<unknown>) | undefined;
    await start((send) => async (request) => {
      if (request.method === "POST" && !arrive) {
        arrive = () => send(request);
        throw new FrontdoorError("connection lost", { kind: "unreachable", mayHaveRun: true });
      }
      const answer = await send(request);
      if (request.method === "GET" && arrive && world.clock.now() > 35_000 && world.emulator.shares().length === 0) {
        await arrive();
        await world.clock.sleep(20_000);
      }
      return answer;
    });
    world.emulator.settings.duplicateIngressPort = "allowed";
    await world.shares.create(shareInputs("tnl-1"), chosen, world.within(900));
    expect(world.emulator.shares()).toHaveLength(1);
  });

  it("gives up after three lost requests and has made nothing", async () => {
    await start(losing(9, "request"));
    await expect(world.shares.create(shareInputs("tnl-1"), chosen, world.within(900))).rejects.toThrow(
      "connection lost",
    );
    expect(world.emulator.shares()).toEqual([]);
  });

  it("finds a tunnel whose POST was answered without a body", async () => {
    await start();
    world.emulator.reset();
    world.emulator.settings.provisionMs = 0;
    world.emulator.faults.answerNext({ method: "POST", path: "/ipsec-tunnels", status: 202, when: "after" });
    const made = await world.tunnels.create({ ...tunnelInputs, locationId: "loc-5" }, chosen, world.within(900));
    expect(made.outputs).toMatchObject({ status: "DEPLOYED", locationId: "loc-5" });
    expect(world.emulator.tunnels()).toHaveLength(1);
  });
});

describe("adopt", () => {
  let world: World;
  let share: string;
  beforeEach(async () => {
    world = await openWorld();
    world.emulator.seedTunnel({ name: "hq", peerPublicIp: "203.0.113.7", peerCidr: "10.20.0.0/16" });
    share = world.emulator.seedShare({ ...shareInputs("tnl-1"), name: "by-hand" }).id;
  });
  afterEach(() => world.close());
  const adoptShare = (change = {}, origin = derived) =>
    world.shares.create({ ...shareInputs("tnl-1"), adopt: share, ...change }, origin, world.within(900));

  it("takes a share as it is, with its name, and writes nothing", async () => {
    const made = await adoptShare();
    expect(made).toMatchObject({ id: share, outputs: { name: "by-hand", status: "DEPLOYED" } });
    expect(world.writes()).toEqual([]);
  });

  it("sends one PATCH for what differs in a share", async () => {
    const made = await adoptShare({ target: "new.internal:1", name: "web" }, chosen);
    expect(made.outputs).toMatchObject({ target: "new.internal:1", name: "web" });
    expect(world.writes()).toEqual([`PATCH /ipsec-shares/${share} {"target":"new.internal:1","name":"web"}`]);
  });

  it("takes a tunnel that is alike with nothing written", async () => {
    const made = await world.tunnels.create({ ...tunnelInputs, adopt: "tnl-1" }, chosen, world.within(900));
    expect(made).toMatchObject({ id: "tnl-1", outputs: { status: "DEPLOYED" } });
    expect(made.outputs.sampleConfig).toBeDefined();
    expect(world.writes()).toEqual([]);
  });

  it("keeps a tunnel in ERROR as unfinished, and the next run replaces it", async () => {
    world.emulator.removeShare(share);
    world.emulator.setStatus("tnl-1", "ERROR");
    const made = await world.tunnels.create({ ...tunnelInputs, adopt: "tnl-1" }, chosen, world.within(900));
    expect(made).toMatchObject({ id: "tnl-1", outputs: { status: "ERROR" } });
    expect(made.unfinished?.message).toMatch(/the service reports ERROR; .*it replaces the tunnel/);
    world.nextRun();
    const diff = await world.tunnelDiff(made.outputs, tunnelInputs);
    expect(diff).toMatchObject({ replaces: ["status"], deleteBeforeReplace: true });
    await world.tunnels.delete(made.id, made.outputs, world.within(900));
    expect(world.writes()).toEqual(["DELETE /ipsec-tunnels/tnl-1"]);
  });

  it.each([
    [{ peerCidr: "10.30.0.0/16" }, "peerCidr (it has 10.20.0.0/16)"],
    [{ name: "other", nlbPrivateIp: "10.1.1.1" }, /name \(it has hq\), nlbPrivateIp \(it has [\d.]+\)/],
    [{ adopt: "tnl-99" }, "front door fd-1 has none of this id"],
  ])("refuses a tunnel that would have to be replaced: %j", async (change, reason) => {
    const inputs = { ...tunnelInputs, adopt: "tnl-1", ...change };
    await expect(world.tunnels.create(inputs, chosen, world.within(900))).rejects.toThrow(reason);
    expect(world.writes()).toEqual([]);
  });

  it("refuses what is being deleted or in another front door", async () => {
    world.emulator.setStatus(share, "DELETING");
    await expect(adoptShare()).rejects.toThrow("it is being deleted");
    await expect(adoptShare({ adopt: "shr-99" })).rejects.toThrow("has none of this id");
  });
});
