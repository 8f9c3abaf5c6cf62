import { chosen, openWorld, shareInputs, tunnelInputs } from "./world";

/** Every request of some creates, updates and deletes in trouble, each with its time. */
async function callsOf(seed: number): Promise<string[]> {
  const settings = { provisionMs: 40_000, teardownMs: 20_000, duplicateIngressPort: "allowed" } as const;
  const world = await openWorld(settings, undefined, undefined, seed);
  try {
    const times: number[] = [];
    world.emulator.faults.onRequest({
      match: ({ method }) => {
        times.push(world.clock.now());
        return method === "GET" && times.length % 3 === 0;
      },
      times: Infinity,
      action: () => Promise.resolve(Response.json({ error: "busy", message: "busy" }, { status: 503 })),
    });
    const tunnel = await world.tunnels.create(tunnelInputs, chosen, world.within(900));
    const shares = await Promise.all(
      ["a", "b", "c"].map((name) =>
        world.shares.create({ ...shareInputs(tunnel.id), name }, chosen, world.within(900)),
      ),
    );
    await Promise.all(shares.map(({ id, outputs }) => world.shares.delete(id, outputs, world.within(900))));
    return world.calls().map((call, at) => `${times[at] ?? "?"} ${call}`);
  } finally {
    await world.close();
  }
}

it("a seed gives the same calls at the same times again, and another one others", async () => {
  const first = await callsOf(7);
  expect(first.length).toBeGreaterThan(20);
  expect(await callsOf(7)).toEqual(first);
  expect(await callsOf(8)).not.toEqual(first);
});
