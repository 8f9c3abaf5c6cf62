import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { removeFolder, root } from "../harness/folder";
import { examplesIn } from "./documented";
import { withDotnet, withGo, withPython } from "./toolchains";

const folder = mkdtempSync(join(tmpdir(), "frontdoor-sdks-"));
const sdks = join(folder, "sdks");
const inSdk = (path: string) => readFileSync(join(sdks, path), "utf8");
const run = (command: string, args: string[], cwd = folder, env = {}): string =>
  execFileSync(command, args, {
    cwd,
    env: { ...process.env, ...env },
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  });
let isMade = false;
const make = (into: string) => run(process.execPath, [join(root, "scripts/sdks.mjs"), into]);
/** Once, by the first test that is not skipped. */
function made(): void {
  if (!isMade) make(sdks);
  isMade = true;
}

afterAll(() => {
  removeFolder(folder);
});

/** Writes the documented examples of a language, each to the file that this names. */
function writeExamples(language: string, fileOf: (name: string) => string): string[] {
  return Object.entries(examplesIn(language)).map(([name, text]) => {
    const file = fileOf(name);
    mkdirSync(join(file, ".."), { recursive: true });
    writeFileSync(file, text);
    return file;
  });
}

describe("the SDKs", () => {
  withGo("are the same each time they are made", () => {
    made();
    make(join(folder, "again"));
    expect(run("diff", ["-r", sdks, join(folder, "again")])).toBe("");
    expect(readdirSync(sdks).sort()).toEqual(["dotnet", "go", "nodejs", "python"]);
  });
});

describe("the Go SDK", () => {
  withGo("builds, and so does every documented example", () => {
    made();
    const copy = join(folder, "go");
    cpSync(join(sdks, "go"), copy, { recursive: true });
    writeExamples("go", (name) => join(copy, "examples", name, "main.go"));
    expect(run("go", ["vet", "./..."], copy, { CGO_ENABLED: "0", GOFLAGS: "-mod=readonly" })).toBe("");
  });
});

describe("the Python SDK", () => {
  withPython("is a wheel that pip installs, and knows all that the documented examples use", () => {
    made();
    const bin = join(folder, "venv", "bin");
    run("python3", ["-m", "venv", join(folder, "venv")]);
    run(join(bin, "pip"), ["wheel", "--quiet", "--no-deps", "--wheel-dir", folder, join(sdks, "python")]);
    const wheel = readdirSync(folder).find((name) => name.endsWith(".whl")) ?? "";
    expect(wheel).toMatch(/^pulumi_frontdoor-[\d.]+-py3-none-any\.whl$/);
    run(join(bin, "pip"), ["install", "--quiet", join(folder, wheel)]);
    const programs = writeExamples("python", (name) => join(folder, "programs", `${name}.py`));
    const told = run(join(bin, "python"), [join(root, "tests/languages/mocked.py"), ...programs]);
    expect(told.trim().split("\n")).toEqual(programs);
  });
});

describe("the Node.js SDK", () => {
  withGo("compiles", () => {
    made();
    symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
    const flags = "--noEmit --skipLibCheck --strict --ignoreConfig --target es2022 --module node20 --types node".split(
      " ",
    );
    const tsc = [join(root, "node_modules/typescript/bin/tsc"), ...flags];
    expect(run(process.execPath, [...tsc, join(sdks, "nodejs/index.ts")])).toBe("");
  });

  withGo("puts nothing of the environment's credentials into the state", () => {
    made();
    const read = [...inSdk("nodejs/provider.ts").matchAll(/getEnv\w*\("(\w+)"\)/g)].map((match) => match[1]);
    expect(read.sort()).toEqual([
      "FRONTDOOR_BASE_URL",
      "FRONTDOOR_ID",
      "FRONTDOOR_ONE_TUNNEL_PER_LOCATION",
      "FRONTDOOR_REQUESTS_PER_SECOND",
      "FRONTDOOR_REQUEST_TIMEOUT",
      "FRONTDOOR_TAKE_OVER",
    ]);
  });
});

describe("the .NET SDK", () => {
  withGo("has every resource, function and setting, and examples in its language alone", () => {
    made();
    const files = readdirSync(join(sdks, "dotnet"));
    const wanted = ["IpsecTunnel.cs", "IpsecShare.cs", "Provider.cs", "GetTunnels.cs", "Pulumi.Frontdoor.csproj"];
    expect(files).toEqual(expect.arrayContaining(wanted));
    expect(inSdk("dotnet/IpsecTunnel.cs")).toContain(
      'AdditionalSecretOutputs =\n                {\n                    "sampleConfig",',
    );
    const sources = files.filter((name) => name.endsWith(".cs")).map((name) => inSdk(`dotnet/${name}`));
    expect(sources.filter((text) => /```(?!csharp|\n|\r)\w/.test(text))).toEqual([]);
  });

  withDotnet("compiles", () => {
    made();
    run("dotnet", ["build"], join(sdks, "dotnet"));
  });
});
