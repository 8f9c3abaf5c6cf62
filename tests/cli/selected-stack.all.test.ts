import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { useEmulator } from "./command";

const here = useEmulator((emulator) => {
  emulator.seedTunnel({ id: "tnl-1", name: "hq", locationId: "loc-1" });
});

/** Without any of the variables by which the other tests name the service. */
const bare = {
  ...{ FRONTDOOR_BASE_URL: undefined, FRONTDOOR_ID: undefined, FRONTDOOR_TOKEN: undefined },
  ...{ FRONTDOOR_REQUESTS_PER_SECOND: undefined, FRONTDOOR_STATE_DIR: undefined },
};

/** A project with the stacks dev and prod. `dev` is selected, and only its settings lead to the emulator. */
async function openProject(): Promise<void> {
  mkdirSync(here.path("state"), { recursive: true });
  writeFileSync(here.path("Pulumi.yaml"), JSON.stringify({ name: "shop", runtime: "nodejs" }));
  for (const stack of ["prod", "dev"]) await here.place.pulumi(["stack", "init", stack]);
  for (const [key = "", value = "", ...secret] of [
    ["baseUrl", here.emulator.baseUrl],
    ["frontdoorId", "fd-1"],
    ["token", here.emulator.token, "--secret"],
  ])
    await here.place.pulumi(["config", "set", `frontdoor:${key}`, value, ...secret, "--stack", "dev"]);
}

