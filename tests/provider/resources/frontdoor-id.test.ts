import { chosen, openWorld, shareInputs, tunnelInputs, type World } from "../world";

const wrong = ["..", ".", "fd-1/../fd-2", "a/b", "a%2Fb", "fd-1?x=1", "fd 1", "", "é", "a".repeat(129)];

it.each<[string, (world: World, of: { frontdoorId: string }) => Promise<unknown>]>([
  ["tunnel create", (world, of) => world.tunnels.create({ ...tunnelInputs, ...of }, chosen, world.within(60))],
  ["tunnel read", (world, of) => world.tunnels.read("tnl-1", { ...tunnelInputs, status: "", ...of }, world.within(60))],
  [
    "tunnel delete",
    (world, of) => world.tunnels.delete("tnl-1", { ...tunnelInputs, status: "", ...of }, world.within(60)),
  ],
  ["share create", (world, of) => world.shares.create({ ...shareInputs("tnl-1"), ...of }, chosen, world.within(60))],
  [
    "share update",
    (world, of) => {
      const [inputs, status] = [shareInputs("tnl-1"), "DEPLOYED"];
      return world.shares.update(
        "shr-1",
        { ...inputs, status, ...of },
        { ...inputs, ingressPort: 1, ...of },
        world.within(60),
      );
    },
  ],
])("%s sends nothing if the front door id is none", async (_, call) => {
  const world = await openWorld();
  for (const frontdoorId of wrong)
    await expect(call(world, { frontdoorId })).rejects.toThrow(/^frontdoorId .*\[front-door-id\]$/);
  expect(world.calls()).toEqual([]);
  await world.close();
});
