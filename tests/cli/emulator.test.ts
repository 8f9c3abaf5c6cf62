import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { type Running, start } from "../harness/command";
import { installed, Workspace } from "./command";

const workspace = new Workspace({ baseUrl: "", frontdoorId: "", token: "" });
const running: Running[] = [];
const end = async ({ pid, end }: Running, signal: NodeJS.Signals = "SIGTERM") => {
  process.kill(pid, signal);
  return end;
};
afterEach(async () => {
  for (const each of running.splice(0)) await end(each, "SIGKILL");
});
afterAll(() => {
  workspace.remove();
});

const run = (line: string, ...args: string[]) =>
  start(process.execPath, [installed, "emulator", ...line.split(" "), ...args], workspace.where());

const started = async (line: string, ...args: string[]) => {
  const command = run(`--port 0 ${line}`, ...args);
  running.push(command);
  await command.says(/export FRONTDOOR_BASE_URL.*\n/);
  const [, baseUrl = ""] = /^(http:\/\/127\.0\.0\.1:\d+\/frontdoor) /.exec(command.said.stdout) ?? [];
  const call = (path: string, token: string, body?: object) =>
    fetch(`${baseUrl}/v2${path}`, {
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      ...(body && { method: "POST", body: JSON.stringify(body) }),
    });
  return { ...command, baseUrl, call };
};

describe("pulumi-frontdoor emulator", () => {
  it("says where it is and what to paste, logs requests, and ends on SIGTERM with its data kept", async () => {
    const options =
      "--data data.db --ready-file ready.json --frontdoor fd-7 --provision 3600 --set defaultLocationId=loc-7";
    const first = await started(options, "--token", "it's");
    expect(first.said.stdout).toMatch(/^http:\S+ \(front door fd-7; dashboard at http:.*\/\)\n/);
    const line = first.said.stdout.split("\n").find((each) => each.startsWith("export ")) ?? "";
    const where = workspace.where({ PATH: "/nowhere:/usr/bin:/bin" });
    const doctor = `${line} && exec '${process.execPath}' '${installed}' doctor --json`;
    const { stdout } = await start("sh", ["-c", doctor], where).end;
    const { checks } = JSON.parse(stdout) as { checks: { name: string; state: string }[] };
    expect(checks.find(({ name }) => name === "token")).toMatchObject({ state: "ok" });

    const body = { name: "a", peerPublicIp: "203.0.113.7", peerCidr: "10.0.0.0/8" };
    const made = await first.call("/fd-7/ipsec-tunnels", "it's", body);
    expect(await made.json()).toMatchObject({ locationId: "loc-7" });
    const { pid, baseUrl, said } = first;
    expect(said.stdout).toMatch(/^POST \/ipsec-tunnels → 202, \d+ ms$/m);
    expect(JSON.parse(readFileSync(workspace.path("ready.json"), "utf8"))).toEqual({ pid, baseUrl });
    expect(await end(first)).toMatchObject({ code: 0, stderr: "" });
    expect(existsSync(workspace.path("ready.json"))).toBe(false);

    writeFileSync(workspace.path("token"), "t-2\n");
    const second = await started("--data data.db --frontdoor fd-7 --token-file token --quiet");
    const kept = await second.call("/fd-7/ipsec-tunnels/tnl-1", "t-2");
    expect(await kept.json()).toMatchObject({ name: "a", status: "NEW" });
    expect((await second.call("/fd-7/ipsec-tunnels", "emulator-token")).status).toBe(401);
    expect(second.said.stdout.split("\n").slice(1)).toEqual([
      ...[`export FRONTDOOR_BASE_URL=${second.baseUrl} FRONTDOOR_ID=fd-7`, ""],
    ]);
    running.length = 0;
    expect((await end(second, "SIGINT")).code).toBe(0);
  });

  it("begins with a demo if told to, and with that of its file at the next start", async () => {
    const found = async (line: string) => {
      const emulator = await started(`--data demo.db ${line}`.trim());
      const total = async (kind: string) => {
        const answer = await emulator.call(`/fd-1/${kind}`, "emulator-token");
        return ((await answer.json()) as { totalElements: number }).totalElements;
      };
      const totals = [await total("ipsec-tunnels"), await total("ipsec-shares")];
      await end(emulator);
      running.length = 0;
      return totals;
    };
    expect(await found("--quiet")).toEqual([0, 0]);
    expect([await found("--demo"), await found("--demo")]).toEqual([
      [3, 12],
      [3, 12],
    ]);
  });

  it("keeps its file for itself while it runs", async () => {
    const first = await started("--data here.db");
    const message = /here\.db is in use by another emulator\. Name another file with --data\. \[emulator-failed\]\n$/;
    await expect(started("--data here.db")).rejects.toThrow(message);
    expect((await running.pop()?.end)?.code).toBe(1);
    await end(first, "SIGKILL");
    running.length = 0;
    await started("--data here.db");
  });

  it("says so if its port is another's", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    const { port } = server.address() as { port: number };
    const message = `frontdoor: port ${port} is in use, perhaps by another emulator. Choose another --port. [emulator-failed]\n`;
    expect(await run(`--port ${port}`).end).toMatchObject({ code: 1, stderr: message });
    server.close();
  });

  it.each([
    ["--provision soon", /--provision/],
    ["--colour red", /--colour/],
    ["--set jitter", /NAME=VALUE/],
    ["--set jitter=7", /jitter/],
    ["--set createStatus=201", /createStatus/],
    ["--settings none.json", /none\.json can't be read \(ENOENT\)/],
    ["--as nobody", /--as/],
    ["--credentials-out mine.txt", /mine\.txt exists/],
    ["--token-file none", /none can't be read \(ENOENT\)/],
  ])("ends and names what is wrong in %s", async (line, named) => {
    writeFileSync(workspace.path("mine.txt"), "mine");
    const { code, stderr } = await run(`--port 0 ${line}`).end;
    expect([code, stderr]).toEqual([2, expect.stringMatching(named)]);
    expect(stderr).not.toMatch(/^\s+at /m);
  });
});
