import { type Resources, Stack } from "../harness/stack";

// The engine asks the old dependents of t2 with an unknown tunnel, s1 among them, whatever s1's own registration says.
describe("a share moves from a tunnel to another while the first one's peerCidr changes", () => {
  const share = (n: number, tunnel: string) => ({
    name: `s${n}`,
    ipsecTunnelId: { tunnel },
    envZId: "env-1",
    target: `host-${n}.internal:443`,
    ingressPort: 1000 + n,
  });
  const t1 = { name: "t1", peerPublicIp: "203.0.113.7", peerCidr: "10.20.0.0/16", locationId: "loc-1" };
  const t2 = { name: "t2", peerPublicIp: "203.0.113.8", peerCidr: "10.21.0.0/16", locationId: "loc-2" };
  const before = { tunnels: { t1, t2 }, shares: { s1: share(1, "t2"), s2: share(2, "t2"), s3: share(3, "t1") } };
  const shares = { s1: share(1, "t1"), s2: share(2, "t2"), s3: share(3, "t1") };
  const changed = { ...t2, peerCidr: "10.125.0.0/16" };

  let stack: Stack;
  let old: Record<string, string>;
  beforeEach(async () => {
    // A new share is there before the old one has gone.
    stack = await Stack.open({ provisionMs: 50, teardownMs: 600 });
    expect(await stack.up(before)).toMatchObject({ code: 0 });
    old = Object.fromEntries(Object.keys(stack.kept()).map((name) => [name, stack.id(name)]));
    stack.writes();
  });
  afterEach(() => stack.close());

  const edits: [string, Resources, string[]][] = [
    ["the tunnel first", { tunnels: { t1, t2: changed }, shares }, []],
    ["the share first", { tunnels: { t1, t2: { ...changed, opts: { after: "s1" } } }, shares }, []],
    ["the tunnel first, one at a time", { tunnels: { t1, t2: changed }, shares }, ["--parallel", "1"]],
    [
      "the share first, one at a time",
      { tunnels: { t1, t2: { ...changed, opts: { after: "s1" } } }, shares },
      ["--parallel", "1"],
    ],
  ];

  /** Everything declared is there once, at the service and in the state, where the program puts it; what did not change was not touched. */
  const isRight = (run: object, writes: string[]) => {
    expect(run).toMatchObject({ code: 0, errors: [] });
    const id = (name: string) => stack.id(name);
    expect(stack.entered()).toEqual(["s1", "s2", "s3", "t1", "t2"].map((name) => `${name} ${id(name)}`));
    expect(stack.alive()).toEqual(["s1", "s2", "s3", "t1", "t2"].map(id).sort());
    expect([id("t1"), id("s3")]).toEqual([old["t1"], old["s3"]]);
    expect(writes.filter((write) => write.includes(`/${id("t1")} `) || write.includes(`/${id("s3")}`))).toEqual([]);
    const [tunnels, placed] = [stack.emulator.tunnels(), stack.emulator.shares()];
    expect(tunnels.find((tunnel) => tunnel.id === id("t2"))).toMatchObject({ peerCidr: "10.125.0.0/16" });
    const on = (name: string) => placed.find((each) => each.id === id(name))?.ipsecTunnelId;
    expect([on("s1"), on("s2"), on("s3")]).toEqual([id("t1"), id("t2"), id("t1")]);
  };

  it.each(edits)("ends right in one run: %s", async (_order, resources, flags) => {
    const run = await stack.steadyUp(resources, ...flags);
    isRight(run, stack.writes());
  });

  it("is told by a preview where the other tunnel is new", async () => {
    const t3 = { name: "t3", peerPublicIp: "203.0.113.9", peerCidr: "10.22.0.0/16", locationId: "loc-3" };
    const resources = { tunnels: { t1, t2, t3 }, shares: { ...before.shares, s1: share(1, "t3") } };
    expect(await stack.preview(resources)).toMatchObject({ code: 0, steps: ["create t3", "update s1"] });
    expect(await stack.steadyUp(resources)).toMatchObject({ code: 0, steps: ["create t3", "update s1"] });
    expect(stack.writes()).toEqual([
      expect.stringContaining("POST /ipsec-tunnels"),
      expect.stringContaining(`PATCH /ipsec-shares/${stack.id("s1")}`),
    ]);
  });

  it.each(edits.slice(0, 2))(
    "ends right after a run that failed on the new tunnel: %s",
    async (_order, resources, flags) => {
      stack.emulator.faults.answerNext({ method: "POST", path: /^\/ipsec-tunnels$/, status: 403 });
      expect((await stack.steadyUp(resources, ...flags)).code).not.toBe(0);
      isRight(await stack.steadyUp(resources, ...flags), stack.writes());
    },
  );

  it("does not hang where another step fails meanwhile, and ends right in the next run", async () => {
    Object.assign(stack.emulator.settings, { provisionMs: 2000, teardownMs: 5000 });
    const t4 = { name: "t4", peerPublicIp: "203.0.113.9", peerCidr: "10.40.0.0/16", locationId: "loc-4" };
    stack.emulator.faults.failNext({ kind: "tunnel", op: "create" });
    const run = await stack.steadyUp({ tunnels: { t4, t1, t2: changed }, shares });
    expect(run.code).not.toBe(0);
    Object.assign(stack.emulator.settings, { provisionMs: 50, teardownMs: 600 });
    isRight(await stack.steadyUp({ tunnels: { t1, t2: changed }, shares }), stack.writes());
  });
});
