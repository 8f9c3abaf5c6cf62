import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { delimiter } from "node:path";
import { type Emulator, startEmulator } from "../../emulator";
import { Place } from "./command";

let emulator: Emulator;
let place: Place;

beforeEach(async () => {
  emulator = await startEmulator({
    token: "very-secret-token",
    tokens: { "very-secret-token": ["*"] },
    maxPageSize: 3,
  });
  place = new Place(emulator);
  emulator.seedTunnel({ id: "tnl-1", name: "Büro 1", locationId: "loc-1" });
  emulator.seedTunnel({ id: "tnl-2", name: "plant", locationId: "loc-2" });
  for (const number of [1, 2, 3, 4])
    emulator.seedShare({
      ...{ id: `shr-${number}`, name: `web-${number}`, ipsecTunnelId: number === 4 ? "tnl-2" : "tnl-1" },
      ...{ target: "web.internal:443", ingressPort: 8000 + number, locationId: "loc-1" },
    });
  emulator.seedShare({ id: "shr-9", name: "leaving", ipsecTunnelId: "tnl-1", status: "DELETING" });
});
afterEach(async () => {
  await emulator.close();
  place.remove();
});

interface Document {
  import: { resources: { type: string; name: string; id: string }[] };
  leftOut: { id: string; reason: string }[];
  notReady: { id: string; status: string }[];
  written: string[];
}

const idsIn = (text: string) => (JSON.parse(text) as Document["import"]).resources.map(({ id }) => id);

describe("frontdoor import", () => {
  it("prints the file, of every page, and changes nothing", async () => {
    const { code, stdout, stderr } = await place.run(["import"]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      resources: [
        { type: "frontdoor:index:IpsecTunnel", name: "buro-1", id: "tnl-1" },
        { type: "frontdoor:index:IpsecTunnel", name: "plant", id: "tnl-2" },
        ...[1, 2, 3, 4].map((number) => ({
          ...{ type: "frontdoor:index:IpsecShare", name: `web-${number}`, id: `shr-${number}` },
        })),
      ],
    });
    expect(stderr).toBe("front door fd-1: 2 IPsec tunnels, 4 IPsec shares\n");
    expect(emulator.requests.filter(({ method }) => method !== "GET")).toEqual([]);
  });

  it("writes file and program, and overwrites neither unless told to", async () => {
    const args = ["import", "--out", "import.json", "--program", "ts", "--program-out", "index.ts"];
    const first = await place.run(args);
    expect([first.code, first.stdout]).toEqual([0, ""]);
    expect(idsIn(readFileSync(place.path("import.json"), "utf8"))).toHaveLength(6);
    const program = readFileSync(place.path("index.ts"), "utf8");
    expect(program).toContain('const buro_1 = new IpsecTunnel(\n  "buro-1",');
    expect(program).toContain("ipsecTunnelId: buro_1.id,");
    expect(program).not.toContain(emulator.samplePsk("tnl-1"));

    writeFileSync(place.path("index.ts"), "mine");
    emulator.requests.length = 0;
    const second = await place.run(args);
    expect([second.code, second.stdout]).toEqual([2, ""]);
    expect(second.stderr).toMatch(/^frontdoor: import\.json is there already.*--force\n$/);
    expect(emulator.requests).toEqual([]);
    expect((await place.run([...args, "--force"])).code).toBe(0);
    expect(readFileSync(place.path("index.ts"), "utf8")).toBe(program);
  });

  it.each([
    [["--filter", "name=plant"], ["tnl-2"]],
    [
      ["--filter", "locationId=loc-1"],
      ["tnl-1", "shr-1", "shr-2", "shr-3", "shr-4"],
    ],
    [["--filter", "ipsecTunnelId=tnl-2"], ["shr-4"]],
    [
      ["--filter", "id=shr-1", "--filter", "id=shr-2", "--kind", "shares"],
      ["shr-1", "shr-2"],
    ],
    [["--filter", "ingressPort=8003"], ["shr-3"]],
    [
      ["--kind", "tunnels"],
      ["tnl-1", "tnl-2"],
    ],
    [["--filter", "name=nobody"], []],
  ])("with %j holds %j", async (args, ids) => {
    const { code, stdout } = await place.run(["import", ...args]);
    expect(code).toBe(0);
    expect(idsIn(stdout)).toEqual(ids);
  });

  it("names a front door that an option names and the configuration does not", async () => {
    emulator.seedTunnel({ id: "tnl-7", frontdoorId: "fd-7", name: "far" });
    const args = ["import", "--frontdoor-id", "fd-7", "--program", "yaml", "--program-out", "Main.yaml"];
    expect(idsIn((await place.run(args)).stdout)).toEqual(["fd-7/tnl-7"]);
    expect(readFileSync(place.path("Main.yaml"), "utf8")).toContain('frontdoorId: "fd-7"');
    expect(idsIn((await place.run(["import", "--frontdoor-id", "fd-7"], { FRONTDOOR_ID: "fd-7" })).stdout)).toEqual([
      "tnl-7",
    ]);
  });

  it("says what is left out, writes all else, and ends with 1", async () => {
    emulator.seedShare({ id: "shr-5", name: "web-1", ipsecTunnelId: "tnl-1", ingressPort: 9000 });
    emulator.setStatus("shr-2", "ERROR");
    const { code, stdout, stderr } = await place.run(["import", "--json", "--kind", "shares"]);
    expect(code).toBe(1);
    const said = JSON.parse(stdout) as Document;
    expect(said.import.resources.map(({ id }) => id)).toEqual(["shr-1", "shr-2", "shr-3", "shr-4"]);
    expect(said.leftOut).toMatchObject([{ id: "shr-5" }]);
    expect(said.notReady).toMatchObject([{ id: "shr-2", status: "ERROR" }]);
    expect(stderr).toMatch(/left out: IPsec share "web-1" \(shr-5\): shr-1 has the same name/);
    expect(stderr).toMatch(/"web-2" \(shr-2\) is ERROR: the next "pulumi up" sends it once more/);
  });
});

