import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter } from "node:path";
import { useEmulator } from "./command";

const settings = { token: "very-secret-token", tokens: { "very-secret-token": ["*"] }, maxPageSize: 3 };
const here = useEmulator((emulator) => {
  emulator.seedTunnel({ id: "tnl-1", name: "Büro 1", locationId: "loc-1" });
  emulator.seedTunnel({ id: "tnl-2", name: "plant", locationId: "loc-2" });
  for (const number of [1, 2, 3, 4])
    emulator.seedShare({
      ...{ id: `shr-${number}`, name: `web-${number}`, ipsecTunnelId: number === 4 ? "tnl-2" : "tnl-1" },
      ...{ target: "web.internal:443", ingressPort: 8000 + number, locationId: "loc-1" },
    });
  emulator.seedShare({ id: "shr-9", name: "leaving", ipsecTunnelId: "tnl-1", status: "DELETING" });
}, settings);

interface Document {
  import: { resources: { type: string; name: string; id: string }[] };
  leftOut: { id: string; reason: string }[];
  notReady: { id: string; status: string }[];
}

const idsIn = (text: string) => (JSON.parse(text) as Document["import"]).resources.map(({ id }) => id).join(" ");

describe("frontdoor import", () => {
  it("prints the file, of every page, and changes nothing", async () => {
    const { code, stdout, stderr } = await here.run("import");
    const entry = (type: string, name: string, id: string) => ({ type: `frontdoor:index:${type}`, name, id });
    const tunnels = [entry("IpsecTunnel", "buro-1", "tnl-1"), entry("IpsecTunnel", "plant", "tnl-2")];
    const shares = [1, 2, 3, 4].map((number) => entry("IpsecShare", `web-${number}`, `shr-${number}`));
    expect([code, JSON.parse(stdout)]).toEqual([0, { resources: [...tunnels, ...shares] }]);
    expect(stderr).toBe("front door fd-1: 2 IPsec tunnels, 4 IPsec shares\n");
    expect(here.emulator.requests.filter(({ method }) => method !== "GET")).toEqual([]);
  });

  it("writes file and program", async () => {
    const first = await here.run("import --out import.json --program ts --program-out index.ts");
    expect([first.code, first.stdout]).toEqual([0, ""]);
    expect(idsIn(readFileSync(here.path("import.json"), "utf8")).split(" ")).toHaveLength(6);
    const program = readFileSync(here.path("index.ts"), "utf8");
    expect(program).toContain('const buro_1 = new IpsecTunnel(\n  "buro-1",');
    expect(program).toContain("ipsecTunnelId: buro_1.id,");
    expect(program).not.toContain(here.emulator.samplePsk("tnl-1"));
  });

  it.each([
    ["--filter locationId=loc-1", "tnl-1 shr-1 shr-2 shr-3 shr-4"],
    ["--filter ipsecTunnelId=tnl-2", "shr-4"],
    ["--filter id=shr-1 --filter id=shr-2 --kind shares", "shr-1 shr-2"],
    ["--kind tunnels", "tnl-1 tnl-2"],
  ])("with %s holds %j", async (line, ids) => {
    const { code, stdout } = await here.run(`import ${line}`);
    expect([code, idsIn(stdout)]).toEqual([0, ids]);
  });

  it("names a front door that an option names and the configuration does not", async () => {
    here.emulator.seedTunnel({ id: "tnl-7", frontdoorId: "fd-7", name: "far" });
    const { stdout } = await here.run("import --frontdoor-id fd-7 --program yaml --program-out Main.yaml");
    expect(idsIn(stdout)).toBe("fd-7/tnl-7");
    expect(readFileSync(here.path("Main.yaml"), "utf8")).toContain('frontdoorId: "fd-7"');
    expect(idsIn((await here.run("import --frontdoor-id fd-7", { FRONTDOOR_ID: "fd-7" })).stdout)).toBe("tnl-7");
  });

  it("says what is left out, writes all else, and ends with 1", async () => {
    here.emulator.seedShare({ id: "shr-5", name: "web-1", ipsecTunnelId: "tnl-1", ingressPort: 9000 });
    here.emulator.setStatus("shr-2", "ERROR");
    const { code, stdout, stderr } = await here.run("import --json --kind shares");
    const said = JSON.parse(stdout) as Document;
    expect(code).toBe(1);
    expect(said).toMatchObject({ leftOut: [{ id: "shr-5" }], notReady: [{ id: "shr-2", status: "ERROR" }] });
    expect(said.import.resources.map(({ id }) => id)).toEqual(["shr-1", "shr-2", "shr-3", "shr-4"]);
    expect(stderr).toMatch(/left out: IPsec share "web-1" \(shr-5\): shr-1 has the same name/);
    expect(stderr).toMatch(/"web-2" \(shr-2\) is ERROR: the next "pulumi up" sends it again/);
  });
});

