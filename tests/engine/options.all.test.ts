import { pluginClasses } from "../harness/environment";
import { ownStack } from "../harness/own-stack";
import { Stack } from "../harness/stack";
import { peer } from "../harness/things";
import { onImported, records } from "../recorded/records";

const web = { ipsecTunnelId: "tnl-1", envZId: "env-1", target: "web.internal:443", ingressPort: 443 };

const slowMs = 600_000;

describe("customTimeouts that a stack transformation sets for the plugin", () => {
  let stack: Stack;
  const program = (target: string, withShort = true) => `
    const short = { customTimeouts: { create: "2s", update: "2s", delete: "2s" } };
    const shorten = ({ props, opts }) => ({ props, opts: pulumi.mergeOptions(opts, short) });
    if (${withShort}) pulumi.runtime.registerStackTransformation(shorten);
    new frontdoor.IpsecShare("web", { ipsecTunnelId: "tnl-1", envZId: "env-1", target: "${target}", ingressPort: 443 });
    new frontdoor.IpsecTunnel("hq", { peerPublicIp: "203.0.113.7", peerCidr: "10.20.0.0/16", locationId: "loc-2" });`;

  /** It fails with these messages, however late a busy machine is; without them nothing would end while the test waits. */
  const expectTimedOut = ({ code, errors }: { code: number; errors: string[] }, ...resources: string[]) => {
    expect(code).not.toBe(0);
    for (const name of resources)
      expect(errors.filter((error) => error.startsWith(`${name}: `) && / after \d+ s/.test(error))).toHaveLength(1);
  };
  const ready = () => {
    for (const name of ["web", "hq"]) stack.emulator.setStatus(stack.id(name), "DEPLOYED");
  };

  beforeAll(async () => {
    stack = await Stack.open({ teardownMs: slowMs }, { imports: pluginClasses });
    stack.emulator.seedTunnel({ id: "tnl-1", locationId: "loc-1" });
  });
  afterAll(() => stack.close());

  it("end a create", async () => {
    stack.emulator.settings.provisionMs = slowMs;
    expectTimedOut(await stack.up(program("web.internal:443")), "web", "hq");
    ready();
    expect(await stack.up(program("web.internal:443"))).toMatchObject({ code: 0 });
  });

  it("end an update", async () => {
    expectTimedOut(await stack.up(program("web2.internal:443")), "web");
    ready();
    stack.emulator.settings.provisionMs = 100;
    expect(await stack.up(program("web2.internal:443"))).toMatchObject({ code: 0 });
    // By themselves they are no change.
    expect(await stack.preview(program("web2.internal:443", false), "--expect-no-changes")).toMatchObject({ code: 0 });
  });

  it("end a delete", async () => {
    expectTimedOut(await stack.destroy(), "web", "hq");
  });
});

const set = { ipsecTunnelId: "tnl-1", envZId: "env-1", shares: { db: { target: "db.internal:1", ingressPort: 1 } } };

const urn = (type: string, name: string) => `urn:pulumi:test::engine::pulumi-nodejs:dynamic/frontdoor:${type}::${name}`;

const replace = ["--replace", urn("IpsecShare", "web"), "--replace", urn("IpsecShareSet", "services")];

// Each test begins with what the one before it left.
describe("up --replace", () => {
  let stack: Stack;
  let id: string;
  const program = (share: object = {}, more: object = {}) => ({
    shares: { web: { ...web, ...share } },
    sets: { services: { ...set, ...more } },
  });
  const first = { opts: { deleteBeforeReplace: true } };
  beforeAll(async () => {
    stack = await Stack.open();
    stack.emulator.seedTunnel({ id: "tnl-1" });
    expect(await stack.up(program())).toMatchObject({ code: 0 });
    id = stack.id("web");
    stack.writes();
  });
  afterAll(() => stack.close());

  // The engine creates the new one first. Until then it tells the provider nothing of the old one, which looks like anybody's.
  it("refuses a share and a set beside the old ones, says what to set, and leaves everything as it was", async () => {
    const before = stack.entered();
    const run = await stack.up(program(), ...replace, "--continue-on-error");
    expect(run.code).not.toBe(0);
    expect(run.text.match(/\[(identical-exists|port-in-use)\]/g)?.length).toBeGreaterThanOrEqual(2);
    expect([stack.writes(), stack.entered()]).toEqual([[], before]);
    expect(await stack.up(program())).toMatchObject({ code: 0, steps: [] });
  });

  it("leaves alone a share that the program adopts", async () => {
    expect(await stack.steadyUp(program({ adopt: id }), ...replace.slice(0, 2))).toMatchObject({ code: 0 });
    expect([stack.writes(), stack.id("web")]).toEqual([[], id]);
  });

  it("deletes and creates both with deleteBeforeReplace", async () => {
    expect(await stack.up(program(first, first), ...replace)).toMatchObject({ code: 0 });
    const methods = stack.writes().map((write) => write.split(" ")[0]);
    expect(methods.sort()).toEqual(["DELETE", "DELETE", "POST", "POST"]);
    expect(stack.id("web")).not.toBe(id);
  });

  it("is continued by the next up when the create failed, although the program adopts the deleted share", async () => {
    const opts = { deleteBeforeReplace: true, replaceOnChanges: ["target"] };
    const edit = program({ adopt: stack.id("web"), target: "other.internal:443", opts });
    stack.emulator.faults.answerNext({ method: "POST", path: /^\/ipsec-shares$/, status: 403 });
    expect((await stack.up(edit)).code).not.toBe(0);
    expect(stack.calls()).toEqual([expect.stringMatching(/^DELETE/), "POST /ipsec-shares"]);
    expect(await stack.steadyUp(edit)).toMatchObject({ code: 0, errors: [] });
    expect(stack.calls()).toEqual(["POST /ipsec-shares"]);
  });

  it("leaves a stack that destroy --run-program destroys", async () => {
    const run = await stack.run("destroy", "--yes", "--skip-preview", "--run-program", "--stack", "test");
    expect([run.code, stack.alive()]).toEqual([0, ["tnl-1"]]);
  });
});