describe("what goes wrong", () => {
  const problem = (stdout: string) => (JSON.parse(stdout) as { error: { message: string } }).error.message;

  it.each([
    [["import", "--colour"], {}, /--colour/],
    [["imprt"], {}, /imprt/],
    [["import", "--filter", "name"], {}, /property.*value/],
    [["import", "--filter", "colour=red"], {}, /colour is no property; there are: id, /],
    [["import", "--filter", "peerCidr=10.0.0.0/8", "--filter", "target=a:1"], {}, /no kind/],
    [["import", "--program", "ts"], {}, /--program-out/],
    [["import", "--program", "cobol"], {}, /Allowed choices are ts, python, yaml/],
    [["import", "--out", "x", "--program", "ts", "--program-out", "x"], {}, /same file/],
    [["import", "--out", "nowhere/import.json"], {}, /nowhere\/import\.json can't be written \(ENOENT\)/],
    [["import", "--token-file", "none"], {}, /none can't be read \(ENOENT\)/],
    [["import", "--stack-config", "none"], {}, /none can't be read \(ENOENT\)/],
    [["import"], { FRONTDOOR_ID: "" }, /which front door\?/],
    [["import"], { FRONTDOOR_TOKEN: undefined }, /FRONTDOOR_TOKEN/],
    [["import", "--base-url", "http://example.com/frontdoor"], {}, /https/],
  ])("%j with %j is wrong usage", async (args, env, message) => {
    const { code, stdout, stderr } = await place.run([...args, "--json"], env);
    expect(code).toBe(2);
    expect(problem(stdout)).toMatch(message);
    expect(stderr).toMatch(message);
    expect(stderr).not.toMatch(/^\s+at /m);
  });

  it("a refusal ends with 1, in one line, and shows no token", async () => {
    const { code, stdout, stderr } = await place.run(["import", "--json"], { FRONTDOOR_TOKEN: "another-token" });
    expect(code).toBe(1);
    expect(problem(stdout)).toMatch(/401/);
    expect(stderr).toMatch(/^frontdoor: .*401.*\n$/);
    expect(stdout + stderr).not.toContain("another-token");
  });

  it("a service that is not there ends with 3", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    const { code, stderr } = await place.run(["import", "--base-url", `http://127.0.0.1:${port}/frontdoor`]);
    expect(code).toBe(3);
    expect(stderr).toMatch(/^frontdoor: /);
  });

  it("without a command it tells what there is, as wrong usage", async () => {
    const { code, stdout, text } = await place.run([]);
    expect([code, stdout]).toEqual([2, ""]);
    expect(text).toContain("import");
  });
});

describe("configuration", () => {
  const noEnvironment = { FRONTDOOR_BASE_URL: undefined, FRONTDOOR_ID: undefined, FRONTDOOR_TOKEN: undefined };
  const write = (name: string, text: string) => {
    writeFileSync(place.path(name), text);
  };

  it("comes from a stack's file, and the token from a file of its own", async () => {
    write("Pulumi.prod.yaml", `config:\n  frontdoor:baseUrl: ${emulator.baseUrl}\n  frontdoor:frontdoorId: fd-1\n`);
    write("token", "very-secret-token\n");
    const args = ["import", "--stack-config", "Pulumi.prod.yaml", "--token-file", "token"];
    const { code, stdout } = await place.run(args, noEnvironment);
    expect(code).toBe(0);
    expect(idsIn(stdout)).toContain("tnl-1");
  });

  it("an option counts before the file, the file before the environment", async () => {
    write("Pulumi.prod.yaml", `config:\n  frontdoor:frontdoorId: fd-8\n`);
    emulator.seedTunnel({ id: "tnl-8", frontdoorId: "fd-8" });
    emulator.seedTunnel({ id: "tnl-9", frontdoorId: "fd-9" });
    const args = ["import", "--stack-config", "Pulumi.prod.yaml"];
    expect(idsIn((await place.run(args)).stdout)).toEqual(["tnl-8"]);
    expect(idsIn((await place.run([...args, "--frontdoor-id", "fd-9"])).stdout)).toEqual(["fd-9/tnl-9"]);
  });

  it("its secrets are read by pulumi, which is logged in to the stack", async () => {
    write("Pulumi.yaml", "name: imports\nruntime: nodejs\n");
    mkdirSync(place.path("state"));
    await place.pulumi(["stack", "init", "prod"]);
    await place.pulumi(["config", "set", "frontdoor:baseUrl", emulator.baseUrl]);
    await place.pulumi(["config", "set", "frontdoor:frontdoorId", "fd-1"]);
    await place.pulumi(["config", "set", "--secret", "frontdoor:token", "very-secret-token"]);
    await place.pulumi(["stack", "init", "other"]);
    const { code, stdout, stderr } = await place.run(["import", "--stack-config", "Pulumi.prod.yaml"], noEnvironment);
    expect([code, stderr]).toEqual([0, "front door fd-1: 2 IPsec tunnels, 4 IPsec shares\n"]);
    expect(idsIn(stdout)).toContain("tnl-1");

    const wrong = { ...noEnvironment, PULUMI_CONFIG_PASSPHRASE: "not it" };
    const refused = await place.run(["import", "--stack-config", "Pulumi.prod.yaml"], wrong);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toMatch(/Pulumi\.prod\.yaml: its secrets can't be read .*passphrase/);
  });

  it("a secret in the file needs pulumi, and it says so", async () => {
    write("Pulumi.prod.yaml", "config:\n  frontdoor:token:\n    secure: AAAA\n");
    const { code, stderr } = await place.run(["import", "--stack-config", "Pulumi.prod.yaml"], { PATH: "/nowhere" });
    expect(code).toBe(2);
    expect(stderr).toContain("there is no pulumi on the PATH");
  });

  it("a pulumi beside the stack's file is not run, even if PATH leads there", async () => {
    write("Pulumi.prod.yaml", "config:\n  frontdoor:token:\n    secure: AAAA\n");
    write("pulumi", "#!/bin/sh\n: > ran\n");
    chmodSync(place.path("pulumi"), 0o755);
    const PATH = ["", "."].join(delimiter);
    const { code, stderr } = await place.run(["import", "--stack-config", "Pulumi.prod.yaml"], { PATH });
    expect([code, existsSync(place.path("ran"))]).toEqual([2, false]);
    expect(stderr).toContain("there is no pulumi on the PATH");
  });

  it("a file that is none is said to be none", async () => {
    write("notes.txt", "just: [some");
    expect((await place.run(["import", "--stack-config", "notes.txt"])).stderr).toMatch(
      /notes\.txt is no stack config/,
    );
  });
});

it("says its version and what it can, without colours", async () => {
  const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };
  expect((await place.run(["--version"])).stdout).toBe(`${version}\n`);
  const help = await place.run(["import", "--help"], { FORCE_COLOR: "1" });
  expect([help.code, help.stderr]).toEqual([0, ""]);
  expect(help.stdout).toContain("pulumi import --file import.json");
  // eslint-disable-next-line no-control-regex
  expect(help.stdout).not.toMatch(/\x1b/);
  expect(existsSync(place.path("import.json"))).toBe(false);
});