describe("an error", () => {
  const problem = (stdout: string) => (JSON.parse(stdout) as { error: { message: string; code: string } }).error;

  it.each([
    ["imprt", {}, 2, /imprt/],
    ["import --filter name", {}, 2, /property.*value/],
    ["import --filter peerCidr=10.0.0.0/8 --filter target=a:1", {}, 2, /has all the properties of these filters/],
    ["import --program ts", {}, 2, /--program-out/],
    ["import --program cobol", {}, 2, /Allowed choices are ts, python, yaml/],
    ["import --out x --program ts --program-out x", {}, 2, /same file/],
    ["import --token-file none", {}, 2, /none can't be read \(ENOENT\)/],
    ["import", { FRONTDOOR_ID: "" }, 2, /no front door is named/],
    ["import", { FRONTDOOR_TOKEN: undefined }, 2, /FRONTDOOR_TOKEN/],
    ["import --base-url http://example.com/frontdoor", {}, 2, /https/],
    ["import", { FRONTDOOR_TOKEN: "another-token" }, 1, /401/],
  ])("of %s with %j ends with %i, and is told without stack and token", async (line, env, wanted, message) => {
    const { code, stdout, stderr } = await here.run(`${line} --json`, env);
    const named = {
      message: expect.stringMatching(message) as string,
      code: expect.stringMatching(/^[a-z-]+$/) as string,
    };
    expect([code, problem(stdout)]).toEqual([wanted, named]);
    expect(stderr).toMatch(message);
    expect(stderr).not.toMatch(/^\s+at /m);
    expect(stdout + stderr).not.toContain("another-token");
  });

  it("without a command tells what there is", async () => {
    const { code, stdout, text } = await here.place.run([]);
    expect([code, stdout, text]).toEqual([2, "", expect.stringContaining("import")]);
  });
});

describe("configuration", () => {
  const noEnvironment = { FRONTDOOR_BASE_URL: undefined, FRONTDOOR_ID: undefined, FRONTDOOR_TOKEN: undefined };
  const write = (name: string, text: string) => {
    writeFileSync(here.path(name), text);
  };
  const withStack = "import --stack-config Pulumi.prod.yaml";
  const secretStack = "config:\n  frontdoor:token:\n    secure: AAAA\n";

  it("comes from a stack's file, and the token from a file of its own", async () => {
    const { baseUrl } = here.emulator;
    write("Pulumi.prod.yaml", `config:\n  frontdoor:baseUrl: ${baseUrl}\n  frontdoor:frontdoorId: fd-1\n`);
    write("token", "very-secret-token\n");
    const { code, stdout } = await here.run(`${withStack} --token-file token`, noEnvironment);
    expect([code, idsIn(stdout)]).toEqual([0, expect.stringContaining("tnl-1")]);
  });

  it("an option counts before the file, the file before the environment", async () => {
    write("Pulumi.prod.yaml", `config:\n  frontdoor:frontdoorId: fd-8\n`);
    here.emulator.seedTunnel({ id: "tnl-8", frontdoorId: "fd-8" });
    here.emulator.seedTunnel({ id: "tnl-9", frontdoorId: "fd-9" });
    expect(idsIn((await here.run(withStack)).stdout)).toBe("tnl-8");
    expect(idsIn((await here.run(`${withStack} --frontdoor-id fd-9`)).stdout)).toBe("fd-9/tnl-9");
  });

  it("has its secrets read by pulumi, which is logged in to the stack", async () => {
    write("Pulumi.yaml", "name: imports\nruntime: nodejs\n");
    mkdirSync(here.path("state"));
    await here.place.pulumi(["stack", "init", "prod"]);
    await here.place.pulumi(["config", "set", "--secret", "frontdoor:token", "very-secret-token"]);
    await here.place.pulumi(["stack", "init", "other"]);
    const { code, stdout, stderr } = await here.run(withStack, { FRONTDOOR_TOKEN: undefined });
    expect([code, stderr]).toEqual([0, "front door fd-1: 2 IPsec tunnels, 4 IPsec shares\n"]);
    expect(idsIn(stdout)).toContain("tnl-1");
    const refused = await here.run(withStack, { FRONTDOOR_TOKEN: undefined, PULUMI_CONFIG_PASSPHRASE: "not it" });
    expect(refused.code).toBe(2);
    expect(refused.stderr).toMatch(/Pulumi\.prod\.yaml: its secrets can't be read .*passphrase/);
  });

  it("with a secret needs pulumi, and one beside the stack's file is not run, even if PATH leads there", async () => {
    write("Pulumi.prod.yaml", secretStack);
    write("pulumi", "#!/bin/sh\n: > ran\n");
    chmodSync(here.path("pulumi"), 0o755);
    for (const PATH of ["/nowhere", ["", "."].join(delimiter)]) {
      const { code, stderr } = await here.run(withStack, { PATH });
      expect([code, existsSync(here.path("ran"))]).toEqual([2, false]);
      expect(stderr).toContain("there is no pulumi on PATH");
    }
  });

  it("is refused if the file is none", async () => {
    write("notes.txt", "just: [some");
    expect((await here.run("import --stack-config notes.txt")).stderr).toMatch(
      /notes\.txt is not YAML .*\[yaml-invalid\]/,
    );
  });
});

it("says its version", async () => {
  const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };
  expect((await here.run("--version")).stdout).toBe(`${version}\n`);
});
