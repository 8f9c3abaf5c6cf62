import { pluginClasses } from "../../harness/plugin";
import { Stack } from "../../harness/stack";

const web = { ipsecTunnelId: "tnl-x", envZId: "env-1", target: "web.internal:443", ingressPort: 443, name: "web" };

describe("what another provider process of the run holds is not deleted", () => {
  let stack: Stack;
  beforeEach(async () => {
    stack = await Stack.open({}, { imports: "pulumi-frontdoor" });
    stack.emulator.seedTunnel({ id: "tnl-x", status: "DEPLOYED" });
    expect(await stack.up({ shares: { web } })).toMatchObject({ code: 0 });
  });
  afterEach(() => stack.close());

  it("where the plugin adopts, under another name, what the dynamic host had made", async () => {
    const id = stack.id("web");
    stack.imports = pluginClasses;
    const run = await stack.steadyUp({ shares: { www: { ...web, adopt: id } } });
    expect(run).toMatchObject({ code: 0, errors: [] });
    expect(run.text).toContain("not deleted: it belongs to another resource of the program now");
    expect([stack.id("www"), stack.alive()]).toEqual([id, [id, "tnl-x"].sort()]);
  });

  it("where it is imported", async () => {
    const id = stack.id("web");
    stack.imports = pluginClasses;
    expect(await stack.up({ shares: { www: { ...web, opts: { import: id } } } })).toMatchObject({
      code: 0,
      errors: [],
    });
    expect([stack.id("www"), stack.alive()]).toEqual([id, [id, "tnl-x"].sort()]);
  });

  it("and a rename by an alias that names no type goes along with the change of the import line", async () => {
    const id = stack.id("web");
    stack.imports = pluginClasses;
    stack.writes();
    const www = { ...web, opts: { aliases: [{ name: "web" }] } };
    expect(await stack.up({ shares: { www } })).toMatchObject({ code: 0, errors: [] });
    expect([stack.id("www"), stack.writes()]).toEqual([id, []]);
  });

  it("and it goes once nobody holds it any more", async () => {
    expect(await stack.up({})).toMatchObject({ code: 0, errors: [] });
    expect(stack.alive()).toEqual(["tnl-x"]);
  });
});

it("what a killed create of the dynamic host's began is taken up by the plugin", async () => {
  const stack = await Stack.open({ provisionMs: 3_000 }, { imports: "pulumi-frontdoor" });
  try {
    stack.emulator.seedTunnel({ id: "tnl-x", status: "DEPLOYED" });
    const posted = new Promise<void>((resolve) => {
      stack.emulator.settings.onAnswer = ({ method }) => {
        if (method === "POST") resolve();
      };
    });
    const running = stack.up({ shares: { web } });
    await posted;
    stack.killProvider();
    expect((await running).code).not.toBe(0);
    stack.imports = pluginClasses;
    expect(await stack.up({ shares: { web } })).toMatchObject({ code: 0, errors: [] });
    expect(stack.alive()).toEqual([stack.id("web"), "tnl-x"].sort());
  } finally {
    await stack.close();
  }
});

describe("a name", () => {
  let stack: Stack;
  /** One share of each provider process: the dynamic host's, that of the plugin's default provider and that of an explicit one. */
  const program = (...names: string[]) => `
    const plugin = require("${pluginClasses}");
    const args = (at) => ({ ...${JSON.stringify(web)}, name: ${JSON.stringify(names)}[at], ingressPort: 443 + at });
    new frontdoor.IpsecShare("first", args(0));
    new plugin.IpsecShare("second", args(1));
    new plugin.IpsecShare("third", args(2), { provider: new plugin.Provider("own", {}) });`;
  beforeAll(async () => {
    stack = await Stack.open({}, { imports: "pulumi-frontdoor" });
    stack.emulator.seedTunnel({ id: "tnl-x", status: "DEPLOYED" });
  });
  afterAll(() => stack.close());

  it.each([
    ["the dynamic host and the plugin", ["same", "same", "other"]],
    ["two providers of the plugin", ["other", "same", "same"]],
  ])("that two resources have is refused at preview, too, where they are of two processes: %s", async (_, names) => {
    const run = await stack.preview(program(...names));
    expect(run.code).not.toBe(0);
    expect(run.errors.join("\n")).toContain("is that of two resources on front door fd-1");
    expect(stack.writes()).toEqual([]);
  });

  it("of each resource's own is none, in the preview, the update and the next run", async () => {
    stack.program(program("one", "two", "three"));
    for (const writes of [3, 0]) {
      const run = await stack.run("up", "--yes", "--stack", "test");
      expect([run.code, run.errors, stack.writes().length]).toEqual([0, [], writes]);
    }
  });
});

it("shares of two providers go with the tunnel that is replaced, and come back on the new one", async () => {
  const stack = await Stack.open({}, { imports: pluginClasses });
  try {
    const program = (peerCidr: string) => `
      const east = new frontdoor.Provider("east", { frontdoorId: "fd-1" });
      const west = new frontdoor.Provider("west", { frontdoorId: "fd-1" });
      const hq = new frontdoor.IpsecTunnel("hq", { peerPublicIp: "203.0.113.7", peerCidr: "${peerCidr}", locationId: "loc-1" });
      const on = { ipsecTunnelId: hq.id, envZId: "env-1" };
      new frontdoor.IpsecShare("web", { ...on, target: "web.internal:443", ingressPort: 443 }, { provider: east });
      new frontdoor.IpsecShareSet("more", { ...on, shares: { db: { target: "db.internal:1", ingressPort: 1 } } }, { provider: west });`;
    expect(await stack.up(program("10.20.0.0/16"))).toMatchObject({ code: 0, errors: [] });
    const old = stack.alive();
    expect(await stack.steadyUp(program("10.30.0.0/16"))).toMatchObject({ code: 0, errors: [] });
    expect(stack.alive()).toHaveLength(3);
    expect(stack.alive().filter((id) => old.includes(id))).toEqual([]);
    expect(await stack.destroy()).toMatchObject({ code: 0 });
  } finally {
    await stack.close();
  }
});
