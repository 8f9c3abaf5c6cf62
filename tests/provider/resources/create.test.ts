import type { Send } from "../../../provider/http/send";
import { derived, openWorld, shareInputs, type World } from "../world";

describe("create", () => {
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
  ])("does not adopt a share that differs in its %s", async (_what, change) => {
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

  it("refuses a share that is being deleted or that the front door does not have", async () => {
    world.emulator.setStatus(share, "DELETING");
    await expect(adoptShare()).rejects.toThrow(/shr-\d+ is being deleted.*\[adopt-missing\]$/);
    await expect(adoptShare({ adopt: "shr-99" })).rejects.toThrow(/shr-99.*\[adopt-missing\]$/);
  });
});
