import childProcess from "node:child_process";
import { writeFileSync } from "node:fs";
import { promisify } from "node:util";
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

  it("does not list an id that only the configuration knows", async () => {
    const { stdout } = await here.run("ids", { FRONTDOOR_ID: "fd-typo" });
    expect(stdout).not.toMatch(/^front door +fd-typo/m);
    expect(stdout).toMatch(
      /note: front door fd-typo, which the configuration names: no list shows it, and it answered/,
    );
  });

  it("says that pulumi did not end in time", async () => {
    const secret = { "frontdoor:token": { secure: "AAABAAAA" } };
    writeFileSync(here.path("Pulumi.dev.yaml"), JSON.stringify({ encryptionsalt: "v1:x:v1:y", config: secret }));
    writeFileSync(here.path("pulumi"), "", { mode: 0o755 });
    const late = () => Promise.reject(Object.assign(new Error("late"), { killed: true, stderr: "" }));
    const execFile = Object.assign(jest.spyOn(childProcess, "execFile"), { [promisify.custom]: late });
    const { stderr } = await here.run("ids --stack-config Pulumi.dev.yaml", { ...bare, PATH: here.workspace.folder });
    execFile.mockRestore();
    expect(stderr).toMatch(/its secrets can't be read \(pulumi did not end within 30 s\)/);
  });
});
