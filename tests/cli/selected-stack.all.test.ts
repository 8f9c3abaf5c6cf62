import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
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
async function openProject(file = "Pulumi.yaml"): Promise<void> {
  mkdirSync(here.path("state"), { recursive: true });
  writeFileSync(here.path(file), JSON.stringify({ name: "shop", runtime: "nodejs" }));
  for (const stack of ["prod", "dev"]) await here.workspace.pulumi(["stack", "init", stack]);
  for (const [key = "", value = "", ...secret] of [
    ["baseUrl", here.emulator.baseUrl],
    ["frontdoorId", "fd-1"],
    ["token", here.emulator.token, "--secret"],
  ])
    await here.workspace.pulumi(["config", "set", `frontdoor:${key}`, value, ...secret, "--stack", "dev"]);
}

const ofStack = (baseUrl: string) => `front door fd-1 (selected stack) at ${baseUrl} (selected stack)\n`;

describe("the selected stack", () => {
  it("gives the settings that no option and no variable has, and the command says so", async () => {
    await openProject();
    const { code, stdout, stderr } = await here.run("tunnels", bare);
    expect([code, stderr]).toEqual([0, expect.stringContaining(ofStack(here.emulator.baseUrl))]);
    expect(stdout).toContain("tnl-1");
    const other = await here.run("tunnels", { ...bare, PULUMI_STACK: "prod" });
    const says = "The selected stack has no settings of frontdoor in this folder. Set ";
    expect([other.code, other.stderr]).toEqual([2, expect.stringContaining(says)]);
    expect(other.stderr).toContain("--stack-config");
  });

  it("is found as Pulumi finds it: with Pulumi.yml, from a subfolder, in a folder with a link in its path", async () => {
    await openProject("Pulumi.yml");
    mkdirSync(here.path("sites"));
    const says = expect.stringContaining(ofStack(here.emulator.baseUrl)) as string;
    const below = here.workspace.open(["tunnels"], { folder: "sites", env: bare });
    expect((await below.end).stderr).toEqual(says);
    const inLink = { ...bare, PWD: here.path("link") };
    symlinkSync(here.workspace.folder, inLink.PWD);
    await here.workspace.pulumi(["stack", "select", "dev"], inLink);
    expect((await here.run("tunnels", inLink)).stderr).toEqual(says);
  });

  it.each([
    ["another front door", { FRONTDOOR_ID: "fd-9" }, "front door fd-9 (FRONTDOOR_ID) at"],
    ["a token", { FRONTDOOR_TOKEN: "other" }, "front door fd-1 (selected stack) at"],
    ["another URL", { FRONTDOOR_BASE_URL: "http://127.0.0.1:9/frontdoor" }, "the selected stack is not used"],
    [
      "an account of another environment",
      { NF_CLIENT_ID: "i", NF_CLIENT_SECRET: "s" },
      "the selected stack is not used",
    ],
  ])("gives way to a variable with %s", async (_what, variables, says) => {
    await openProject();
    const { code, stderr } = await here.run("tunnels", { ...bare, ...variables });
    expect(code).not.toBe(0);
    expect(stderr).toContain(says);
  });

  it("is read without its passphrase if a variable has the credentials", async () => {
    await openProject();
    const { code } = await here.run("tunnels", {
      ...{ ...bare, PULUMI_CONFIG_PASSPHRASE: undefined, PULUMI_CONFIG_PASSPHRASE_FILE: undefined },
      FRONTDOOR_TOKEN: here.emulator.token,
    });
    expect(code).toBe(0);
  });

  it("a command finds a tunnel by its logical name in the selected stack", async () => {
    await openProject();
    here.emulator.seedTunnel({ id: "tnl-2", name: "shop-dev-branch", locationId: "loc-2" });
    here.emulator.seedTunnel({ id: "tnl-3", name: "shop-prod-branch", locationId: "loc-3" });
    const { code, stdout } = await here.run("tunnel branch --json", bare);
    expect([code, JSON.parse(stdout)]).toMatchObject([0, { tunnel: { id: "tnl-2" } }]);
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
    await here.workspace.pulumi(["stack", "import", "--stack", "dev", "--file", "state.json", "--force"]);
    const tunnel = await here.run("tunnel branch --json");
    expect([tunnel.code, JSON.parse(tunnel.stdout)]).toMatchObject([0, { tunnel: { id: "tnl-7" } }]);
    const share = await here.workspace.run(["share", 'services["web"]', "--json"]);
    expect([share.code, JSON.parse(share.stdout)]).toMatchObject([0, { share: { id: "shr-7" } }]);
  });

  it("a command names all resources that a logical name can mean", async () => {
    await openProject();
    for (const number of [2, 3])
      here.emulator.seedTunnel({ id: `tnl-${number}`, name: "shop-dev-branch", locationId: `loc-${number}` });
    const { code, stderr } = await here.run("tunnel branch");
    expect([code, stderr]).toEqual([2, expect.stringMatching(/tnl-2, tnl-3.*\[ambiguous-name\]\n$/)]);
  });

  it("is missed by an error and by doctor", async () => {
    await openProject();
    await here.workspace.pulumi(["stack", "unselect"]);
    const says = "No stack of this project is selected";
    const { code, stderr } = await here.run("tunnels", bare);
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining(`Nothing was sent. ${says}. Set FRONTDOOR_CREDENTIALS_FILE or FRONTDOOR_TOKEN`),
    ]);
    const { stdout } = await here.run("doctor --json", bare);
    const { checks } = JSON.parse(stdout) as { checks: object[] };
    const [remedy, name] = [expect.stringContaining("pulumi stack select") as string, "settings"];
    expect(checks).toContainEqual({ name, state: "note", found: says, remedy });
  });

  it("an error names --stack-config where there is no project", async () => {
    const { code, stderr } = await here.run("tunnels", bare);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/--stack-config.* \[token-missing\]/)]);
  });
});
