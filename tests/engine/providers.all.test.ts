import { dynamicClasses, pluginClasses } from "../harness/environment";
import { forwarded } from "../harness/forwarded";
import { ownStack } from "../harness/own-stack";
import { Stack, type Resources } from "../harness/stack";
import { peer } from "../harness/things";

// Each test begins with what the one before it left.
describe("several providers in one program", () => {
  const tokens = {
    "very-secret-token": ["fd-1"],
    "hush-south-token": ["fd-2"],
    "hush-later-token": ["fd-4"],
  };

  const branch = (location: string) =>
    `{ peerPublicIp: "203.0.113.7", peerCidr: "10.20.0.0/16", locationId: "${location}" }`;

  /** Two front doors, each with a provider of its own; `later` is a third one, whose settings are not known at preview. */
  const program = `
  const north = new frontdoor.Provider("north", { frontdoorId: "fd-1", token: "very-secret-token", requestTimeout: 20 });
  const south = new frontdoor.Provider("south", { frontdoorId: "fd-2", token: "hush-south-token" });
  const a = new frontdoor.IpsecTunnel("a", ${branch("loc-1")}, { provider: north });
  const b = new frontdoor.IpsecSite("b", { ...${branch("loc-1")}, envZId: "env-1",
    shares: { web: { target: "web.internal:443", ingressPort: 443 } } }, { provider: south });
  exports.names = pulumi.all([frontdoor.getTunnelsOutput({ id: a.id }, { provider: north }),
    frontdoor.getTunnelsOutput({ id: b.tunnelId }, { provider: south })])
    .apply((both) => both.map(({ tunnels }) => tunnels.map(({ frontdoorId }) => frontdoorId)));
  exports.sample = frontdoor.getSampleConfig({ id: a.id }, { provider: north });

  const known = (value) => a.status.apply((status) => (status === "DEPLOYED" ? value : "none"));
  const provider = new frontdoor.Provider("later", { frontdoorId: known("fd-4"), token: known("hush-later-token") });
  const c = new frontdoor.IpsecTunnel("c", ${branch("loc-1")}, { provider });
  exports.later = frontdoor.getTunnelsOutput({ id: c.id }, { provider }).tunnels.apply((tunnels) => tunnels.length);`;

  let stack: Stack;
  beforeAll(async () => {
    stack = await Stack.open({ tokens }, { imports: pluginClasses });
    for (const name of ["FRONTDOOR_ID", "FRONTDOOR_TOKEN"]) stack.env[name] = undefined;
  });
  afterAll(() => stack.close());
  const doors = () => stack.emulator.tunnels().flatMap((each) => (each.status === "DELETED" ? [] : each.frontdoorId));

  it("do not fail a preview when the settings of one are not known yet", async () => {
    const preview = await stack.preview(program);
    expect([preview.code, preview.errors]).toEqual([0, []]);
    expect(preview.steps).toEqual(expect.arrayContaining(["create a", "create b", "create b-web", "create c"]));
  });

  it("each serve their own front door with their own credentials", async () => {
    const run = await stack.up(program);
    expect([run.code, run.errors]).toEqual([0, []]);
    expect(doors().sort()).toEqual(["fd-1", "fd-2", "fd-4"]);
    for (const secret of ["hush", "very-secret-token"]) expect(stack.stateText()).not.toContain(secret);
    const { text } = await stack.run("stack", "output", "--json");
    expect(JSON.parse(text)).toEqual({ names: [["fd-1"], ["fd-2"]], sample: "[secret]", later: 1 });
    stack.writes();
  });

  it("touch nothing of one whose settings a preview does not know again", async () => {
    const before = stack.kept();
    // Its settings come from the tunnel that is replaced.
    const changed = program.replace("10.20.0.0/16", "10.21.0.0/16");
    const preview = await stack.preview(changed);
    expect([preview.code, preview.errors]).toEqual([0, []]);
    expect(preview.steps).toEqual(expect.arrayContaining(["replace a"]));
    expect(await stack.up(changed)).toMatchObject({ code: 0, errors: [] });
    expect(stack.calls()).toEqual([`DELETE /ipsec-tunnels/${before["a"]?.id ?? ""}`, "POST /ipsec-tunnels"]);
    expect({ ...stack.kept(), a: before["a"] }).toEqual(before);
    expect(await stack.up(program)).toMatchObject({ code: 0, errors: [] });
    stack.writes();
  });
});

