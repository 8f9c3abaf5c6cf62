import { Stack } from "../harness/stack";
import { manyShares } from "./many";

describe("30 shares waiting at once", () => {
  let stack: Stack;
  afterAll(() => stack.close());

  it("cost one list request per tick, and no GET per share", async () => {
    stack = await Stack.open({ provisionMs: 600_000 });
    const { emulator } = stack;
    emulator.seedTunnel({ id: "tnl-1" });
    const shares = manyShares(30);
    // All are ready at the sixth look that all of them wait for.
    let looks = 0;
    emulator.settings.onAnswer = ({ method }) => {
      const made = emulator.shares();
      if (method === "GET" && made.length === 30) looks += 1;
      if (looks === 6) for (const { id } of made) emulator.setStatus(id, "DEPLOYED");
    };

    const run = await stack.up({ shares }, "--parallel", "64");

    expect(run.code).toBe(0);
    expect(Object.keys(stack.kept()).sort()).toEqual(Object.keys(shares).sort());
    const { requests } = emulator;
    expect(requests.filter(({ method }) => method === "POST")).toHaveLength(30);
    expect(requests.filter(({ method, path }) => method === "GET" && path !== "/ipsec-shares")).toEqual([]);
    // Had each share its own looks, each would need one more to see that it is ready. How few there are a tick is a matter of virtual time.
    expect(looks).toBeGreaterThanOrEqual(6);
    expect(looks).toBeLessThan(30);
  });
});
