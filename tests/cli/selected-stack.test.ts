import { mkdirSync, writeFileSync } from "node:fs";
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

  it("a command finds a tunnel by its logical name in the selected stack", async () => {
    await openProject();
    here.emulator.seedTunnel({ id: "tnl-2", name: "shop-dev-branch", locationId: "loc-2" });
    here.emulator.seedTunnel({ id: "tnl-3", name: "shop-prod-branch", locationId: "loc-3" });
    const { code, stdout } = await here.run("tunnel branch --json", bare);
    expect([code, JSON.parse(stdout)]).toMatchObject([0, { tunnel: { id: "tnl-2" } }]);
  });

  it("the environment comes first, as one that names another service must", async () => {
    await openProject();
    const { code, stderr } = await here.run("tunnels", { FRONTDOOR_ID: "fd-9", FRONTDOOR_TOKEN: "any" });
    expect(stderr).not.toContain("selected stack");
    expect(code).toBe(1);
  });

  it("an error names --stack-config where there is no project", async () => {
    const { code, stderr } = await here.run("tunnels", bare);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/--stack-config.* \[token-missing\]/)]);
  });
});
