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

  it("sends a second POST only once the first one has not shown for a while", async () => {
    await start(losing(1, "request"));
    const startedMs = world.clock.now();
    await world.shares.create(shareInputs("tnl-1"), chosen, world.within(900));
    expect(world.emulator.shares()).toHaveLength(1);
    // The request may take 30 s, and what it has done 12 s more until it shows.
    expect(world.clock.now() - startedMs).toBeGreaterThan(42_000);
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
