import { Stack } from "../../harness/stack";
import { manyShares } from "../../engine/many";

describe("shares of a tunnel whose load balancer takes one change at a time", () => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await Stack.open({ tunnelShareChanges: "one at a time", provisionMs: 1_500, teardownMs: 1_000 });
    stack.emulator.seedTunnel({ id: "tnl-1" });
  });
  afterAll(() => stack.close());

  it("are made by one up", async () => {
    expect(await stack.up({ shares: manyShares(5) }, "--parallel", "16")).toMatchObject({ code: 0 });
    expect(stack.emulator.shares().map(({ status }) => status)).toEqual(Array(5).fill("DEPLOYED"));
  });

  it("are changed by one up, also where lists lag behind", async () => {
    stack.emulator.settings.listLagMs = 2_500;
    const change = { envZId: "env-2" };
    const run = await stack.up({ shares: manyShares(5, change) }, "--parallel", "16");
    expect(run).toMatchObject({ code: 0, errors: [] });
    expect(stack.emulator.shares()).toMatchObject(Array(5).fill({ ...change, status: "DEPLOYED" }));
    stack.emulator.settings.listLagMs = 0;
  });

  it("are deleted by one destroy", async () => {
    expect(await stack.destroy()).toMatchObject({ code: 0, errors: [] });
    expect(stack.emulator.shares().filter(({ status }) => status !== "DELETED")).toEqual([]);
  });
});
