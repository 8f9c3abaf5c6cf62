import { type Emulator, startEmulator } from "../../emulator";
import { start } from "../harness/command";
import { installed, Place } from "./command";

let emulator: Emulator;
let place: Place;

beforeEach(async () => {
  emulator = await startEmulator();
  place = new Place(emulator);
  emulator.seedTunnel({ id: "tnl-1", name: "hq" });
  emulator.seedShare({ id: "shr-1", name: "web", ipsecTunnelId: "tnl-1" });
});
afterEach(async () => {
  await emulator.close();
  place.remove();
});

/** Once the command has looked so often. */
const looked = async (times: number) => {
  while (emulator.requests.filter(({ path }) => path === "/ipsec-shares").length < times)
    await new Promise((resolve) => setTimeout(resolve, 20));
};

describe("frontdoor watch", () => {
  it("ends at once where all is settled", async () => {
    const { code, stdout, stderr } = await place.run(["watch"]);
    expect([code, stdout]).toEqual([0, ""]);
    expect(stderr).toBe("front door fd-1: 2 DEPLOYED\nall is settled: 2 DEPLOYED\n");
  });

  it("prints a line for each change, until all is settled", async () => {
    emulator.setStatus("shr-1", "NEW");
    const running = place.run(["watch"]);
    await looked(1);
    emulator.seedShare({ id: "shr-2", name: "db", ipsecTunnelId: "tnl-1", status: "DELETING" });
    await looked(2);
    emulator.setStatus("shr-1", "DEPLOYED");
    emulator.removeShare("shr-2");
    const { code, stdout, stderr } = await running;
    expect(code).toBe(0);
    expect(stdout).toMatch(/^\d\d:\d\d:\d\d share db \(shr-2\) DELETING\n/);
    expect(stdout).toMatch(/^\d\d:\d\d:\d\d share web \(shr-1\) NEW → DEPLOYED after [345] s$/m);
    expect(stdout).toMatch(/^\d\d:\d\d:\d\d share db \(shr-2\) DELETING → gone after \d s$/m);
    expect(stderr).toMatch(/all is settled: 2 DEPLOYED\n$/);
  });

  it("fails on ERROR, and where the time is over", async () => {
    emulator.setStatus("shr-1", "ERROR");
    const broken = await place.run(["watch", "--json"]);
    expect(broken.code).toBe(1);
    expect(broken.stderr).toMatch(/in ERROR: share web \(shr-1\) ERROR\n$/);
    expect(JSON.parse(broken.stdout)).toMatchObject({
      isSettled: true,
      changes: [],
      now: [{ id: "tnl-1" }, { status: "ERROR" }],
    });

    emulator.setStatus("shr-1", "NEW");
    const late = await place.run(["watch", "--for", "1s"]);
    expect([late.code, late.stdout]).toEqual([1, ""]);
    expect(late.stderr).toMatch(/not settled in time: share web \(shr-1\) NEW\n$/);
    expect((await place.run(["watch", "--for", "soon"])).code).toBe(2);
  });

  it("is ended by Ctrl-C", async () => {
    emulator.setStatus("shr-1", "NEW");
    const running = start(process.execPath, [installed, "watch"], place.where({}));
    await looked(1);
    process.kill(running.pid, "SIGINT");
    expect((await running.end).code).not.toBe(0);
  });
});
