import { Stack } from "./engine";

describe("up --replace", () => {
  const web = { ipsecTunnelId: "tnl-1", envZId: "env-1", target: "web.internal:443", ingressPort: 443 };
  const urn = "urn:pulumi:test::engine::pulumi-nodejs:dynamic/frontdoor:IpsecShare::web";

  let stack: Stack;
  beforeAll(async () => {
    stack = await Stack.open();
    stack.emulator.seedTunnel({ id: "tnl-1" });
  });
  afterAll(() => stack.close());

  it("keeps a share that its replacement takes over as it is, and makes it anew where it is deleted first", async () => {
    expect(await stack.up({ shares: { web } })).toMatchObject({ code: 0, steps: ["create web"] });
    const id = stack.id("web");
    stack.writes();

    const run = await stack.up({ shares: { web } }, "--replace", urn);
    expect(run.code).toBe(0);
    expect(run.text).toContain("with deleteBeforeReplace it is made anew");
    expect(stack.writes()).toEqual([]);
    expect(stack.id("web")).toBe(id);
    expect(stack.emulator.shares().map(({ status }) => status)).toEqual(["DEPLOYED"]);

    // A run that fails elsewhere leaves the old one in the state to be deleted, under the same id as the new one.
    const bad = { ...web, ingressPort: 444, target: "bad.internal:443" };
    stack.emulator.faults.answerNext({ method: "POST", path: /^\/ipsec-shares$/, status: 403 });
    expect((await stack.up({ shares: { web, bad } }, "--replace", urn)).code).not.toBe(0);
    expect((await stack.up({ shares: { web, bad } })).code).toBe(0);
    expect(stack.writes().filter((write) => !write.startsWith("POST"))).toEqual([]);
    expect(stack.id("web")).toBe(id);
    expect(stack.emulator.shares().map(({ status }) => status)).toEqual(["DEPLOYED", "DEPLOYED"]);
    expect((await stack.up({ shares: { web } })).code).toBe(0);
    stack.writes();

    const first = { shares: { web: { ...web, opts: { deleteBeforeReplace: true } } } };
    expect((await stack.up(first, "--replace", urn)).code).toBe(0);
    expect(stack.writes().map((write) => write.split(" ")[0])).toEqual(["DELETE", "POST"]);
    expect(stack.id("web")).not.toBe(id);
  });

  it("destroys with the program run, which finds everything as it should be", async () => {
    const run = await stack.run("destroy", "--yes", "--skip-preview", "--run-program", "--stack", "test");
    expect(run.code).toBe(0);
    expect(new Set(stack.emulator.shares().map(({ status }) => status))).toEqual(new Set(["DELETED"]));
  });
});
