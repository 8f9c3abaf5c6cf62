import { ownToken } from "../harness/plugin";
import { Stack } from "../harness/stack";

describe("up --replace", () => {
  const web = { ipsecTunnelId: "tnl-1", envZId: "env-1", target: "web.internal:443", ingressPort: 443 };
  const urn = `urn:pulumi:test::engine::${ownToken("IpsecShare")}::web`;

  let stack: Stack;
  beforeAll(async () => {
    stack = await Stack.open();
    stack.emulator.seedTunnel({ id: "tnl-1" });
  });
  afterAll(() => stack.close());

  // The engine makes the new one first, and tells the provider nothing of the old one until then: to the provider it is anybody's.
  it("refuses a share beside its like and says how to have it made anew, which then works", async () => {
    expect(await stack.up({ shares: { web } })).toMatchObject({ code: 0, steps: ["create web"] });
    const id = stack.id("web");
    stack.writes();

    const run = await stack.up({ shares: { web } }, "--replace", urn);
    expect(run.code).not.toBe(0);
    expect(run.errors.join()).toContain("deleteBeforeReplace: true");
    expect(stack.writes()).toEqual([]);
    expect(stack.entered()).toEqual([`web ${id}`]);
    expect(await stack.up({ shares: { web } })).toMatchObject({ code: 0, steps: [] });

    const first = { shares: { web: { ...web, opts: { deleteBeforeReplace: true } } } };
    expect((await stack.up(first, "--replace", urn)).code).toBe(0);
    expect(stack.writes().map((write) => write.split(" ")[0])).toEqual(["DELETE", "POST"]);
    expect(stack.id("web")).not.toBe(id);
  });

  it("keeps a share that its replacement takes over, where likeness is enough, also in the run after one that failed", async () => {
    stack.env["FRONTDOOR_TAKE_OVER"] = "alike";
    const id = stack.id("web");
    const bad = { ...web, ingressPort: 444, target: "bad.internal:443" };
    stack.emulator.faults.answerNext({ method: "POST", path: /^\/ipsec-shares$/, status: 403 });
    expect((await stack.up({ shares: { web, bad } }, "--replace", urn)).code).not.toBe(0);
    expect((await stack.steadyUp({ shares: { web, bad } })).code).toBe(0);
    expect(stack.writes().filter((write) => !write.startsWith("POST"))).toEqual([]);
    expect(stack.id("web")).toBe(id);
  });

  it("destroys with the program run, which finds everything as it should be", async () => {
    const run = await stack.run("destroy", "--yes", "--skip-preview", "--run-program", "--stack", "test");
    expect(run.code).toBe(0);
    expect(new Set(stack.emulator.shares().map(({ status }) => status))).toEqual(new Set(["DELETED"]));
  });
});
