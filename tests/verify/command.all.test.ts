import { readFileSync, statSync } from "node:fs";
import { installed, Workspace, until } from "../cli/command";
import { blocksOf } from "../docs/pages";
import { type Running, start } from "../harness/command";
import { type Emulator, startEmulator } from "../../emulator";

const running: Running[] = [];
afterEach(() => {
  for (const { pid } of running.splice(0)) process.kill(pid, "SIGKILL");
});

describe("pulumi-frontdoor verify and ids on the emulator as NetFoundry", () => {
  const workspace = new Workspace({ baseUrl: "", frontdoorId: "", token: "" });
  afterAll(() => {
    workspace.remove();
  });

  it("goes from credentials.json to ids, verify and the settings of an emulator that behaves the same", async () => {
    const emulator = async (...args: string[]) => {
      const all = ["emulator", "--port", "0", "--quiet", "--provision", "0.3", "--teardown", "0.1", ...args];
      const command = start(process.execPath, [installed, ...all], workspace.where());
      running.push(command);
      const [line] = await command.says(/^export .*(?=\n)/m);
      const pairs = [...line.matchAll(/(FRONTDOOR_\w+)=(\S+)/g)].map(([, name = "", value = ""]) => [name, value]);
      return Object.fromEntries(pairs) as Record<string, string>;
    };
    const path = workspace.path("credentials.json");
    const variables = await emulator("--as", "netfoundry", "--credentials-out", path);
    const account = JSON.parse(readFileSync(path, "utf8")) as Record<string, string>;
    expect(Object.keys(account)).toEqual(["clientId", "password", "authenticationUrl"]);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(variables).toMatchObject({ FRONTDOOR_CREDENTIALS_FILE: path, FRONTDOOR_TOKEN_REQUEST: "form" });
    const door = variables["FRONTDOOR_ID"] ?? "";
    expect(door).toMatch(/^[0-9a-f-]{36}$/);
    const env = {
      FRONTDOOR_BASE_URL: variables["FRONTDOOR_BASE_URL"],
      FRONTDOOR_TOKEN: undefined,
      FRONTDOOR_TOKEN_URL: account["authenticationUrl"],
      FRONTDOOR_CLIENT_ID: account["clientId"],
      FRONTDOOR_CLIENT_SECRET: account["password"],
      FRONTDOOR_TOKEN_REQUEST: "form",
      FRONTDOOR_SCOPE: "https://gateway.production.netfoundry.io//ignore-scope",
      FRONTDOOR_ID: undefined,
    };
    const ids = await workspace.started(["ids", "--json"], env);
    const found = JSON.parse(ids.stdout) as { frontDoors: { id: string; environments: object[] }[]; notes: string[] };
    expect(found).toMatchObject({ frontDoors: [{ id: door, environments: [{ zId: "ijcrWb-ZOq" }] }], notes: [] });
    const missing = await workspace.started(["verify"], env);
    expect(missing).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('"npx pulumi-frontdoor ids"') as unknown,
    });

    const withDoor = { ...env, FRONTDOOR_ID: door };
    const words = ["verify", "--write", "--location", "us-east-2", "--yes", "--json", "--report", "report.md"];
    const first = await workspace.started(words, withDoor);
    expect(first).toMatchObject({ code: 0 });
    const rows = (text: string) =>
      (JSON.parse(text) as { rows: { id: string; state: string; found?: string }[] }).rows
        .filter(({ state }) => state === "differs")
        .map(({ id, found: what }) => `${id}: ${what ?? ""}`);
    expect(rows(first.stdout)).toEqual(
      expect.arrayContaining([
        "unknown-resource: 403 not_found",
        "deleted-listed: left out",
        "algorithms: weak ones too",
      ]),
    );
    const report = readFileSync(workspace.path("report.md"), "utf8");
    for (const secret of [door, "127.0.0.1", account["password"], "us-east-2", "verify-", "ijcrWb"])
      expect(report.replaceAll("pulumi-frontdoor verify", "")).not.toContain(secret);

    const [page] = blocksOf("docs/how-to/verify.md");
    expect(page?.code).toBe("npx pulumi-frontdoor verify\n");
    const plain = await workspace.started((page?.code ?? "").trim().split(" ").slice(2), withDoor);
    expect(plain.stdout).toMatch(/differs +unknown-resource +403 not_found +provider: /);
  });

  it("refuses options that it can't use", async () => {
    const env = { FRONTDOOR_BASE_URL: "http://127.0.0.1:9/frontdoor", FRONTDOOR_ID: "fd-1", FRONTDOOR_TOKEN: "t" };
    for (const words of [
      ["--write"],
      ["--tunnel", "t"],
      ["--write", "--tunnel", "t", "--location", "l"],
      ["--write", "--tunnel", "t"],
    ])
      expect(await workspace.started(["verify", ...words], env)).toMatchObject({ code: 2 });
    expect(await workspace.started(["verify", "--json"], env)).toMatchObject({ code: 3 });
    expect(await workspace.started(["ids"], env)).toMatchObject({ code: 3 });
  });
});

