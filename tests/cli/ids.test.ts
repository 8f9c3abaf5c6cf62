import { writeFileSync } from "node:fs";
import { useEmulator } from "./command";

const here = useEmulator(() => undefined);

/** An API account in the environment, beside nothing else that names a service. */
const account = (tokenUrl: string) => ({
  ...{ FRONTDOOR_BASE_URL: undefined, FRONTDOOR_ID: undefined, FRONTDOOR_TOKEN: undefined, PULUMI_STACK: "dev" },
  ...{ NETFOUNDRY_CLIENT_ID: "client-1", NETFOUNDRY_PASSWORD: "long-secret-of-the-client" },
  NETFOUNDRY_OAUTH_URL: tokenUrl,
});
const ofVendor = account("https://auth.netfoundry.example/oauth2/token");

/** A project whose selected stack, as in getting started, leads to the emulator. */
function openProject(): void {
  const config = { "frontdoor:baseUrl": here.emulator.baseUrl, "frontdoor:token": here.emulator.token };
  writeFileSync(here.path("Pulumi.yaml"), JSON.stringify({ name: "my-tunnels", runtime: "nodejs" }));
  writeFileSync(here.path("Pulumi.dev.yaml"), JSON.stringify({ config }));
}

describe("frontdoor ids", () => {
  it("says from where it reads, and with which credentials", async () => {
    openProject();
    const { stderr } = await here.run("ids", {
      ...ofVendor,
      NETFOUNDRY_OAUTH_URL: undefined,
      NETFOUNDRY_CLIENT_ID: "",
    });
    expect(stderr).toContain(`reading from ${here.emulator.baseUrl} with frontdoor:token\n`);
  });

  it("refuses in one line, and sends nothing, if the selected stack leads to an emulator and not to the API account", async () => {
    openProject();
    const { code, stdout, stderr } = await here.run("ids", ofVendor);
    const [notice, refusal, ...rest] = stderr.split("\n");
    expect([code, stdout, notice, rest]).toEqual([2, "", "settings of the selected stack: Pulumi.dev.yaml", [""]]);
    expect(refusal).toMatch(
      /\(Pulumi\.dev\.yaml\) leads to http:\S+, not to the API account of NETFOUNDRY_CLIENT_ID and .*`pulumi stack unselect`.*\[emulator-selected\]$/,
    );
    expect(here.emulator.requests).toEqual([]);
  });

  it.each([
    ["the stack is named", "ids --stack-config Pulumi.dev.yaml", ofVendor.NETFOUNDRY_OAUTH_URL],
    ["the account is the emulator's too", "ids", "http://127.0.0.1:1/token"],
  ])("asks the emulator if %s", async (_case, line, tokenUrl) => {
    openProject();
    expect((await here.run(line, account(tokenUrl))).stdout).toContain("fd-1 (emulator)");
  });
});