// Each test begins with what the one before it left.
describe("a Provider that changes", () => {
  const usual = { frontdoorId: "fd-1", token: "very-secret-token" };
  const port = (ingressPort: number) => ({ target: "web.internal:443", ingressPort });
  const place = JSON.stringify({ ...peer, locationId: "loc-1" });

  /** Resources that take their front door from a provider, and a tunnel that names its own. */
  const program = (own: object, of = "own") => `
  const own = new frontdoor.Provider("own", { ...${JSON.stringify(usual)}, ...${JSON.stringify(own)} });
  const other = new frontdoor.Provider("other", ${JSON.stringify(usual)});
  const opts = { provider: ${of} };
  const hq = new frontdoor.IpsecTunnel("hq", ${place}, opts);
  const on = { ipsecTunnelId: hq.id, envZId: "env-1" };
  new frontdoor.IpsecShare("web", { ...on, ...${JSON.stringify(port(443))} }, opts);
  new frontdoor.IpsecShareSet("more", { ...on, shares: { db: ${JSON.stringify(port(5432))} } }, opts);
  new frontdoor.IpsecTunnelConnection("up", { tunnelId: hq.id }, opts);
  new frontdoor.IpsecTunnel("fixed", { ...${place}, locationId: "loc-2", peerCidr: "10.99.0.0/16", frontdoorId: "fd-1" }, opts);`;

  let stack: Stack;
  let moved: Awaited<ReturnType<typeof forwarded>>;
  beforeAll(async () => {
    const tokens = { "very-secret-token": ["fd-1", "fd-2"], "hush-newer-token": ["fd-1", "fd-2"] };
    stack = await Stack.open({ tokens }, { imports: pluginClasses });
    for (const name of ["FRONTDOOR_ID", "FRONTDOOR_TOKEN"]) stack.env[name] = undefined;
    moved = await forwarded(stack.emulator.baseUrl);
    expect(await stack.up(program({}))).toMatchObject({ code: 0, errors: [] });
    stack.writes();
  });
  afterAll(async () => {
    moved.close();
    await stack.close();
  });

  it.each([
    ["token", () => program({ token: "hush-newer-token" })],
    ["timeout", () => program({ requestTimeout: 20, requestsPerSecond: 50 })],
    ["URL", () => program({ baseUrl: moved.address })],
    ["provider, on the same front door", () => program({}, "other")],
    ["front door, once no resource has the provider", () => program({ frontdoorId: "fd-2" }, "other")],
  ])("touches nothing with another %s", async (_what, changed) => {
    const before = stack.kept();
    expect(await stack.preview(changed())).toMatchObject({ code: 0, errors: [], steps: [] });
    expect(await stack.up(changed())).toMatchObject({ code: 0, errors: [], steps: [] });
    expect([stack.writes(), stack.kept()]).toEqual([[], before]);
  });

  it("shows what another frontdoorId replaces, and why, before it does it", async () => {
    expect(await stack.up(program({}))).toMatchObject({ code: 0, errors: [], steps: [] });
    const before = stack.kept();
    const plan = await stack.preview(program({ frontdoorId: "fd-2" }), "--diff");
    expect(plan).toMatchObject({ code: 0, errors: [] });
    const replaced = plan.steps.filter((step) => step.startsWith("replace ")).sort();
    expect(replaced).toEqual(["replace hq", "replace more", "replace up", "replace web"]);
    // The provider, and each of the four.
    expect(plan.text.match(/~ frontdoorId *: "fd-1" => "fd-2"/g)).toHaveLength(5);
    expect(plan.steps.join("\n")).not.toContain("fixed");
    expect([stack.writes(), stack.kept()]).toEqual([[], before]);
    expect(await stack.up(program({ frontdoorId: "fd-2" }))).toMatchObject({ code: 0, errors: [] });
    const doors = Object.entries(stack.kept()).map(([name, { outputs }]) => [name, outputs["frontdoorId"]]);
    const all = { hq: "fd-2", web: "fd-2", more: "fd-2", up: "fd-2", fixed: "fd-1" };
    expect(Object.fromEntries(doors)).toEqual(all);
    expect(stack.id("fixed")).toBe(before["fixed"]?.id);
  });
});

describe("what only the plugin's classes can do", () => {
  const tunnel = (locationId: string) => ({ ...peer, locationId });

  let stack: Stack;
  beforeEach(async () => {
    stack = await ownStack({}, { imports: pluginClasses });
    for (const number of [1, 2]) stack.emulator.seedTunnel({ id: `tnl-${number}`, ...tunnel(`loc-${number}`) });
  });

  it.each(["", 'locationId: "loc-1",'])(
    "opts.import adopts a tunnel, and shares whose location Frontdoor chose, also a set of them, if a program says of it: %j",
    async (location) => {
      const [first] = stack.emulator.tunnels();
      stack.emulator.seedTunnel({ id: "tnl-3", ...tunnel("loc-3") });
      const web = { target: "web.internal:443", ingressPort: 443, envZId: "env-1", locationId: "loc-1" };
      stack.emulator.seedShare({ ...web, id: "shr-1", name: "web", ipsecTunnelId: "tnl-1" });
      stack.emulator.seedShare({ ...web, id: "shr-3", name: "db", ipsecTunnelId: "tnl-3" });
      const program = (tunnelId: string, where: string, isImport: boolean) => `
        const share = { envZId: "env-1", target: "web.internal:443", ingressPort: 443, ${where} };
        const opts = (id) => (${isImport} ? { import: id } : {});
        new frontdoor.IpsecTunnel("hq", ${JSON.stringify({ ...tunnel("loc-1"), name: first?.name })}, opts("tnl-1"));
        new frontdoor.IpsecShare("web", { ...share, name: "web", ipsecTunnelId: "${tunnelId}" }, opts("shr-1"));
        new frontdoor.IpsecShareSet("all", { ipsecTunnelId: "tnl-3", shares: { db: { ...share, name: "db" } } }, opts("tunnel/tnl-3"));`;
      expect(await stack.up(program("tnl-1", location, true))).toMatchObject({ code: 0, errors: [] });
      for (const where of [location, ""])
        expect(await stack.up(program("tnl-1", where, false), "--expect-no-changes")).toMatchObject({ code: 0 });
      expect(stack.writes()).toEqual([]);
      expect(await stack.up(program("tnl-2", "", false))).toMatchObject({ code: 0, errors: [] });
      expect(stack.writes()).toEqual(['PATCH /ipsec-shares/shr-1 {"ipsecTunnelId":"tnl-2","locationId":"loc-2"}']);
      expect(first?.locationId).toBe("loc-1");
    },
  );
});

