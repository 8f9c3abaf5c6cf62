import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Stack } from "../harness/stack";

const hq = { name: "hq", peerPublicIp: "203.0.113.7", peerCidr: "10.20.0.0/16" };
const web = {
  name: "web",
  ipsecTunnelId: { tunnel: "hq" },
  envZId: "env-1",
  target: "web.internal:443",
  ingressPort: 443,
};

describe("a state whose front door id would lead elsewhere", () => {
  let stack: Stack;
  const folder = mkdtempSync(join(tmpdir(), "frontdoor-state-"));
  beforeAll(async () => {
    stack = await Stack.open();
    expect(await stack.up({ tunnels: { hq }, shares: { web } })).toMatchObject({ code: 0 });
    const file = join(folder, "state.json");
    await stack.run("stack", "export", "--stack", "test", "--file", file);
    const edited = readFileSync(file, "utf8").replaceAll(/("frontdoorId": ?)"fd-1"/g, '$1"fd-2/../fd-1"');
    expect(edited).toContain("fd-2/../fd-1");
    writeFileSync(file, edited);
    expect(await stack.run("stack", "import", "--stack", "test", "--file", file)).toMatchObject({ code: 0 });
    stack.emulator.requests.length = 0;
  });
  afterAll(async () => {
    rmSync(folder, { recursive: true, force: true });
    await stack.close();
  });

  it.each([
    ["refresh", () => stack.refresh()],
    ["destroy", () => stack.destroy()],
  ])("%s sends nothing, says so on one line, and loses nothing", async (_, command) => {
    const run = await command();
    expect(run.code).not.toBe(0);
    const about = run.errors.filter((error) => error.includes("frontdoorId"));
    expect(about.length).toBeGreaterThan(0);
    for (const error of about) expect(error).toMatch(/frontdoorId .* must be an id: [^\n]*; nothing was sent[^\n]*$/);
    expect(stack.emulator.requests).toEqual([]);
    expect(Object.keys(stack.kept())).toEqual(["hq", "web"]);
  });
});
