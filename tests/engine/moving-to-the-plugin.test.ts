import { pluginClasses } from "../harness/plugin";
import { type Resources, Stack } from "../harness/stack";

const branch = { peerPublicIp: "203.0.113.7", peerCidr: "10.20.0.0/16", locationId: "loc-1" };
const share = { envZId: "env-1", target: "web.internal:443", ingressPort: 443 };
const resources: Resources = {
  groups: { office: {} },
  tunnels: { hq: { ...branch, locationId: "loc-2", opts: { parent: "office", customTimeouts: { create: "5m" } } } },
  shares: {
    web: { ...share, ipsecTunnelId: { tunnel: "hq" }, target: { secret: "hush.internal:443" } },
    mail: {
      ...share,
      ipsecTunnelId: { tunnel: "hq" },
      ingressPort: 25,
      envZId: undefined,
      envId: "env-2",
      name: "mail",
    },
  },
  sites: { branch: { ...branch, envZId: "env-1", shares: { db: { target: "db.internal:5432", ingressPort: 5432 } } } },
};

/** What a run sent to the service, such as `GET /ipsec-shares`. */
const sent = ({ emulator }: Stack) => emulator.requests.splice(0).map(({ method, path }) => `${method} ${path}`);
/** Where the program itself declares resources, as the state has it. */
const places = (stack: Stack) =>
  stack.entries().flatMap(({ urn, sourcePosition = "" }) => (/::(hq|web|mail)$/.test(urn) ? sourcePosition : []));
const inProgram = expect.stringMatching(/^project:\/\/\/index\.js#/) as string;
const ids = (stack: Stack) => Object.fromEntries(Object.entries(stack.kept()).map(([name, { id }]) => [name, id]));

describe("a stack of the dynamic classes whose program imports the plugin's", () => {
  let stack: Stack;
  let before: Record<string, string>;

  beforeAll(async () => {
    stack = await Stack.open();
    const made = await stack.steadyUp(resources);
    expect(made.errors).toEqual([]);
    before = ids(stack);
    expect(places(stack)).toEqual([inProgram, inProgram, inProgram]);
    sent(stack);
    stack.imports = pluginClasses;
  });
  afterAll(() => stack.close());

  it("is shown by a preview as unchanged", async () => {
    const run = await stack.preview(resources, "--expect-no-changes");
    expect([run.code, run.errors, run.steps]).toEqual([0, [], []]);
    expect(sent(stack)).toEqual([]);
  });

  it("is taken over by up: nothing is created, updated, replaced or deleted, and nothing but reads is sent", async () => {
    const run = await stack.up(resources, "--expect-no-changes");
    expect([run.code, run.errors, run.steps]).toEqual([0, [], []]);
    expect(sent(stack).filter((request) => !request.startsWith("GET "))).toEqual([]);
    expect(ids(stack)).toEqual(before);
    expect(places(stack)).toEqual([inProgram, inProgram, inProgram]);
    expect(stack.stateText()).not.toContain("pulumi-nodejs:dynamic");
    expect(stack.stateText()).not.toContain("hush");
  });

  it("is quiet afterwards, also after a refresh", async () => {
    const run = await stack.up(resources, "--refresh", "--expect-no-changes");
    expect([run.code, run.steps]).toEqual([0, []]);
    expect(sent(stack).filter((request) => !request.startsWith("GET "))).toEqual([]);
  });

  it("can go back: everything is shown as updated once, and again nothing but reads is sent", async () => {
    stack.imports = "pulumi-frontdoor";
    const run = await stack.up(resources);
    expect([run.code, run.errors]).toEqual([0, []]);
    expect(run.steps.sort()).toEqual(
      Object.keys(before)
        .map((name) => `update ${name}`)
        .sort(),
    );
    expect(sent(stack).filter((request) => !request.startsWith("GET "))).toEqual([]);
    expect(ids(stack)).toEqual(before);
    expect((await stack.up(resources, "--refresh", "--expect-no-changes")).code).toBe(0);
  });

  it("is worked by the plugin's classes once they have it", async () => {
    stack.imports = pluginClasses;
    const changed = structuredClone(resources);
    Object.assign(changed.shares?.["mail"] ?? {}, { target: "mail.internal:25" });
    const run = await stack.up(changed);
    expect([run.code, run.errors, run.steps]).toEqual([0, [], ["update mail"]]);
    expect(stack.calls()).toEqual([`PATCH /ipsec-shares/${before["mail"] ?? ""}`]);
    expect((await stack.destroy()).code).toBe(0);
    expect(stack.alive()).toEqual([]);
  });
});