// Each test begins with what the one before it left.
describe("a stack of the dynamic classes whose program imports the plugin's", () => {
  const branch = { ...peer, locationId: "loc-1" };

  const share = { envZId: "env-1", target: "web.internal:443", ingressPort: 443 };

  const on = { ipsecTunnelId: { tunnel: "hq" } };

  const resources: Resources = {
    groups: { office: {} },
    tunnels: { hq: { ...branch, locationId: "loc-2", opts: { parent: "office", customTimeouts: { create: "5m" } } } },
    shares: {
      web: { ...share, ...on, target: { secret: "hush.internal:443" } },
      mail: { ...share, ...on, ingressPort: 25, envZId: undefined, envId: "env-2", name: "mail" },
    },
    sites: {
      branch: { ...branch, envZId: "env-1", shares: { db: { target: "db.internal:5432", ingressPort: 5432 } } },
    },
  };

  const ids = (stack: Stack) => Object.fromEntries(Object.entries(stack.kept()).map(([name, { id }]) => [name, id]));

  const inProgram = expect.stringMatching(/^project:\/\/\/index\.js#/) as string;

  /** Where the program itself declares resources, as the state has it. */
  const places = (stack: Stack) =>
    stack.entries().flatMap(({ urn, sourcePosition = "" }) => (/::(hq|web|mail)$/.test(urn) ? sourcePosition : []));

  /** The size of the provider's text in each resource of the state. */
  const textBytes = (stack: Stack) =>
    Object.values(stack.kept()).map(({ inputs, outputs }) =>
      [inputs, outputs].reduce((sum, each) => sum + JSON.stringify(each["__provider"] ?? "").length, 0),
    );

  let stack: Stack;
  let before: Record<string, string>;
  beforeAll(async () => {
    stack = await Stack.open({}, { imports: dynamicClasses });
    expect(await stack.up(resources)).toMatchObject({ code: 0, errors: [] });
    before = ids(stack);
    expect(places(stack)).toEqual([inProgram, inProgram, inProgram]);
    // A resource carries at most 400 bytes of the dynamic provider's text.
    expect(Math.max(...textBytes(stack))).toBeLessThanOrEqual(400);
    stack.writes();
  });
  afterAll(() => stack.close());

  it("is taken over by up without a change and without a write", async () => {
    stack.imports = pluginClasses;
    const run = await stack.up(resources, "--expect-no-changes");
    expect(run).toMatchObject({ code: 0, errors: [], steps: [] });
    expect([stack.writes(), ids(stack)]).toEqual([[], before]);
    expect(places(stack)).toEqual([inProgram, inProgram, inProgram]);
    for (const gone of ["pulumi-nodejs:dynamic", "hush"]) expect(stack.stateText()).not.toContain(gone);
    expect(await stack.up(resources, "--refresh", "--expect-no-changes")).toMatchObject({ code: 0 });
  });

  it("can go back: each resource is shown as updated, and nothing is written", async () => {
    stack.imports = dynamicClasses;
    const run = await stack.steadyUp(resources);
    const updates = Object.keys(before).map((name) => `update ${name}`);
    expect([run.code, run.errors, run.steps.sort()]).toEqual([0, [], updates.sort()]);
    expect([stack.writes(), ids(stack)]).toEqual([[], before]);
  });

  it("can change a resource in the run that moves the stack", async () => {
    stack.imports = pluginClasses;
    const changed = structuredClone(resources);
    Object.assign(changed.shares?.["mail"] ?? {}, { target: "mail.internal:25" });
    expect(await stack.up(changed)).toMatchObject({ code: 0, errors: [], steps: ["update mail"] });
    expect(stack.calls()).toEqual([`PATCH /ipsec-shares/${before["mail"] ?? ""}`]);
    expect(await stack.destroy()).toMatchObject({ code: 0 });
    expect(stack.alive()).toEqual([]);
  });
});
