import { writeFileSync } from "node:fs";
import { useEmulator } from "./command";

const here = useEmulator(() => undefined);

const bare = { FRONTDOOR_BASE_URL: undefined, FRONTDOOR_ID: undefined, FRONTDOOR_TOKEN: undefined };

describe("pulumi-frontdoor ids", () => {
  it("says from where it reads, and with which credentials", async () => {
    const config = { "frontdoor:baseUrl": here.emulator.baseUrl, "frontdoor:token": here.emulator.token };
    writeFileSync(here.path("Pulumi.dev.yaml"), JSON.stringify({ config }));
    const { stderr } = await here.run("ids --stack-config Pulumi.dev.yaml", bare);
    expect(stderr).toContain(`reading from ${here.emulator.baseUrl} with frontdoor:token\n`);
  });
});
