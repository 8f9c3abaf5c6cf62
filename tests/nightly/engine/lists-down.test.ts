import { Stack } from "../../harness/stack";
import { manyShares } from "../../engine/many";

const parallel = ["--parallel", "16"];

describe("where lists answer 500 for good", () => {
  let stack: Stack;
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

  it("a refresh of 24 shares asks for the list a few times for all of them, and then for each share", async () => {
    expect(await stack.refresh(...parallel)).toMatchObject({ code: 0, steps: [] });
    expect(lists().length).toBeLessThanOrEqual(6);
  });

  it("updates and deletes are seen to end by reads by id", async () => {
    const run = await stack.up({ shares: manyShares(24, { envZId: "env-2" }) }, ...parallel);
    expect(run.errors).toEqual([]);
    expect(run.steps).toHaveLength(24);
    expect(await stack.up({ shares: manyShares(12, { envZId: "env-2" }) }, ...parallel)).toMatchObject({ errors: [] });
    const deployed = stack.emulator.shares().filter(({ status }) => status === "DEPLOYED");
    expect(deployed.map(({ name }) => name).sort()).toEqual(Object.keys(manyShares(12)).sort());
    expect(Object.keys(stack.kept()).sort()).toEqual(Object.keys(manyShares(12)).sort());
  });

  it("a create ends with what is wrong, and sends nothing", async () => {
    stack.emulator.requests.length = 0;
    const run = await stack.up({
      shares: { ...manyShares(12, { envZId: "env-2" }), more: { ...manyShares(1)["share-0"], name: "more" } },
    });
    expect(run.code).not.toBe(0);
    expect(run.errors.join("\n")).toMatch(/GET .*\/ipsec-shares: 500 from the server/);
    expect(stack.writes()).toEqual([]);
  }, 180_000);
});
