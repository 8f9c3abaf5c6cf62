import { Stack } from "../../harness/stack";

const lagMs = 12_000;

describe("an update that timed out while reads still showed the old values, rolled back", () => {
  it.each([
    ["at once", false],
    ["after a refresh that saw the old values too", true],
  ])("ends with the service on the rolled-back values, %s", async (_, isRefreshed) => {
    const stack = await Stack.open();
    try {
      stack.emulator.seedTunnel({ id: "tnl-1" });
      const web = (target: string, update: string) => ({
        shares: {
          web: {
            ...{ ipsecTunnelId: "tnl-1", envZId: "env-1", target, ingressPort: 443 },
            opts: { customTimeouts: { update } },
          },
        },
      });
      expect(await stack.up(web("old.internal:443", "2s"))).toMatchObject({ code: 0 });
      stack.writes();

      Object.assign(stack.emulator.settings, { readLagMs: lagMs, listLagMs: lagMs });
      expect((await stack.up(web("new.internal:443", "2s"))).code).not.toBe(0);
      expect(stack.writes()).toEqual([`PATCH /ipsec-shares/${stack.id("web")} {"target":"new.internal:443"}`]);
      if (isRefreshed) expect((await stack.refresh()).code).toBe(0);

      const run = await stack.up(web("old.internal:443", "2m"));
      expect(run.text).not.toContain("error:");
      // What is true now, whatever reads show.
      expect(stack.emulator.shares()).toMatchObject([{ target: "old.internal:443", status: "DEPLOYED" }]);
      Object.assign(stack.emulator.settings, { readLagMs: 0, listLagMs: 0 });
      expect(await stack.refresh("--expect-no-changes")).toMatchObject({ code: 0 });
    } finally {
      await stack.close();
    }
  });
});