describe("pulumi-frontdoor verify", () => {
  let emulator: Emulator;
  let workspace: Workspace;
  beforeEach(async () => {
    emulator = await startEmulator({ provisionMs: 300, teardownMs: 150, listLagMs: 90 });
    emulator.seedTunnel({ id: "tnl-a", name: "branch", locationId: "loc-a" });
    emulator.seedShare({ id: "shr-a", name: "web", ipsecTunnelId: "tnl-a", envZId: "env-1", ingressPort: 443 });
    workspace = new Workspace(emulator);
  });
  afterEach(async () => {
    await emulator.close();
    workspace.remove();
  });
  const left = () => emulator.shares().filter(({ name, status }) => name.startsWith("verify-") && status !== "DELETED");
  const writing = ["verify", "--write", "--tunnel", "tnl-a", "--yes"];
  const untilMade = async () => {
    await until(() => left().length > 0);
  };

  it("Ctrl-C leaves nothing behind", async () => {
    const command = start(process.execPath, [installed, ...writing], workspace.where());
    await untilMade();
    process.kill(command.pid, "SIGINT");
    expect(await command.end).toMatchObject({ code: 1, stderr: expect.stringContaining("Cleaning up") as unknown });
    expect(left()).toEqual([]);
  });

  it("the run after a killed one removes what was left", async () => {
    const command = start(process.execPath, [installed, ...writing], workspace.where());
    await untilMade();
    process.kill(command.pid, "SIGKILL");
    await command.end;
    expect(left()).not.toEqual([]);
    // Their names have the time at which they were made.
    for (const { id, name } of left()) emulator.patchShare(id, { name: name.replace(/-20(?=[^-]*$)/, "-19") });
    const reading = await workspace.started(["verify"]);
    expect(reading.stderr).toContain("An earlier run left share verify-");
    const names = left().map(({ name }) => name);
    const next = await workspace.started([...writing, "--json"]);
    expect(next.code).toBe(0);
    const leftovers = names.map((name) => ({
      kind: "shares",
      id: expect.any(String) as string,
      name,
      isRemoved: true,
    }));
    expect(JSON.parse(next.stdout)).toMatchObject({ left: [], leftovers });
    for (const name of names)
      expect(next.stderr).toMatch(new RegExp(`^Removed share ${name} \\([\\w-]+\\), which`, "m"));
    expect(left()).toEqual([]);
  });
});

describe("pulumi-frontdoor ids", () => {
  let emulator: Emulator;
  beforeEach(async () => {
    emulator = await startEmulator();
  });
  afterEach(() => emulator.close());

  it("says where to look for what a call refuses", async () => {
    emulator.settings.organizationId = null;
    emulator.settings.environments = {};
    const workspace = new Workspace(emulator);
    const { stdout, code } = await workspace.started(["ids"], { FRONTDOOR_ID: undefined });
    expect(stdout).toMatch(/note: organization: it answered 403.*nfconsole\.io/);
    expect(stdout).toMatch(/note: front doors: it answered 403.*console/);
    expect(code).toBe(1);
    const named = await workspace.started(["ids"]);
    expect(named.code).toBe(0);
    expect(named.stdout).toMatch(/front door +fd-1/);
    expect(named.stdout).toMatch(/there are none: enroll a Frontdoor agent/);
    workspace.remove();
  });
});
