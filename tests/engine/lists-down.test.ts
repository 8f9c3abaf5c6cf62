import { Stack } from "./engine";
import { manyShares } from "./many";

const parallel = ["--parallel", "16"];

describe("where lists answer 500 for good", () => {
  let stack: Stack;
  const tookSeconds = async (work: () => Promise<unknown>) => {
    const startedMs = Date.now();
    await work();
    return (Date.now() - startedMs) / 1000;
  };
  const lists = () =>
    stack.emulator.requests.filter(({ method, path }) => method === "GET" && path === "/ipsec-shares");

  beforeAll(async () => {
    stack = await Stack.open();
    stack.emulator.seedTunnel({ id: "tnl-1" });
    expect(await stack.up({ shares: manyShares(24) }, ...parallel)).toMatchObject({ code: 0 });
    stack.emulator.requests.length = 0;
    stack.emulator.faults.answerNext({ method: "GET", path: /^\/ipsec-shares$/, status: 500, times: Infinity });
  });
  afterAll(() => stack.close());

  it("a refresh of 24 shares takes seconds", async () => {
    const took = await tookSeconds(async () => {
      expect(await stack.refresh(...parallel)).toMatchObject({ code: 0, steps: [] });
    });
    expect(took).toBeLessThan(20);
    expect(lists().length).toBeLessThanOrEqual(6);
  });

  it("updates and deletes are seen to end by reads by id", async () => {
    const took = await tookSeconds(async () => {
      stack.program({ shares: manyShares(24, { envZId: "env-2" }) });
      const flags = ["--yes", "--skip-preview", "--stack", "test", ...parallel];
      const run = await stack.run("up", ...flags);
      expect(run.errors).toEqual([]);
      expect(run.steps).toHaveLength(24);
      stack.program({ shares: manyShares(12, { envZId: "env-2" }) });
      expect((await stack.run("up", ...flags)).errors).toEqual([]);
    });
    expect(took).toBeLessThan(60);
    expect(Object.keys(stack.kept())).toHaveLength(12);
    expect(stack.emulator.shares().filter(({ status }) => status === "DEPLOYED")).toHaveLength(12);
  });

  it("a create ends with what is wrong, and sends nothing", async () => {
    stack.emulator.requests.length = 0;
    stack.program({
      shares: { ...manyShares(12, { envZId: "env-2" }), more: { ...manyShares(1)["share-0"], name: "more" } },
    });
    const run = await stack.run("up", "--yes", "--skip-preview", "--stack", "test");
    expect(run.code).not.toBe(0);
    expect(run.errors.join("\n")).toMatch(/GET .*\/ipsec-shares: 500 from the server/);
    expect(stack.writes()).toEqual([]);
  }, 180_000);
});
