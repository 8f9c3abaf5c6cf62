import { ownToken } from "../harness/plugin";
import { Stack } from "../harness/stack";

const web = { ipsecTunnelId: "tnl-1", envZId: "env-1", target: "web.internal:443", ingressPort: 443 };
const set = { ipsecTunnelId: "tnl-1", envZId: "env-1", shares: { db: { target: "db.internal:1", ingressPort: 1 } } };
const urn = (type: string, name: string) => `urn:pulumi:test::engine::${ownToken(type)}::${name}`;
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
