import { readFileSync, statSync } from "node:fs";
import { useEmulator } from "./command";

const here = useEmulator((emulator) => {
  emulator.seedTunnel({ id: "tnl-1", name: "hq" });
  emulator.seedShare({ id: "shr-1", name: "web", ipsecTunnelId: "tnl-1" });
});

const answering = (body: object) => {
  here.emulator.faults.answerNext({ path: "/ipsec-tunnels/tnl-1/metrics", status: 200, body, times: 2 });
};
const asked = () =>
  here.emulator.requests.filter(({ path }) => path.endsWith("/metrics")).map(({ path, query }) => `${path}?${query}`);

describe("frontdoor metrics", () => {
  it("plots each series of a tunnel, by its name", async () => {
    const { code, stdout } = await here.run("metrics hq --window 1d");
    expect(code).toBe(0);
    expect(stdout).toMatch(/^hq \(tnl-1\)\n/);
    for (const name of ["bytesIn \\(bytes\\)", "bytesOut \\(bytes\\)", "activeConnections \\(count\\)"])
      expect(stdout).toMatch(new RegExp(`^${name}, highest \\d`, "m"));
    expect(stdout).toContain("┤");
    expect(stdout.split("\n").filter((line) => line.length > 80)).toEqual([]);
    expect(asked()).toEqual(["/ipsec-tunnels/tnl-1/metrics?window=1d"]);
  });

  it("of a share asks for the span as its duration, and --json prints the answer as it is", async () => {
    const { code, stdout } = await here.run("metrics web --window 15m --json");
    expect([code, JSON.parse(stdout)]).toMatchObject([0, { id: "shr-1", series: [{ name: "bytesIn" }, {}, {}] }]);
    expect(asked()).toEqual(["/ipsec-shares/shr-1/metrics?duration=15m"]);
  });

  it("--svg writes an image of all of them", async () => {
    const { code, stdout, stderr } = await here.run("metrics tnl-1 --svg hq.svg");
    expect([code, stdout, stderr]).toEqual([0, "", "hq.svg: written\n"]);
    const svg = readFileSync(here.path("hq.svg"), "utf8");
    expect(svg).toMatch(/^<svg /);
    for (const name of ["hq (tnl-1)", "bytesIn (bytes)", "activeConnections (count)"]) expect(svg).toContain(name);
  });

  it("plots a series of 180,000 points, in the terminal and as an image", async () => {
    const points = Array.from({ length: 180_000 }, (_, at) => [1_700_000_000 + at, at === 90_001 ? 77_000 : 1]);
    answering({ points });
    const plotted = await here.run("metrics hq");
    expect([plotted.code, plotted.stderr]).toEqual([0, ""]);
    expect(plotted.stdout).toMatch(/^value, highest 77K$/m);
    expect((await here.run("metrics hq --svg hq.svg")).code).toBe(0);
    expect(statSync(here.path("hq.svg")).size).toBeLessThan(100_000);
  });

  it("shows an answer without series as it came", async () => {
    answering({ bytes: 12 });
    const shown = await here.run("metrics hq");
    expect([shown.code, JSON.parse(shown.stdout)]).toEqual([0, { bytes: 12 }]);
    expect(shown.stderr).toMatch(/holds no time series/);
    expect((await here.run("metrics hq --svg hq.svg")).code).toBe(1);
  });

  it("asks which, if a tunnel and a share have the name", async () => {
    here.emulator.seedShare({ id: "shr-2", name: "hq", ipsecTunnelId: "tnl-1" });
    const { code, stderr } = await here.run("metrics hq");
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(/hq is a tunnel and a share\. Choose one with --kind\. \[ambiguous-name\]/),
    ]);
    expect((await here.run("metrics hq --kind share --json")).stdout).toContain('"shr-2"');
  });

  it.each([
    ["metrics hq --window 2d", /--window of a tunnel must be one of 30m, 1h, 1d, 7d/],
    ["metrics hq --window a&b", /--window must be a span of time/],
  ])("%s is wrong usage", async (line, message) => {
    const { code, stderr } = await here.run(line);
    expect([code, stderr]).toEqual([2, expect.stringMatching(message)]);
  });
});
