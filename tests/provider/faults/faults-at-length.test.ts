import { Random } from "../../harness/random";
import { derived, openWorld, shareInputs, tunnelInputs, type World } from "../world";

describe("trouble that lasts", () => {
  let world: World;
  afterEach(() => world.close());

  it.each([1, 2, 3, 4, 5])("six of ten looks fail, and a create still ends well (seed %i)", async (seed) => {
    world = await openWorld({ provisionMs: 120_000 });
    const random = new Random(seed);
    let made = false;
    world.emulator.faults.onRequest({
      match: ({ method }) => {
        made ||= method === "POST";
        return made && method === "GET" && random.chance(0.6);
      },
      times: Infinity,
      action: (_work, { wire }) => {
        if (random.chance(0.5)) wire.incoming.socket.destroy();
        return Promise.resolve(new Response("unavailable", { status: 503 }));
      },
    });
    const tunnel = await world.tunnels.create(tunnelInputs, derived, world.within(1800));
    expect(tunnel).toMatchObject({ outputs: { status: "DEPLOYED" } });
    expect(tunnel.unfinished).toBeUndefined();
    // The look that comes before a POST is no wait.
    made = false;
    const share = await world.shares.create(shareInputs(tunnel.id), derived, world.within(900));
    expect(share.unfinished).toBeUndefined();
    expect(world.writes().map((line) => line.split(" {")[0])).toEqual(["POST /ipsec-tunnels", "POST /ipsec-shares"]);
  });

  it("fifty shares keep below a limit of five requests a second once they have met it", async () => {
    world = await openWorld({ provisionMs: 3000 }, undefined, () => ({ "frontdoor:requestsPerSecond": "20" }));
    world.emulator.seedTunnel({ id: "tnl-1" });
    world.emulator.faults.add({ fault: "limit", perSecond: 5 });
    const names = Array.from({ length: 50 }, (_, n) => `s-${n}`);
    const all = await Promise.all(
      names.map((name, n) =>
        world.shares.create({ ...shareInputs("tnl-1"), name, ingressPort: 1000 + n }, derived, world.within(900)),
      ),
    );
    expect(all.filter(({ unfinished }) => unfinished)).toEqual([]);
    expect(world.emulator.shares()).toHaveLength(50);

    const { requests } = world.emulator;
    const refused = requests.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(0);
    const counts = names.map((name) =>
      refused.filter(({ body }) => (body as { name?: string } | undefined)?.name === name),
    );
    expect(Math.max(...counts.map(({ length }) => length))).toBeLessThanOrEqual(2);

    const later = requests.map(({ at }) => at).filter((at) => at >= (refused[0]?.at ?? 0) + 1000);
    const inOneSecond = later.map((at, index) => later.slice(index).filter((other) => other < at + 1000).length);
    expect(Math.max(...inOneSecond)).toBeLessThanOrEqual(5);
  });
});
