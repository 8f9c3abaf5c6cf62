import { chosen, openWorld, shareInputs, tunnelInputs, type World } from "../world";

const wrong = ["..", ".", "fd-1/../fd-2", "a/b", "a%2Fb", "fd-1?x=1", "fd 1", "", "é", "a".repeat(129)];

describe.each(wrong)("front door id %j", (frontdoorId) => {
  let world: World;
  beforeEach(async () => {
    world = await openWorld();
  });
  afterEach(() => world.close());

  it.each<[string, () => Promise<unknown>]>([
    ["tunnel create", () => world.tunnels.create({ ...tunnelInputs, frontdoorId }, chosen, world.within(60))],
    [
      "tunnel adopt",
      () => world.tunnels.create({ ...tunnelInputs, frontdoorId, adopt: "tnl-1" }, chosen, world.within(60)),
    ],
    ["tunnel read", () => world.tunnels.read("tnl-1", tunnelState(), world.within(60))],
    ["tunnel update", () => world.tunnels.update("tnl-1", tunnelState(), tunnelState(), world.within(60))],
    ["tunnel delete", () => world.tunnels.delete("tnl-1", tunnelState(), world.within(60))],
    ["share create", () => world.shares.create(shareState(), chosen, world.within(60))],
    ["share read", () => world.shares.read("shr-1", shareState(), world.within(60))],
    [
      "share update",
      () => world.shares.update("shr-1", shareState(), { ...shareState(), ingressPort: 1 }, world.within(60)),
    ],
    ["share delete", () => world.shares.delete("shr-1", shareState(), world.within(60))],
  ])("%s sends nothing and says so", async (_, call) => {
    await expect(call()).rejects.toThrow(/^frontdoorId .*\[front-door-id\]$/);
    expect(world.calls()).toEqual([]);
  });

  const tunnelState = () => ({ ...tunnelInputs, frontdoorId, status: "DEPLOYED" });
  const shareState = () => ({ ...shareInputs("tnl-1"), frontdoorId, status: "DEPLOYED" });
});

describe("a state without a front door id", () => {
  it("sends nothing", async () => {
    const world = await openWorld();
    const state = { ...tunnelInputs, frontdoorId: undefined as never, status: "DEPLOYED" };
    await expect(world.tunnels.delete("tnl-1", state, world.within(60))).rejects.toThrow("[front-door-id]");
    expect(world.calls()).toEqual([]);
    await world.close();
  });
});
