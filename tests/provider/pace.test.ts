import { Pace } from "../../provider/http/pace";
import { openWorld, chosen, shareInputs } from "./world";
import { VirtualClock } from "./virtual-clock";

describe("pace", () => {
  const sendMany = async (pace: Pace, clock: VirtualClock, count: number) => {
    const atMs: number[] = [];
    await Promise.all(Array.from({ length: count }, () => pace.turn().then(() => atMs.push(clock.now()))));
    return atMs;
  };
  /** The most that fell into any one second. */
  const busiest = (atMs: number[]) =>
    Math.max(...atMs.map((from) => atMs.filter((each) => each >= from && each < from + 1000).length));

  it.each([0.5, 1, 5, 20, 2.5])(
    "lets no more than %d through in any one second, and wastes none",
    async (perSecond) => {
      const clock = new VirtualClock(() => undefined);
      const atMs = await sendMany(new Pace(perSecond, clock), clock, 60);
      expect(busiest(atMs)).toBeLessThanOrEqual(Math.ceil(perSecond));
      expect(clock.now()).toBeLessThanOrEqual((60 / Math.max(Math.floor(perSecond), 0.5)) * 1000 + 1);
    },
  );

  it("lets none through in a pause, and no burst after it", async () => {
    const clock = new VirtualClock(() => undefined);
    const pace = new Pace(5, clock);
    const sending = sendMany(pace, clock, 30);
    pace.pause(10_000);
    const atMs = await sending;
    expect(Math.min(...atMs)).toBeGreaterThanOrEqual(10_000);
    expect(busiest(atMs)).toBe(5);
  });

  it("keeps to the service's own limit once it has been told of it: 50 shares at 5 requests a second", async () => {
    const world = await openWorld({ provisionMs: 2000 });
    world.emulator.seedTunnel({ name: "hq", peerPublicIp: "203.0.113.7", peerCidr: "10.20.0.0/16" });
    const acceptedMs: number[] = [];
    const turnedAway = new Map<string, number>();
    let toldMs = Infinity;
    const lateMs: number[] = [];
    world.emulator.faults.onRequest({
      match: ({ method }) => {
        const now = world.clock.now();
        if (now >= toldMs) lateMs.push(now);
        const isFull = acceptedMs.filter((atMs) => atMs > now - 1000).length >= 5;
        if (!isFull) acceptedMs.push(now);
        else turnedAway.set(method, (turnedAway.get(method) ?? 0) + 1);
        return isFull;
      },
      times: 10_000,
      action: () => {
        toldMs = Math.min(toldMs, world.clock.now() + 1);
        return Promise.resolve(new Response(null, { status: 429, headers: { "retry-after": "1" } }));
      },
    });
    const made = await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        world.shares.create(
          { ...shareInputs("tnl-1"), name: `s-${n}`, ingressPort: 1000 + n },
          chosen,
          world.within(900),
        ),
      ),
    );
    expect(made.filter(({ unfinished }) => unfinished !== undefined)).toEqual([]);
    expect(turnedAway.get("POST")).toBeLessThanOrEqual(100);
    expect(busiest(lateMs.filter((atMs) => atMs > toldMs + 1000))).toBeLessThanOrEqual(5);
    await world.close();
  });
});
