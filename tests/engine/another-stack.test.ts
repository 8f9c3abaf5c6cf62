import { Stack } from "../harness/stack";

// Without names: all stacks here are of one project and one name, so they derive the same ones.
const resources = {
  tunnels: { hq: { peerPublicIp: "203.0.113.7", peerCidr: "10.20.0.0/16", locationId: "loc-1" } },
  shares: { web: { ipsecTunnelId: "tnl-shared", envZId: "env-1", target: "web.internal:443", ingressPort: 443 } },
};

describe("a second stack of the same project and name", () => {
  let first: Stack;
  let theirs: string[];
  let shown: object[];
  const atTheService = () => [...first.emulator.tunnels(), ...first.emulator.shares()];

  /** Its up takes nothing over and says what to do; its destroy finds nothing to destroy. */
  const expectRefused = async (second: Stack) => {
    const run = await second.up(resources, "--continue-on-error");
    expect(run.code).not.toBe(0);
    const errors = run.errors.join("\n");
    for (const id of theirs) expect(errors).toContain(id);
    expect(errors).toMatch(/\badopt\b/);
    expect(errors).toMatch(/another name/);
    expect(errors).toMatch(/frontdoor:takeOver/);
    expect(second.kept()).toEqual({});
    expect(await second.destroy()).toMatchObject({ code: 0 });
    expect(first.writes()).toEqual([]);
    expect(atTheService()).toEqual(shown);
  };

  beforeAll(async () => {
    first = await Stack.open();
    first.emulator.seedTunnel({ id: "tnl-shared", locationId: "loc-shared" });
    expect(await first.up(resources)).toMatchObject({ code: 0 });
    theirs = [first.id("hq"), first.id("web")];
    shown = atTheService();
    first.writes();
  });
  afterAll(() => first.close());

  it("takes nothing over from a developer on another machine", async () => {
    const second = await Stack.on(first.emulator);
    try {
      await expectRefused(second);
    } finally {
      second.forget();
    }
  });

  it("takes nothing over from the same folder with another back end", async () => {
    await first.init("test", "other-back-end");
    await expectRefused(first);
  });

  it("takes nothing over from the same folder where the first run failed elsewhere and was saved", async () => {
    await first.init("half", "state");
    // Its port is taken.
    const refused = { ...resources.shares.web, name: "refused", target: "refused.internal:443" };
    const half = { shares: { db: { ...resources.shares.web, ingressPort: 5432 }, refused } };
    expect((await first.up(half, "--continue-on-error")).code).not.toBe(0);
    const id = first.id("db");
    first.writes();

    await first.init("half", "third-back-end");
    const run = await first.up(half, "--continue-on-error");
    expect(run.code).not.toBe(0);
    expect(run.errors.join("\n")).toContain(id);
    expect(first.kept()).toEqual({});
    expect(await first.destroy()).toMatchObject({ code: 0 });
    expect(first.writes().filter((write) => write.includes(id))).toEqual([]);
    first.emulator.removeShare(id);
  });

  it("takes nothing over from a stack that was renamed, which goes on as it was", async () => {
    const renamed = await Stack.on(first.emulator, { stack: "dev" });
    try {
      const dev = {
        tunnels: { hq: { ...resources.tunnels.hq, locationId: "loc-2" } },
        shares: { web: { ...resources.shares.web, ingressPort: 445 } },
      };
      expect(await renamed.up(dev)).toMatchObject({ code: 0 });
      const ids = [renamed.id("hq"), renamed.id("web")];
      await renamed.rename("prod");
      expect(await renamed.preview(dev, "--expect-no-changes")).toMatchObject({ code: 0 });
      renamed.writes();

      await renamed.init("dev");
      const run = await renamed.up(dev, "--continue-on-error");
      expect(run.code).not.toBe(0);
      for (const id of ids) expect(run.errors.join("\n")).toContain(id);
      expect(renamed.kept()).toEqual({});
      expect(await renamed.destroy()).toMatchObject({ code: 0 });
      expect(renamed.writes()).toEqual([]);
    } finally {
      renamed.forget();
    }
  });

  it("takes over what is alike with takeOver alike, and it is its own then", async () => {
    await first.init("test", "last-back-end");
    first.env["FRONTDOOR_TAKE_OVER"] = "alike";
    expect(await first.up(resources)).toMatchObject({ code: 0 });
    expect(first.writes()).toEqual([]);
    expect([first.id("hq"), first.id("web")]).toEqual(theirs);
    expect(await first.destroy()).toMatchObject({ code: 0 });
    const deletes = [`DELETE /ipsec-shares/${theirs[1] ?? ""}`, `DELETE /ipsec-tunnels/${theirs[0] ?? ""}`];
    expect(first.writes().sort()).toEqual(deletes);
  });
});
