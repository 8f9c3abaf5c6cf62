import { pluginClasses } from "../harness/plugin";
import { type Resources, Stack } from "../harness/stack";

const branch = { peerPublicIp: "203.0.113.7", peerCidr: "10.20.0.0/16", locationId: "loc-1" };
const share = { envZId: "env-1", target: "web.internal:443", ingressPort: 443 };
const on = { ipsecTunnelId: { tunnel: "hq" } };
const resources: Resources = {
  groups: { office: {} },
  tunnels: { hq: { ...branch, locationId: "loc-2", opts: { parent: "office", customTimeouts: { create: "5m" } } } },
  shares: {
    web: { ...share, ...on, target: { secret: "hush.internal:443" } },
    mail: { ...share, ...on, ingressPort: 25, envZId: undefined, envId: "env-2", name: "mail" },
  },
  sites: { branch: { ...branch, envZId: "env-1", shares: { db: { target: "db.internal:5432", ingressPort: 5432 } } } },
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

// Each test begins with what the one before it left.
describe("a stack of the dynamic classes whose program imports the plugin's", () => {
  let stack: Stack;
  let before: Record<string, string>;
  beforeAll(async () => {
    stack = await Stack.open({}, { imports: "pulumi-frontdoor" });
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
    stack.imports = "pulumi-frontdoor";
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
