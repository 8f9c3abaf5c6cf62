import { ownStack } from "../harness/own-stack";
import { Stack } from "../harness/stack";
import { peer } from "../harness/things";
import { onImported, records } from "../recorded/records";

const web = { ipsecTunnelId: "tnl-1", envZId: "env-1", target: "web.internal:443", ingressPort: 443 };

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

it("an update plan of a new tunnel with a share and a set fits, also for a stack that exports the shares", async () => {
  const stack = await ownStack();
  const program = `
    const hq = new frontdoor.IpsecTunnel("hq", ${JSON.stringify(peer)});
    new frontdoor.IpsecShare("web", { ...${JSON.stringify(web)}, ipsecTunnelId: hq.id });
    const more = new frontdoor.IpsecShareSet("more", { ...${JSON.stringify(set)}, ipsecTunnelId: hq.id });
    Object.assign(exports, { id: hq.id, ids: more.ids, shares: more.shares });`;
  expect(await stack.preview(program, "--save-plan", "plan.json")).toMatchObject({ code: 0, errors: [] });
  expect(await stack.up(program, "--plan", "plan.json")).toMatchObject({ code: 0, errors: [] });
  expect(await stack.up(program, "--expect-no-changes")).toMatchObject({ code: 0 });
  expect(stack.stateText()).not.toContain("__tunnel");
});

it("retainOnDelete refuses to replace a tunnel at its location, and keeps the old one if the tunnel moves", async () => {
  const stack = await ownStack();
  const opts = { retainOnDelete: true };
  const program = (edit: object = {}) => ({
    tunnels: { hq: { ...peer, locationId: "loc-1", ...edit, opts } },
    shares: { web: { ...web, ipsecTunnelId: { tunnel: "hq" }, opts } },
  });
  expect(await stack.up(program())).toMatchObject({ code: 0 });
  stack.writes();
  const edit = { peerPublicIp: "203.0.113.9" };
  for (const run of [await stack.preview(program(edit)), await stack.up(program(edit))]) {
    expect(run.code).not.toBe(0);
    expect(run.errors.join("\n")).toMatch(/"engine-test-hq".*\[retained-tunnel\]/);
  }
  expect([stack.writes(), stack.entered()]).toEqual([[], ["hq tnl-1", "web shr-1"]]);
  expect(await stack.up(program({ ...edit, locationId: "loc-2" }))).toMatchObject({ code: 0, errors: [] });
  expect(stack.alive()).toEqual(["shr-1", "tnl-1", "tnl-2"]);
});

it.each(records)("a state that version %s recorded needs no change and no write, also after a refresh", (record) =>
  onImported(record, async (stack) => {
    expect(Object.keys(stack.kept()).length).toBeGreaterThan(5);
    for (const run of [await stack.preview({}), await stack.up({}, "--refresh")])
      expect(run).toMatchObject({ code: 0, errors: [], steps: [] });
    expect(stack.writes()).toEqual([]);
  }),
);
