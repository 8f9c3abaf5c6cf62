import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

const root = join(__dirname, "../..");
const folder = mkdtempSync(join(tmpdir(), "emulator-"));
const running: ChildProcess[] = [];

afterAll(() => {
  for (const child of running) child.kill("SIGKILL");
  rmSync(folder, { recursive: true });
});

function run(...args: string[]) {
  const child = spawn(process.execPath, ["-r", "ts-node/register/transpile-only", "emulator/main.ts", ...args], {
    cwd: root,
    env: { ...process.env, TS_NODE_COMPILER_OPTIONS: JSON.stringify({ rootDir: root }) },
    stdio: ["ignore", "pipe", "pipe"],
  });
  running.push(child);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const errors: string[] = [];
  child.stderr.on("data", (data: Buffer) => errors.push(data.toString()));
  return {
    child,
    line: async () => String((await lines.next()).value),
    ended: once(child, "close").then(([code]) => ({ code: code as number | null, errors: errors.join("") })),
  };
}

describe("the command", () => {
  it("says where it is, logs requests, and ends cleanly on SIGTERM with its data kept", async () => {
    const ready = join(folder, "ready.json");
    const options = ["--port", "0", "--data", join(folder, "data.db"), "--ready-file", ready, "--token", "t-1"];
    const first = run(...options, "--frontdoor", "fd-7", "--provision", "3600", "--set", "createStatus=201");
    const baseUrl = /^(http:\/\/127\.0\.0\.1:\d+\/frontdoor) /.exec(await first.line())?.[1] ?? "";
    const headers = { authorization: "Bearer t-1", "content-type": "application/json" };
    const body = JSON.stringify({ name: "a", peerPublicIp: "203.0.113.7", peerCidr: "10.0.0.0/8" });
    const made = await fetch(`${baseUrl}/v2/fd-7/ipsec-tunnels`, { method: "POST", headers, body });
    expect(made.status).toBe(201);
    const pasted = `export FRONTDOOR_BASE_URL=${baseUrl} FRONTDOOR_ID=fd-7 FRONTDOOR_TOKEN=t-1`;
    expect(await first.line()).toBe(pasted);
    expect(await first.line()).toMatch(/^POST \/ipsec-tunnels → 201, \d+ ms$/);
    expect(JSON.parse(readFileSync(ready, "utf8"))).toEqual({ pid: first.child.pid, baseUrl });
    first.child.kill("SIGTERM");
    expect(await first.ended).toEqual({ code: 0, errors: "" });
    expect(existsSync(ready)).toBe(false);

    const second = run(...options, "--frontdoor", "fd-7", "--quiet");
    const [again = ""] = (await second.line()).split(" ");
    const kept = await fetch(`${again}/v2/fd-7/ipsec-tunnels/tnl-1`, { headers });
    expect(await kept.json()).toMatchObject({ name: "a", status: "NEW" });
    second.child.kill("SIGINT");
    expect((await second.ended).code).toBe(0);
  });

  it("takes its token from a file, and does not print it", async () => {
    writeFileSync(join(folder, "token"), "t-2\n");
    const { line } = run("--port", "0", "--token-file", join(folder, "token"), "--quiet");
    const [baseUrl = ""] = (await line()).split(" ");
    const status = async (token: string) =>
      (await fetch(`${baseUrl}/v2/fd-1/ipsec-tunnels`, { headers: { authorization: `Bearer ${token}` } })).status;
    expect([await status("t-2"), await status("emulator-token")]).toEqual([200, 401]);
    expect(await line()).toBe(`export FRONTDOOR_BASE_URL=${baseUrl} FRONTDOOR_ID=fd-1`);
  });

  it.each([
    [["--provision", "soon"], /--provision/],
    [["--colour", "red"], /--colour/],
    [["--set", "jitter=7"], /jitter/],
    [["--set", "jitter"], /NAME=VALUE/],
  ])("ends with 1 and names what is wrong in %j", async (args, named) => {
    const { code, errors } = await run("--port", "0", ...args).ended;
    expect(code).toBe(1);
    expect(errors).toMatch(named);
    expect(errors).not.toMatch(/^\s+at /m);
  });
});