describe("a tunnel that Pulumi replaces without asking for the order", () => {
  const tunnel = (opts: object = {}) => ({ tunnels: { hq: { ...peer, opts } } });
  const replaceHq = ["--replace", urn("IpsecTunnel", "hq")];
  let stack: Stack;
  beforeAll(async () => {
    stack = await Stack.open();
    expect(await stack.up(tunnel({ replacementTrigger: 1 }))).toMatchObject({ code: 0 });
    stack.writes();
  });
  afterAll(() => stack.close());

  it.each([
    ["--replace", tunnel({ replacementTrigger: 1 }), replaceHq],
    ["replacementTrigger", tunnel({ replacementTrigger: 2 }), []],
  ])("by %s, creates nothing, and the error names rotation and the option", async (_how, program, flags) => {
    const run = await stack.up(program, ...flags);
    expect(run.code).not.toBe(0);
    expect(run.text).toMatch(/another `rotation`.*`deleteBeforeReplace: true`/s);
    expect(stack.writes()).toEqual([]);
  });

  it("is not adopted again by alike: the run fails, and says that nothing was replaced", async () => {
    stack.env["FRONTDOOR_TAKE_OVER"] = "alike";
    const id = stack.id("hq");
    const run = await stack.up(tunnel({ replacementTrigger: 1 }), ...replaceHq);
    stack.env["FRONTDOOR_TAKE_OVER"] = undefined;
    expect(run.code).not.toBe(0);
    expect(run.text).toMatch(/made a create of this run adopt it.*\[replace-order\]/s);
    expect(await stack.up(tunnel({ replacementTrigger: 1 }))).toMatchObject({ code: 0 });
    expect([stack.writes(), stack.id("hq")]).toEqual([[], id]);
  });
});

describe("a create of the plugin's that ended at its deadline is read before the next up compares", () => {
  const hq = peer;

  const program = (opts: object) => `new frontdoor.IpsecTunnel("hq", ${JSON.stringify(hq)}, ${JSON.stringify(opts)});`;

  const isAlwaysSlow = { provisionMs: 600_000 };

  let stack: Stack;
  beforeEach(async () => {
    stack = await ownStack(isAlwaysSlow, { imports: pluginClasses });
    const run = await stack.up(program({ customTimeouts: { create: "1s" } }));
    expect(run.errors.join("\n")).toContain("[deadline]");
    stack.emulator.settings.provisionMs = 300;
  });

  it("so that one run replaces a tunnel that has ended in ERROR since", async () => {
    const id = stack.id("hq");
    stack.emulator.setStatus(id, "ERROR");
    expect(await stack.steadyUp(program({}))).toMatchObject({ code: 0, errors: [] });
    expect(stack.calls()).toEqual(["POST /ipsec-tunnels", `DELETE /ipsec-tunnels/${id}`, "POST /ipsec-tunnels"]);
  });

  it("so that one run creates a tunnel again that somebody has deleted since", async () => {
    stack.emulator.removeTunnel(stack.id("hq"));
    expect(await stack.steadyUp(program({}))).toMatchObject({ code: 0, errors: [] });
    expect(stack.calls()).toEqual(["POST /ipsec-tunnels", "POST /ipsec-tunnels"]);
  });
});

it.each(records)("a state that version %s recorded needs no change and no write, also after a refresh", (record) =>
  onImported(record, async (stack) => {
    expect(Object.keys(stack.kept()).length).toBeGreaterThan(5);
    for (const run of [await stack.preview({}), await stack.up({}, "--refresh")])
      expect(run).toMatchObject({ code: 0, errors: [], steps: [] });
    expect(stack.writes()).toEqual([]);
  }),
);
