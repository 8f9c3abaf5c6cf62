import { pluginClasses } from "../harness/plugin";
import { Stack } from "../harness/stack";

const tokens = {
  "very-secret-token": ["fd-1"],
  "hush-south-token": ["fd-2", "fd-3"],
  "hush-newer-token": ["fd-2", "fd-3"],
};
const branch = (location: string) =>
  `{ peerPublicIp: "203.0.113.7", peerCidr: "10.20.0.0/16", locationId: "${location}" }`;

/** Two front doors, each with a provider of its own. */
const program = (token: string, frontdoorId = '"fd-2"') => `
  const north = new frontdoor.Provider("north", { frontdoorId: "fd-1", token: "very-secret-token", requestTimeout: 20 });
  const south = new frontdoor.Provider("south", { frontdoorId: ${frontdoorId}, token: ${token} });
  const a = new frontdoor.IpsecTunnel("a", ${branch("loc-1")}, { provider: north });
  const b = new frontdoor.IpsecSite("b", { ...${branch("loc-1")}, envZId: "env-1",
    shares: { web: { target: "web.internal:443", ingressPort: 443 } } }, { provider: south });
  exports.names = pulumi.all([frontdoor.getTunnelsOutput({ id: a.id }, { provider: north }),
    frontdoor.getTunnelsOutput({ id: b.tunnelId }, { provider: south })])
    .apply((both) => both.map(({ tunnels }) => tunnels.map(({ frontdoorId }) => frontdoorId)));
  exports.sample = frontdoor.getSampleConfig({ id: a.id }, { provider: north });`;

describe("two providers in one program", () => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await Stack.open({ tokens }, { imports: pluginClasses });
    for (const name of ["FRONTDOOR_ID", "FRONTDOOR_TOKEN"]) stack.env[name] = undefined;
  });
  afterAll(() => stack.close());
  const doors = () => stack.emulator.tunnels().flatMap((each) => (each.status === "DELETED" ? [] : each.frontdoorId));

  it("each serve their own front door with their own credentials", async () => {
    const run = await stack.up(program('"hush-south-token"'));
    expect([run.code, run.errors]).toEqual([0, []]);
    expect(doors().sort()).toEqual(["fd-1", "fd-2"]);
    expect(stack.stateText()).not.toContain("hush");
    expect(stack.stateText()).not.toContain("very-secret-token");
    const { text } = await stack.run("stack", "output", "--json");
    expect(JSON.parse(text)).toEqual({ names: [["fd-1"], ["fd-2"]], sample: "[secret]" });
  });

  it("with another credential, replace nothing and write nothing", async () => {
    stack.writes();
    const run = await stack.up(program('"hush-newer-token"'));
    expect([run.code, run.errors, run.steps]).toEqual([0, [], []]);
    expect(stack.writes()).toEqual([]);
  });

  it("with another front door, replace what was on it, as a preview shows", async () => {
    const replaced = ["b", "b-web"].flatMap((name) => [`create-replacement ${name}`, `replace ${name}`]);
    const moved = program('"hush-newer-token"', '"fd-3"');
    const preview = await stack.preview(moved);
    expect([preview.code, preview.errors]).toEqual([0, []]);
    expect(preview.steps).toEqual(expect.arrayContaining(replaced));
    expect(stack.writes()).toEqual([]);
    const run = await stack.up(moved);
    expect([run.code, run.errors]).toEqual([0, []]);
    expect(doors().sort()).toEqual(["fd-1", "fd-3"]);
  });
});

describe("a provider whose configuration is not known at preview", () => {
  it("does not fail the preview, and works once it is known", async () => {
    const stack = await Stack.open({ tokens }, { imports: pluginClasses });
    try {
      const unknown = `
        const first = new frontdoor.IpsecTunnel("first", ${branch("loc-1")});
        const frontdoorId = first.status.apply((status) => (status === "DEPLOYED" ? "fd-2" : "none"));
        const token = first.status.apply(() => "hush-south-token");
        const provider = new frontdoor.Provider("later", { frontdoorId, token });
        const second = new frontdoor.IpsecTunnel("second", ${branch("loc-1")}, { provider });
        exports.count = frontdoor.getTunnelsOutput({}, { provider }).tunnels.apply((tunnels) => tunnels.length);`;
      const preview = await stack.preview(unknown);
      expect([preview.code, preview.errors]).toEqual([0, []]);
      expect(preview.steps).toEqual(["create first", "create second"]);
      const run = await stack.up(unknown);
      expect([run.code, run.errors]).toEqual([0, []]);
      expect(stack.emulator.tunnels().map(({ frontdoorId }) => frontdoorId)).toEqual(["fd-1", "fd-2"]);
    } finally {
      await stack.close();
    }
  });
});
