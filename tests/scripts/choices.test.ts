import { readFileSync, statSync } from "node:fs";
import { evaluate } from "./evaluate";

describe("the oldest version that will do", () => {
  it("is met by itself and by what is later, and by nothing else", async () => {
    const texts = ["3.200.0", "v3.213.0", "v3.200.1-alpha.5", "4.0.0\n", "v3.199.9", "2.300.0", "", "dev"];
    expect(
      await evaluate("environment", `${JSON.stringify(texts)}.filter((text) => it.atLeast(text, "3.200.0"))`),
    ).toEqual(["3.200.0", "v3.213.0", "v3.200.1-alpha.5", "4.0.0\n"]);
  });

  it("of Node is met by the Node that the tests run on", async () => {
    expect(await evaluate("../setup", "it.findNode()")).toBe(process.execPath);
  });
});

describe("the environment of children", () => {
  it("holds nothing of the caller's own Pulumi and keeps loopback off a proxy", async () => {
    const env = { PULUMI_ACCESS_TOKEN: "pul-1", pulumi_stack: "mine", HTTPS_PROXY: "http://proxy:1", no_proxy: "corp" };
    expect(await evaluate("environment", `it.withoutPulumi(${JSON.stringify(env)})`)).toEqual({
      HTTPS_PROXY: "http://proxy:1",
      NO_PROXY: "corp,127.0.0.1,localhost",
      no_proxy: "corp,127.0.0.1,localhost",
    });
  });
});

describe("installed dependencies", () => {
  const locked = {
    packages: {
      "": {},
      "node_modules/a": { version: "1.0.0" },
      "node_modules/b-darwin": { version: "1.0.0", optional: true },
      "node_modules/self": { link: true },
    },
  };
  const installed = { packages: { "node_modules/a": { version: "1.0.0" }, "node_modules/self": { link: true } } };
  const fulfils = (found: object) =>
    evaluate("../setup", `it.fulfils(${JSON.stringify(locked)}, ${JSON.stringify(found)})`);

  it("are what the lock file says, without other platforms' optional packages", async () => {
    expect(await fulfils(installed)).toBe(true);
  });

  it("are not, when one has another version or is missing", async () => {
    expect(await fulfils({ packages: { ...installed.packages, "node_modules/a": { version: "1.0.1" } } })).toBe(false);
    expect(await fulfils({ packages: { "node_modules/self": { link: true } } })).toBe(false);
  });

  const install = (message: string, isCi: boolean) =>
    evaluate(
      "../setup",
      `(async (calls) => {
        const run = async ([command]) => {
          calls.push(command);
          if (command === "ci") throw new Error(${JSON.stringify(message)});
        };
        const error = await it.install(run, ${isCi}).then(() => undefined, () => "failed");
        return [...calls, ...(error ? [error] : [])];
      })([])`,
    );

  it("are installed by npm install only if npm ci finds the lock file incomplete, and never in CI", async () => {
    const incomplete = "package.json and package-lock.json are not in sync";
    expect(await install(incomplete, false)).toEqual(["ci", "install"]);
    expect(await install(incomplete, true)).toEqual(["ci", "failed"]);
    expect(await install("no network", false)).toEqual(["ci", "failed"]);
  });
});

describe("the quickstart's emulator", () => {
  it("is started without its token on the command line, which other users can read", async () => {
    const [options, token] = (await evaluate(
      "../quickstart",
      `(async () => [it.quickstartOptions(), (await import("./scripts/setup/environment.mjs")).secretText("token")])()`,
    )) as [string[], string];
    expect(token).toMatch(/^[\w-]{32}$/);
    expect(options.join(" ")).not.toContain(token);
    const file = options[options.indexOf("--token-file") + 1] ?? "";
    expect([readFileSync(file, "utf8"), statSync(file).mode & 0o077]).toEqual([token, 0]);
  });
});
