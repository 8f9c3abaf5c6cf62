import { pluginClasses } from "../../harness/plugin";
import { ownStack } from "../../harness/own-stack";
import { Stack } from "../../harness/stack";

const web = { ipsecTunnelId: "tnl-x", envZId: "env-1", target: "web.internal:443", ingressPort: 443, name: "web" };

describe("what another provider process of the run holds", () => {
  let stack: Stack;
  let id: string;
  beforeEach(async () => {
    stack = await ownStack({ provisionMs: 1_500 }, { imports: "pulumi-frontdoor" });
    stack.emulator.seedTunnel({ id: "tnl-x", status: "DEPLOYED" });
    expect(await stack.up({ shares: { web } })).toMatchObject({ code: 0 });
    id = stack.id("web");
    stack.writes();
    stack.imports = pluginClasses;
  });

  it.each([
    ["adopts", (given: string) => ({ adopt: given })],
    ["imports", (given: string) => ({ opts: { import: given } })],
  ])("is not deleted if an earlier run retains it, and the plugin %s it under another name", async (_, taking) => {
    stack.imports = "pulumi-frontdoor";
    expect(await stack.up({ shares: { web: { ...web, opts: { retainOnDelete: true } } } })).toMatchObject({ code: 0 });
    stack.imports = pluginClasses;
    expect(await stack.up({ shares: { www: { ...web, ...taking(id) } } })).toMatchObject({ code: 0, errors: [] });
    expect([stack.id("www"), stack.alive()]).toEqual([id, [id, "tnl-x"].sort()]);
  });

  it("stays as it is if it is renamed by an alias that names no type", async () => {
    const www = { ...web, opts: { aliases: [{ name: "web" }] } };
    expect(await stack.up({ shares: { www } })).toMatchObject({ code: 0, errors: [] });
    expect([stack.id("www"), stack.writes()]).toEqual([id, []]);
  });

  it("is resumed by the plugin if the dynamic provider was killed during its create", async () => {
    stack.imports = "pulumi-frontdoor";
    stack.emulator.settings.onAnswer = ({ method }) => {
      if (method === "POST") stack.killProvider();
    };
    const shares = { web, db: { ...web, name: "db", ingressPort: 5432 } };
    expect((await stack.up({ shares })).code).not.toBe(0);
    stack.emulator.settings.onAnswer = null;
    stack.imports = pluginClasses;
    expect(await stack.up({ shares })).toMatchObject({ code: 0, errors: [] });
    expect(stack.calls()).toEqual(["POST /ipsec-shares"]);
    expect(stack.alive()).toEqual([stack.id("web"), stack.id("db"), "tnl-x"].sort());
  });
});

describe("a name in a program of three provider processes", () => {
  let stack: Stack;
  /** One share each of the dynamic provider, of the plugin's default provider and of an explicit one. */
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

  it("is accepted if each resource has its own, in the preview, the update and the next run", async () => {
    stack.program(program("one", "two", "three"));
    for (const writes of [3, 0]) {
      const run = await stack.run("up", "--yes", "--stack", "test");
      expect([run.code, run.errors, stack.writes().length]).toEqual([0, [], writes]);
    }
  });
});

it("shares of two providers are deleted with the tunnel that is replaced, and created on the new one", async () => {
  const stack = await ownStack({}, { imports: pluginClasses });
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
});
