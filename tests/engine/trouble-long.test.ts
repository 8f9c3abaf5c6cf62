import { Random } from "../harness/random";
import { Stack } from "../harness/stack";
import { manyShares } from "./many";

describe("a service in trouble", () => {
  let stack: Stack;
  afterEach(() => stack.close());

  it("waits through 60 % of 5xx and resets while it polls", async () => {
    stack = await Stack.open();
    const { emulator } = stack;
    emulator.seedTunnel({ id: "tnl-1" });
    emulator.faults.stickNext({ kind: "share", op: "create", times: 4 });
    const random = new Random(67);
    const met = { troubled: 0, untroubled: 0 };
    emulator.faults.onRequest({
      match: ({ method }) => {
        const made = emulator.shares();
        if (method !== "GET" || made.length < 4) return false;
        const isTroubled = random.chance(0.6);
        met[isTroubled ? "troubled" : "untroubled"] += 1;
        if (met.troubled >= 6 && met.untroubled >= 2) for (const { id } of made) emulator.setStatus(id, "DEPLOYED");
        return isTroubled;
      },
      times: Infinity,
      action: (_work, { wire }) => {
        if (random.chance(0.5)) wire.incoming.socket.destroy();
        return Promise.resolve(new Response(null, { status: random.pick([500, 502, 503, 504]) }));
      },
    });
    const run = await stack.up({ shares: manyShares(4) });

    expect(run.errors).toEqual([]);
    expect(emulator.shares().map(({ status }) => status)).toEqual(Array(4).fill("DEPLOYED"));
    expect(stack.writes().filter((write) => write.startsWith("POST"))).toHaveLength(4);
    expect(met.troubled).toBeGreaterThanOrEqual(6);
  });

  it("keeps to a limit of 5 requests a second from its first Retry-After on: 50 shares", async () => {
    stack = await Stack.open();
    const { emulator } = stack;
    emulator.seedTunnel({ id: "tnl-1" });
    emulator.faults.add({ fault: "limit", perSecond: 5 });
    const run = await stack.up({ shares: manyShares(50) }, "--parallel", "64");

    expect(run.errors).toEqual([]);
    expect(emulator.shares().map(({ status }) => status)).toEqual(Array(50).fill("DEPLOYED"));
    const limited = emulator.requests.filter(({ status }) => status === 429);
    expect(limited.length).toBeGreaterThanOrEqual(1);
    expect(limited.length).toBeLessThanOrEqual(100);
    // What was under way when the first one came was sent before anybody could know.
    const afterMs = (limited[0]?.at ?? NaN) + 1000;
    expect(limited.filter(({ at }) => at > afterMs)).toEqual([]);
  });

  it("two stacks race for one location: one wins, the other names it and touches nothing", async () => {
    stack = await Stack.open({ provisionMs: 3000 });
    const { emulator } = stack;
    const other = await Stack.open();
    other.env["FRONTDOOR_BASE_URL"] = emulator.baseUrl;
    const tunnel = (peerPublicIp: string) => ({ peerPublicIp, peerCidr: "10.20.0.0/16", locationId: "loc-1" });
    const racers = [
      [stack, { north: tunnel("203.0.113.7") }],
      [other, { south: tunnel("203.0.113.8") }],
    ] as const;
    const runs = await Promise.all(racers.map(([racer, tunnels]) => racer.up({ tunnels })));
    await other.close();

    const [made, ...more] = emulator.tunnels();
    expect(more).toEqual([]);
    expect(made?.status).toBe("DEPLOYED");
    expect(runs.map(({ code }) => code === 0).sort()).toEqual([false, true]);
    const errors = runs.flatMap((run) => run.errors).join("\n");
    expect(errors).toContain(`one tunnel is allowed per front door and location`);
    expect(errors).toContain(made?.id);
    expect(stack.calls()).toEqual(Array(2).fill("POST /ipsec-tunnels"));
  });
});
