import { pluginClasses } from "../harness/plugin";
import { Stack } from "../harness/stack";

const tokens = {
  "very-secret-token": ["fd-1"],
  "hush-south-token": ["fd-2", "fd-3"],
  "hush-newer-token": ["fd-2", "fd-3", "fd-4"],
};
const branch = (location: string) =>
  `{ peerPublicIp: "203.0.113.7", peerCidr: "10.20.0.0/16", locationId: "${location}" }`;

/** Two front doors, each with a provider of its own; `later` is a third one, whose settings are not known at preview. */
const program = (token: string, frontdoorId = '"fd-2"', later = "") => `
  const north = new frontdoor.Provider("north", { frontdoorId: "fd-1", token: "very-secret-token", requestTimeout: 20 });
  const south = new frontdoor.Provider("south", { frontdoorId: ${frontdoorId}, token: ${token} });
  const a = new frontdoor.IpsecTunnel("a", ${branch("loc-1")}, { provider: north });
  const b = new frontdoor.IpsecSite("b", { ...${branch("loc-1")}, envZId: "env-1",
    shares: { web: { target: "web.internal:443", ingressPort: 443 } } }, { provider: south });
  exports.names = pulumi.all([frontdoor.getTunnelsOutput({ id: a.id }, { provider: north }),
    frontdoor.getTunnelsOutput({ id: b.tunnelId }, { provider: south })])
    .apply((both) => both.map(({ tunnels }) => tunnels.map(({ frontdoorId }) => frontdoorId)));
  exports.sample = frontdoor.getSampleConfig({ id: a.id }, { provider: north });
  ${later}`;

const later = `
  const known = (value) => a.status.apply((status) => (status === "DEPLOYED" ? value : "none"));
  const provider = new frontdoor.Provider("later", { frontdoorId: known("fd-4"), token: known("hush-newer-token") });
  const c = new frontdoor.IpsecTunnel("c", ${branch("loc-1")}, { provider });
  exports.later = frontdoor.getTunnelsOutput({ id: c.id }, { provider }).tunnels.apply((tunnels) => tunnels.length);`;

// Each test begins with what the one before it left.
describe("several providers in one program", () => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await Stack.open({ tokens }, { imports: pluginClasses });
    for (const name of ["FRONTDOOR_ID", "FRONTDOOR_TOKEN"]) stack.env[name] = undefined;
  });
  afterAll(() => stack.close());
  const doors = () => stack.emulator.tunnels().flatMap((each) => (each.status === "DELETED" ? [] : each.frontdoorId));

  it("do not fail a preview when the settings of one are not known yet", async () => {
    const preview = await stack.preview(program('"hush-south-token"', '"fd-2"', later));
    expect([preview.code, preview.errors]).toEqual([0, []]);
    expect(preview.steps).toEqual(expect.arrayContaining(["create a", "create b", "create b-web", "create c"]));
  });

  it("each serve their own front door with their own credentials", async () => {
    const run = await stack.up(program('"hush-south-token"', '"fd-2"', later));
    expect([run.code, run.errors]).toEqual([0, []]);
    expect(doors().sort()).toEqual(["fd-1", "fd-2", "fd-4"]);
    for (const secret of ["hush", "very-secret-token"]) expect(stack.stateText()).not.toContain(secret);
    const { text } = await stack.run("stack", "output", "--json");
    expect(JSON.parse(text)).toEqual({ names: [["fd-1"], ["fd-2"]], sample: "[secret]", later: 1 });
    stack.writes();
  });

  it("replace nothing and write nothing with another credential", async () => {
    const run = await stack.up(program('"hush-newer-token"', '"fd-2"', later));
    expect([run.code, run.errors, run.steps, stack.writes()]).toEqual([0, [], [], []]);
  });

  it("replace what was on a front door if the program names another one", async () => {
    const run = await stack.up(program('"hush-newer-token"', '"fd-3"', later));
    expect([run.code, run.errors]).toEqual([0, []]);
    expect(run.steps).toEqual(expect.arrayContaining(["replace b", "replace b-web"]));
    expect(doors().sort()).toEqual(["fd-1", "fd-3", "fd-4"]);
  });
});
