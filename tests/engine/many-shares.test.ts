import { Stack } from "../harness/stack";
import { manyShares } from "./many";

describe("30 shares waiting at once", () => {
  let stack: Stack;
  afterAll(() => stack.close());

  it("cost one list request per tick, and no GET per share", async () => {
    stack = await Stack.open({ provisionMs: 8000 });
    stack.emulator.seedTunnel({ id: "tnl-1" });
    const shares = manyShares(30);
    const run = await stack.up({ shares }, "--parallel", "64");

    expect(run.code).toBe(0);
    expect(Object.keys(stack.kept()).sort()).toEqual(Object.keys(shares).sort());
    const { requests } = stack.emulator;
    const created = requests.filter(({ method }) => method === "POST");
    expect(created).toHaveLength(30);
    expect(requests.filter(({ method, path }) => method === "GET" && path !== "/ipsec-shares")).toEqual([]);

    // All wait from the last create on, until the first one is ready.
    const from = created.at(-1)?.at ?? NaN;
    const to = (created[0]?.at ?? NaN) + 8000;
    const lists = requests.filter(({ method, at }) => method === "GET" && at > from + 500 && at < to);
    const ticks = lists.filter(({ at }, index) => index === 0 || at - (lists[index - 1]?.at ?? NaN) > 300);
    expect(ticks.length).toBeGreaterThanOrEqual(3);
    expect(lists.length / ticks.length).toBeLessThanOrEqual(1.2);
  });
});