describe("without an option or a variable", () => {
  it("a command reads the settings of the selected stack of the project in its folder, and says so", async () => {
    await openProject();
    const { code, stdout, stderr } = await here.run("tunnels", bare);
    expect([code, stderr]).toEqual([0, expect.stringContaining("settings of the selected stack: Pulumi.dev.yaml\n")]);
    expect(stdout).toContain("tnl-1");
    const other = await here.run("tunnels", { ...bare, PULUMI_STACK: "prod" });
    expect([other.code, other.stderr]).toEqual([2, expect.stringContaining("--stack-config")]);
  });

  it("a command finds the stack that Pulumi selected in a folder with a link in its path", async () => {
    const linked = here.path("link");
    symlinkSync(here.place.folder, linked);
    const inLink = { ...bare, PWD: linked };
    mkdirSync(here.path("state"), { recursive: true });
    writeFileSync(here.path("Pulumi.yaml"), JSON.stringify({ name: "shop", runtime: "nodejs" }));
    await here.place.pulumi(["stack", "init", "dev"], inLink);
    writeFileSync(here.path("Pulumi.dev.yaml"), JSON.stringify({ config: { "frontdoor:frontdoorId": "fd-9" } }));
    const { stderr } = await here.run("tunnels", inLink);
    expect(stderr).toContain("settings of the selected stack: Pulumi.dev.yaml\n");
  });

  it("a command finds a tunnel by its logical name in the selected stack", async () => {
    await openProject();
    here.emulator.seedTunnel({ id: "tnl-2", name: "shop-dev-branch", locationId: "loc-2" });
    here.emulator.seedTunnel({ id: "tnl-3", name: "shop-prod-branch", locationId: "loc-3" });
    const { code, stdout } = await here.run("tunnel branch --json", bare);
    expect([code, JSON.parse(stdout)]).toMatchObject([0, { tunnel: { id: "tnl-2" } }]);
  });

  it("the stack comes before the environment", async () => {
    await openProject();
    const others = { FRONTDOOR_ID: "fd-9", FRONTDOOR_TOKEN: "any", FRONTDOOR_BASE_URL: here.emulator.baseUrl };
    const { code, stdout } = await here.run("tunnels", others);
    expect([code, stdout]).toEqual([0, expect.stringContaining("tnl-1")]);
  });

  it("the environment gives what the stack does not", async () => {
    await openProject();
    await here.place.pulumi(["config", "rm", "frontdoor:token", "--stack", "dev"]);
    const { code, stderr } = await here.run("tunnels", { ...bare, FRONTDOOR_TOKEN: here.emulator.token });
    expect([code, stderr]).toEqual([0, expect.not.stringContaining("differ")]);
  });

  it.each([
    ["Pulumi.yaml", "name: shop\nruntime: {\n", 2, /Pulumi\.yaml is not YAML \(line \d+: .*\[yaml-invalid\]\n$/],
    ["home/workspaces/*", '{"stack": "d', 0, /^front door fd-1: 1 IPsec tunnel\n$/],
  ])("a half-written %s is no defect of the command", async (file, text, code, says) => {
    await openProject();
    const folder = here.path("home/workspaces");
    const workspaces = readdirSync(folder).map((name) => join(folder, name));
    for (const path of file.endsWith("*") ? workspaces : [here.path(file)]) writeFileSync(path, text);
    const ended = await here.run("tunnels");
    expect([ended.code, ended.stderr]).toEqual([code, expect.stringMatching(says)]);
  });

  it("a command finds by its logical name in the state what was renamed or adopted, and a share of a set", async () => {
    await openProject();
    here.emulator.seedTunnel({ id: "tnl-7", name: "made-by-hand", locationId: "loc-7" });
    here.emulator.seedShare({ id: "shr-7", name: "any", ipsecTunnelId: "tnl-7" });
    const entry = (type: string, name: string, id: string, outputs: object = {}) => ({
      ...{ urn: `urn:pulumi:dev::shop::${type}::${name}`, type, custom: true, id },
      ...{ inputs: {}, outputs: { frontdoorId: "fd-1", ...outputs } },
    });
    const resources = [
      entry("frontdoor:index:IpsecTunnel", "branch", "tnl-7"),
      entry("frontdoor:index:IpsecShareSet", "services", "set-1", { ids: { web: "shr-7" } }),
    ];
    const manifest = { time: "2026-11-25T00:00:00Z", magic: "", version: "" };
    writeFileSync(here.path("state.json"), JSON.stringify({ version: 3, deployment: { manifest, resources } }));
    await here.place.pulumi(["stack", "import", "--stack", "dev", "--file", "state.json", "--force"]);
    const tunnel = await here.run("tunnel branch --json");
    expect([tunnel.code, JSON.parse(tunnel.stdout)]).toMatchObject([0, { tunnel: { id: "tnl-7" } }]);
    const share = await here.place.run(["share", 'services["web"]', "--json"]);
    expect([share.code, JSON.parse(share.stdout)]).toMatchObject([0, { share: { id: "shr-7" } }]);
  });

  it("a command names all resources that a logical name can mean", async () => {
    await openProject();
    for (const number of [2, 3])
      here.emulator.seedTunnel({ id: `tnl-${number}`, name: "shop-dev-branch", locationId: `loc-${number}` });
    const { code, stderr } = await here.run("tunnel branch");
    expect([code, stderr]).toEqual([2, expect.stringMatching(/tnl-2, tnl-3.*\[ambiguous-name\]\n$/)]);
  });

  it("an error and doctor name the folder in which no stack of the project is selected", async () => {
    await openProject();
    const elsewhere = { ...bare, PULUMI_HOME: here.path("another-home") };
    const says = `No stack of this project is selected in ${here.path("another-home/workspaces")}`;
    const { code, stderr } = await here.run("tunnels", elsewhere);
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining(`Nothing was sent. ${says}. Set FRONTDOOR_CREDENTIALS_FILE or FRONTDOOR_TOKEN`),
    ]);
    const { stdout } = await here.run("doctor --json", elsewhere);
    const { checks } = JSON.parse(stdout) as { checks: object[] };
    const [remedy, name] = [expect.stringContaining("pulumi stack select") as string, "settings"];
    expect(checks).toContainEqual({ name, state: "note", found: says, remedy });
  });

  it("an error names --stack-config where there is no project", async () => {
    const { code, stderr } = await here.run("tunnels", bare);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/--stack-config.* \[token-missing\]/)]);
  });
});
