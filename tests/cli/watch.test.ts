import { useEmulator } from "./command";

const here = useEmulator((emulator) => {
  emulator.seedTunnel({ id: "tnl-1", name: "hq" });
  emulator.seedShare({ id: "shr-1", name: "web", ipsecTunnelId: "tnl-1" });
});

/** Once the command has looked so often. */
const looked = async (times: number) => {
  while (here.emulator.requests.filter(({ path }) => path === "/ipsec-shares").length < times)
    await new Promise((resolve) => setTimeout(resolve, 20));
};

describe("frontdoor watch", () => {
  it("ends at once if no status is changing", async () => {
    const { code, stdout, stderr } = await here.run("watch");
    expect([code, stdout]).toEqual([0, ""]);
    expect(stderr).toBe("front door fd-1: 2 DEPLOYED\nno status is changing: 2 DEPLOYED\n");
  });

  it("prints a line for each change, until no status is changing", async () => {
    here.emulator.setStatus("shr-1", "NEW");
    const running = here.run("watch");
    await looked(1);
    here.emulator.seedShare({ id: "shr-2", name: "db", ipsecTunnelId: "tnl-1", status: "DELETING" });
    await looked(2);
    here.emulator.setStatus("shr-1", "DEPLOYED");
    here.emulator.removeShare("shr-2");
    const { code, stdout, stderr } = await running;
    expect(code).toBe(0);
    for (const change of [
      "db (shr-2) DELETING",
      "web (shr-1) NEW → DEPLOYED after",
      "db (shr-2) DELETING → gone after",
    ])
      expect(stdout.replace(/^\d\d:\d\d:\d\d share /gm, "\n")).toContain(`\n${change}`);
    expect(stderr).toMatch(/no status is changing: 2 DEPLOYED\n$/);
  });

  it("fails on ERROR, and once the time is over", async () => {
    here.emulator.setStatus("shr-1", "ERROR");
    const broken = await here.run("watch --json");
    expect([broken.code, broken.stderr]).toEqual([
      1,
      expect.stringMatching(/the status ERROR: share web \(shr-1\) ERROR\. .*\[status-error\]\n$/),
    ]);
    const now = [{ id: "tnl-1" }, { status: "ERROR" }];
    expect(JSON.parse(broken.stdout)).toMatchObject({ isSettled: true, changes: [], now });

    here.emulator.setStatus("shr-1", "NEW");
    const late = await here.run("watch --for 1s");
    expect([late.code, late.stdout]).toEqual([1, ""]);
    expect(late.stderr).toMatch(/still changing: share web \(shr-1\) NEW\. .*\[still-changing\]\n$/);
    expect((await here.run("watch --for soon")).code).toBe(2);
  });
});
