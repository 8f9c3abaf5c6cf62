import { readFileSync, statSync } from "node:fs";
import { type Emulator, startEmulator } from "../../emulator";
import { Place } from "./command";

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

const asked = () =>
  emulator.requests.filter(({ path }) => path.endsWith("/metrics")).map(({ path, query }) => `${path}?${query}`);

describe("frontdoor metrics", () => {
  it("plots each series of a tunnel, by its name", async () => {
    const { code, stdout } = await place.run(["metrics", "hq", "--window", "1d"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^hq \(tnl-1\)\n/);
    for (const name of ["bytesIn \\(bytes\\)", "bytesOut \\(bytes\\)", "activeConnections \\(count\\)"])
      expect(stdout).toMatch(new RegExp(`^${name}, highest \\d`, "m"));
    expect(stdout).toContain("┤");
    expect(stdout.split("\n").filter((line) => line.length > 80)).toEqual([]);
    expect(asked()).toEqual(["/ipsec-tunnels/tnl-1/metrics?window=1d"]);
  });

  it("of a share asks for the span as its duration, and --json prints the answer as it is", async () => {
    const { code, stdout } = await place.run(["metrics", "web", "--window", "15m", "--json"]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ id: "shr-1", series: [{ name: "bytesIn" }, {}, {}] });
    expect(asked()).toEqual(["/ipsec-shares/shr-1/metrics?duration=15m"]);
  });

  it("--svg writes an image of all of them", async () => {
    const { code, stdout, stderr } = await place.run(["metrics", "tnl-1", "--svg", "hq.svg"]);
    expect([code, stdout, stderr]).toEqual([0, "", "hq.svg: written\n"]);
    const svg = readFileSync(place.path("hq.svg"), "utf8");
    expect(svg).toMatch(/^<svg /);
    for (const name of ["hq (tnl-1)", "bytesIn (bytes)", "activeConnections (count)"]) expect(svg).toContain(name);
  });

  it("plots a series of 180,000 points, in the terminal and as an image", async () => {
    const points = Array.from({ length: 180_000 }, (_, index) => [
      1_700_000_000 + index,
      index === 90_001 ? 77_000 : 1,
    ]);
    emulator.faults.answerNext({ path: "/ipsec-tunnels/tnl-1/metrics", status: 200, body: { points }, times: 2 });
    const plotted = await place.run(["metrics", "hq"]);
    expect([plotted.code, plotted.stderr]).toEqual([0, ""]);
    expect(plotted.stdout).toMatch(/^value, highest 77K$/m);
    expect(plotted.stdout).toContain("┤");
    expect((await place.run(["metrics", "hq", "--svg", "hq.svg"])).code).toBe(0);
    expect(statSync(place.path("hq.svg")).size).toBeLessThan(100_000);
  });

  it("shows what holds no series as it came", async () => {
    emulator.faults.answerNext({ path: "/ipsec-tunnels/tnl-1/metrics", status: 200, body: { bytes: 12 }, times: 2 });
    const shown = await place.run(["metrics", "hq"]);
    expect([shown.code, JSON.parse(shown.stdout)]).toEqual([0, { bytes: 12 }]);
    expect(shown.stderr).toMatch(/holds no time series/);
    expect((await place.run(["metrics", "hq", "--svg", "hq.svg"])).code).toBe(1);
  });

  it("asks which, where a tunnel and a share have the name", async () => {
    emulator.seedShare({ id: "shr-2", name: "hq", ipsecTunnelId: "tnl-1" });
    const { code, stderr } = await place.run(["metrics", "hq"]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/hq is a tunnel and a share: say which by --kind/);
    expect((await place.run(["metrics", "hq", "--kind", "share", "--json"])).stdout).toContain('"shr-2"');
  });

  it.each([
    [["hq", "--window", "2d"], /--window of a tunnel must be one of 30m, 1h, 1d, 7d/],
    [["hq", "--window", "a b"], /--window must be a span of time/],
    [["hq", "--kind", "door"], /Allowed choices are tunnel, share/],
    [[], /missing required argument/],
  ])("%j is wrong usage", async (args, message) => {
    const { code, stderr } = await place.run(["metrics", ...args]);
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
  });
});
