import type { Resources, Stack } from "../harness/stack";
import { openUp, urn } from "./program";

// One tunnel is allowed per front door and location, and the engine decides the order: what can't end right is refused at preview.
describe("tunnels that change places in one edit", () => {
  const tunnel = (n: number, place: string) => ({
    name: `t${n}`,
    peerPublicIp: `203.0.113.${n}`,
    peerCidr: `10.${n}.0.0/16`,
    locationId: `loc-${place}`,
  });
  const share = (name: string, on: string, ingressPort: number) => ({
    name,
    ipsecTunnelId: { tunnel: on },
    envZId: "env-1",
    target: `${name}.internal:443`,
    ingressPort,
  });
  const shares = { s1: share("s1", "t1", 443), s2: share("s2", "t2", 443) };
  const names = ["s1", "s2", "t1", "t2"];

  /** t1 and t2 at these places; `isReversed` registers t2 first. */
  const at = (first: string, second: string, isReversed = false, opts = {}): Resources => {
    const tunnels = [
      ["t1", { ...tunnel(1, first), opts }],
      ["t2", { ...tunnel(2, second), opts }],
    ] as const;
    return { tunnels: Object.fromEntries(isReversed ? tunnels.toReversed() : tunnels), shares };
  };

  let stack: Stack;
  beforeEach(async () => {
    stack = await openUp(at("1", "2"));
  });
  afterEach(() => stack.close());

  /** All four are at the service once, and in the state under these ids; the tunnels where the program wants them, each with its share. */
  const isRight = (first: string, second: string) => {
    expect(stack.entered()).toEqual(names.map((name) => `${name} ${stack.id(name)}`));
    expect(stack.alive()).toEqual(names.map((name) => stack.id(name)).sort());
    const [tunnels, placed] = [stack.emulator.tunnels(), stack.emulator.shares()];
    const place = (name: string) => tunnels.find(({ id }) => id === stack.id(name))?.locationId;
    const on = (name: string) => placed.find(({ id }) => id === stack.id(name))?.ipsecTunnelId;
    expect([place("t1"), place("t2")]).toEqual([`loc-${first}`, `loc-${second}`]);
    expect([on("s1"), on("s2")]).toEqual([stack.id("t1"), stack.id("t2")]);
  };

  /** Refused by preview and by `up` alike, with the holder and what to do; nothing is written, nothing is lost. */
  const isRefused = async (edit: Resources) => {
    const entered = stack.entered();
    stack.program(edit);
    const run = await stack.run("up", "--yes", "--stack", "test");
    expect(run.code).not.toBe(0);
    expect(stack.writes()).toEqual([]);
    expect(stack.entered()).toEqual(entered);
    expect(stack.alive()).toEqual(names.map((name) => stack.id(name)).sort());
    const said = run.errors.join("\n");
    expect(said).toMatch(new RegExp(`${stack.id("t1")}|${stack.id("t2")}`));
    expect(said).not.toMatch(/adopt/);
    expect(said).toMatch(/first/);
  };

  const edits: [string, { to: [string, string]; isReversed?: boolean; opts?: object; steps: [string, string][] }][] =
    [];
  const first = { deleteBeforeReplace: true };
  const circle: [string, string][] = [
    ["1", "3"],
    ["2", "3"],
    ["2", "1"],
  ];
  const chain: [string, string][] = [
    ["1", "3"],
    ["2", "3"],
  ];
  edits.push(
    ["a circle", { to: ["2", "1"], steps: circle }],
    ["a circle, deleted first", { to: ["2", "1"], opts: first, steps: circle }],
    ["a chain", { to: ["2", "3"], steps: chain }],
    ["a chain, its end registered first", { to: ["2", "3"], isReversed: true, steps: chain }],
    ["a chain, deleted first", { to: ["2", "3"], opts: first, steps: chain }],
    [
      "a chain, deleted first, its end registered first",
      { to: ["2", "3"], isReversed: true, opts: first, steps: chain },
    ],
  );

  it.each(edits)(
    "%s: ends right within two runs, or is refused before anything is written and done step by step",
    async (_name, { to: [one, two], isReversed, opts, steps }) => {
      const edit = at(one, two, isReversed, opts);
      const preview = await stack.preview(edit);
      expect(stack.writes()).toEqual([]);
      if (preview.code !== 0) {
        await isRefused(edit);
        for (const [to1, to2] of steps)
          expect(await stack.steadyUp(at(to1, to2, isReversed, opts))).toMatchObject({ code: 0 });
      } else {
        const run = await stack.steadyUp(edit);
        if (run.code !== 0) expect(await stack.steadyUp(edit)).toMatchObject({ code: 0, errors: [] });
      }
      isRight(one, two);
    },
  );

  it("a chain, deleted first only after it failed: nothing is lost", async () => {
    await stack.steadyUp(at("2", "3"));
    const run = await stack.steadyUp(at("2", "3", false, first));
    if (run.code !== 0) {
      await stack.steadyUp(at("1", "3", false, first));
      expect(await stack.steadyUp(at("2", "3", false, first))).toMatchObject({ code: 0, errors: [] });
    }
    isRight("2", "3");
  });

  const alone = (name: string) => {
    const flags = ["--target", urn("IpsecTunnel", name), "--target-dependents"];
    return stack.run("up", "--yes", "--stack", "test", ...flags);
  };

  it.each([
    ["its holder registered later", false],
    ["its holder registered first", true],
  ])("a chain, %s: is done by the steps that the refusal names", async (_name, isReversed) => {
    const edit = at("2", "3", isReversed);
    // Without a preview the end of the chain may be under way before the rest is refused.
    const refused = await stack.steadyUp(edit);
    expect(refused.errors.join("\n")).toContain("pulumi up --target <its URN> --target-dependents");
    expect(await alone("t2")).toMatchObject({ code: 0, errors: [] });
    expect(await stack.steadyUp(edit)).toMatchObject({ code: 0, errors: [] });
    isRight("2", "3");
  });

  it.each([
    ["removed", { tunnels: {}, shares: {} }],
    ["renamed without an alias", { tunnels: { t3: { ...tunnel(2, "2"), name: "t3" } }, shares: {} }],
  ])("a place whose tunnel is %s in the same edit: refused, and free in the next run", async (_name, others) => {
    const edit = (place: string) => ({
      tunnels: { t1: tunnel(1, place), ...others.tunnels },
      shares: { s1: shares.s1, ...others.shares },
    });
    expect((await stack.steadyUp(edit("2"))).errors.join("\n")).toContain(`${stack.id("t2")} (DEPLOYED) at loc-2`);
    expect(stack.alive()).toEqual(names.map((name) => stack.id(name)).sort());
    const gone = { tunnels: { t1: tunnel(1, "1") }, shares: { s1: shares.s1 } };
    expect(await stack.steadyUp(gone)).toMatchObject({ code: 0, errors: [] });
    const last = Object.keys(others.tunnels).length > 0 ? edit("1") : edit("2");
    expect(await stack.steadyUp(last)).toMatchObject({ code: 0, errors: [] });
    expect(stack.alive()).toEqual(
      Object.keys(stack.kept())
        .map((name) => stack.id(name))
        .sort(),
    );
  });
});
