import { Stack } from "../harness/stack";

const hq = { name: "hq", peerPublicIp: "203.0.113.7", peerCidr: "10.20.0.0/16" };
const web = { name: "web", ipsecTunnelId: "tnl-seeded", envZId: "env-1", target: "web.internal:443", ingressPort: 443 };
const opts = { customTimeouts: { create: "3s", update: "2s", delete: "2s" } };
const patient = { customTimeouts: { create: "1m", update: "1m", delete: "2s" } };

const open = async () => {
  const stack = await Stack.open();
  stack.emulator.seedTunnel({ id: "tnl-seeded", locationId: "loc-seeded" });
  return stack;
};

/** What is stuck becomes ready while the engine waits for it: at the third look at shares from now on. */
function readyWhenWaitedFor({ emulator }: Stack, ids: string[]) {
  let looks = 0;
  emulator.settings.onAnswer = ({ path, method }) => {
    if (method === "GET" && path === "/ipsec-shares") looks += 1;
    if (looks === 3) for (const id of ids) emulator.setStatus(id, "DEPLOYED");
  };
}

describe.each([
  ["the next up", false],
  ["a refresh and the next up", true],
])("a create that customTimeouts end, then %s", (_, isRefreshed) => {
  let stack: Stack;
  const resources = (options: object) => ({
    tunnels: { hq: { ...hq, opts: options } },
    shares: { web: { ...web, opts: options } },
  });

  beforeAll(async () => {
    stack = await open();
  });
  afterAll(() => stack.close());

  it("fails saying so, and keeps what is still NEW", async () => {
    stack.emulator.faults.stickNext({ kind: "tunnel", op: "create" });
    stack.emulator.faults.stickNext({ kind: "share", op: "create" });
    const run = await stack.up(resources(opts));
    expect(run.code).not.toBe(0);
    // A busy machine is early or late.
    const errors = run.errors.join("\n").replace(/after \d+ s/g, "after 3 s");
    const again = 'still NEW after 3 s; it is kept in the state: run "pulumi up" again, it goes on waiting';
    expect(errors).toContain(`IPsec tunnel "hq" (${stack.id("hq")}): ${again}`);
    expect(errors).toContain(`IPsec share "web" (${stack.id("web")}): ${again}`);
    expect(stack.kept()).toMatchObject({ hq: { outputs: { status: "NEW" } }, web: { outputs: { status: "NEW" } } });
    const posts = stack.calls();
    expect(posts.sort()).toEqual(["POST /ipsec-shares", "POST /ipsec-tunnels"]);
  });

  it("only waits from then on", async () => {
    const ids = [stack.id("hq"), stack.id("web")];
    if (isRefreshed) expect(await stack.refresh()).toMatchObject({ code: 0 });
    readyWhenWaitedFor(stack, ids);

    const run = await stack.steadyUp(resources(patient));

    expect(run.code).toBe(0);
    expect(run.steps.sort()).toEqual(["update hq", "update web"]);
    expect(stack.writes()).toEqual([]);
    expect([stack.id("hq"), stack.id("web")]).toEqual(ids);
    const ready = { outputs: { status: "DEPLOYED" } };
    expect(stack.kept()).toMatchObject({ hq: ready, web: ready });
  });
});

describe("an update and a delete that customTimeouts end", () => {
  let stack: Stack;
  let id: string;
  const moved = { ...web, target: "web2.internal:443" };

  beforeAll(async () => {
    stack = await open();
    expect(await stack.up({ shares: { web: { ...web, opts } } })).toMatchObject({ code: 0 });
    id = stack.id("web");
    stack.writes();
  });
  afterAll(() => stack.close());

  it("fails the update, and the next up only waits", async () => {
    stack.emulator.faults.stickNext({ kind: "share", op: "update" });
    const run = await stack.up({ shares: { web: { ...moved, opts } } });
    expect(run.code).not.toBe(0);
    expect(run.errors.join("\n")).toMatch(
      /IPsec share "web" \(shr-\d+\): still NEW after \d+ s; it is kept in the state/,
    );
    expect(stack.writes()).toEqual([`PATCH /ipsec-shares/${id} {"target":"web2.internal:443"}`]);

    readyWhenWaitedFor(stack, [id]);
    expect(await stack.up({ shares: { web: { ...moved, opts: patient } } })).toMatchObject({ code: 0 });
    expect(stack.writes()).toEqual([]);
    expect(stack.kept()["web"]).toMatchObject({ id, outputs: { target: "web2.internal:443", status: "DEPLOYED" } });
  });

  it("takes other customTimeouts for no change", async () => {
    const run = await stack.preview({ shares: { web: { ...moved, opts } } }, "--expect-no-changes");
    expect(run).toMatchObject({ code: 0, steps: [] });
  });

  it("fails the delete, keeps the share, and the next destroy only waits", async () => {
    stack.emulator.faults.stickNext({ kind: "share", op: "delete" });
    const run = await stack.destroy();
    expect(run.code).not.toBe(0);
    expect(run.errors.join("\n")).toMatch(
      /IPsec share "web" \(shr-\d+\): delete: still DELETING after \d+ s; it stays/,
    );
    expect(stack.id("web")).toBe(id);
    expect(stack.writes()).toEqual([`DELETE /ipsec-shares/${id}`]);

    stack.emulator.setStatus(id, "DELETED");
    expect(await stack.destroy()).toMatchObject({ code: 0, steps: ["delete web"] });
    expect(stack.kept()).toEqual({});
  });
});
