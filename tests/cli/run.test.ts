import { readFileSync, statSync } from "node:fs";
import { useEmulator } from "./command";

const here = useEmulator(
  (emulator) => {
    emulator.seedTunnel({ id: "tnl-1", name: "hq" });
    emulator.seedTunnel({ id: "tnl-2", name: "plant", frontdoorId: "fd-2" });
  },
  { tokens: { one: ["fd-1"], two: ["fd-2"] } },
);

it("two runs in one process have their own front door, folder, colors, time and exit code", async () => {
  const watching = here.workspace.open(["watch", "--serve", "0"], { env: { FRONTDOOR_TOKEN: "one" }, isService: true });
  const colored = here.onTerminal("tunnels", { FRONTDOOR_TOKEN: "two", FRONTDOOR_ID: "fd-2" }).end;
  const plain = here.run("tunnels", { FRONTDOOR_TOKEN: "one" });
  const wrong = here.run("tunnels --sort wrong");
  expect((await colored).stdout).toMatch(/tnl-2 .*plant .*\[32mDEPLOYED/);
  expect((await plain).stdout).toMatch(/^tnl-1 +hq +DEPLOYED/m);
  expect((await wrong).code).toBe(2);
  await watching.clock.passUntil(() => watching.said.stderr.includes("metrics: "));
  expect(await watching.stop()).toMatchObject({ code: 0, stdout: "" });
});

it("no run changes the exit code or the folder of the process", async () => {
  const before = [process.exitCode, process.cwd()];
  await here.run("explain nothing-of-that-name");
  expect([process.exitCode, process.cwd()]).toEqual(before);
});

describe("FRONTDOOR_LOG", () => {
  const linesIn = (file: string) =>
    readFileSync(file, "utf8")
      .split("\n")
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Record<string, unknown>);

  it("logs the requests of several processes at once into one file, each as one line", async () => {
    const file = here.path("requests.jsonl");
    const env = { FRONTDOOR_TOKEN: "one", FRONTDOOR_LOG: file };
    const ends = await Promise.all([
      here.started("tunnels", env),
      here.started("tunnel tnl-1", env),
      here.run("ids", env),
    ]);
    expect(ends.map(({ code }) => code)).toEqual([0, 0, expect.any(Number) as number]);
    const lines = linesIn(file);
    const sent = here.emulator.requests.map(({ method, path }) => `${method} /v2/fd-1${path}`);
    expect(sent.length).toBeGreaterThan(2);
    const logged = lines.map(({ method, path }) => `${String(method)} ${String(path).replace(/\?.*/, "")}`);
    expect(logged).toEqual(expect.arrayContaining(sent));
    expect(lines).toContainEqual(
      expect.objectContaining({ method: "GET", path: "/v2/fd-1/ipsec-tunnels/tnl-1", name: "hq" }),
    );
    // `ids` also asks the gateway for what no specification has.
    expect(logged).toContainEqual(expect.stringMatching(/^GET \/identity\/|^GET \/v2$|^GET \/frontdoor/));
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it("that cannot be written is one warning, and the command does its work", async () => {
    const env = { FRONTDOOR_TOKEN: "one", FRONTDOOR_LOG: here.path("no/such/folder") };
    const { code, stdout, stderr } = await here.run("tunnels --json", env);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ tunnels: [{ id: "tnl-1" }] });
    expect(stderr.match(/\[log-not-written\]/g)).toHaveLength(1);
  });
});
