import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Emulator, startEmulator } from "../../emulator";
import { evaluate, start, startPulumi, well } from "../harness/command";
import { made } from "../harness/copies";
import { engineEnvironment, hasGo, serviceEnvironment } from "../harness/environment";
import { removeFolder, root } from "../harness/folder";

const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
const folder = mkdtempSync(join(tmpdir(), "frontdoor-release-test-"));
const releaseInto = (into: string, ...platforms: string[]) =>
  execFileSync(process.execPath, [join(root, "scripts/release.mjs"), ...platforms, "--into", join(folder, into)], {
    stdio: ["ignore", "ignore", "pipe"],
  });
const sums = (of: string) => readFileSync(join(folder, of, "SHA256SUMS"), "utf8");
const sha256 = (file: string) => createHash("sha256").update(readFileSync(file)).digest("hex");
let name: string;
let emulator: Emulator;

beforeAll(async () => {
  const platform = (await evaluate("../release", "it.thisPlatform()")) as string;
  name = `pulumi-resource-frontdoor-v${version}-${platform}`;
  releaseInto("release", platform);
  emulator = await startEmulator({ provisionMs: 300, teardownMs: 100, token: "very-secret-token" });
});
afterAll(async () => {
  await emulator.close();
  removeFolder(folder);
});

it("a release's checksums are those of its files, and the same when it is made again", () => {
  const files = readdirSync(join(folder, "release")).filter((file) => file !== "SHA256SUMS");
  expect(files).toEqual([`${name}.cdx.json`, `${name}.tar.gz`]);
  expect(sums("release")).toBe(files.map((file) => `${sha256(join(folder, "release", file))}  ${file}\n`).join(""));
  releaseInto("again", name.replace(/.*-v[^-]+-/, ""));
  expect(sums("again")).toBe(sums("release"));
});

it("the bill of materials names what the archive has licenses of, and Node as it is in there", () => {
  const unpacked = join(folder, "unpacked");
  mkdirSync(unpacked);
  execFileSync("tar", ["-xzf", join(folder, "release", `${name}.tar.gz`), "-C", unpacked]);
  const { components } = JSON.parse(readFileSync(join(folder, "release", `${name}.cdx.json`), "utf8")) as {
    components: { name: string; version: string; hashes: object[]; licenses: object[] }[];
  };
  const licenses = readFileSync(join(unpacked, "licenses.txt"), "utf8");
  const [node, ...bundled] = [...components].reverse();
  expect(bundled.length).toBeGreaterThan(5);
  expect(bundled.filter((each) => !licenses.includes(`${each.name}\n`)).map((each) => each.name)).toEqual([]);
  expect(components.filter(({ hashes, licenses: own }) => hashes.length !== 1 || own.length !== 1)).toEqual([]);
  const told = execFileSync(join(unpacked, "node"), ["--version"], { encoding: "utf8" });
  expect(`v${node?.version ?? ""}\n`).toBe(told);
});

const withGo = hasGo() ? it : it.skip;

withGo("an archive, installed by the engine, brings a program up, refreshes and destroys it without Node", async () => {
  const yaml = (await evaluate("engine", 'it.goTool("language-yaml")')) as string;
  // All that the engine finds on its path: no Node, and no plugin.
  const bin = join(folder, "bin");
  mkdirSync(bin);
  symlinkSync(execFileSync("which", ["pulumi"], { encoding: "utf8" }).trim(), join(bin, "pulumi"));
  symlinkSync(join(yaml, "pulumi-language-yaml"), join(bin, "pulumi-language-yaml"));
  mkdirSync(join(folder, "state"));
  const program = join(folder, "program");
  cpSync(join(root, "examples/quickstart-yaml"), program, { recursive: true });
  const env = { ...engineEnvironment(folder), PATH: bin, ...serviceEnvironment(emulator) };
  const pulumi = async (...args: string[]) => well(await startPulumi(args, { cwd: program, env }).end);

  const file = join(folder, "release", `${name}.tar.gz`);
  await pulumi("plugin", "install", "resource", "frontdoor", version, "--file", file);
  await pulumi("stack", "init", "dev");
  await pulumi("up", "--yes", "--skip-preview");
  const posts = emulator.requests.filter(({ method }) => method === "POST");
  expect(posts.map(({ method, path }) => `${method} ${path}`)).toEqual(made);
  await pulumi("refresh", "--yes", "--skip-preview", "--expect-no-changes");
  await pulumi("destroy", "--yes", "--skip-preview");
  expect([...emulator.tunnels(), ...emulator.shares()].filter(({ status }) => status !== "DELETED")).toEqual([]);
});

it("what Windows gets, a single executable, runs the plugin that lies beside it; tried with this platform's Node", async () => {
  const single = join(folder, "single");
  cpSync(join(folder, "unpacked"), single, { recursive: true });
  const plugin = join(single, "pulumi-resource-frontdoor");
  const makes = (output: string) =>
    evaluate("../release", `it.singleExecutable(...${JSON.stringify([join(single, "node"), output])})`);
  expect(await makes(plugin)).toBeNull();
  expect(await makes(`${plugin}.again`)).toBeNull();
  expect(sha256(`${plugin}.again`)).toBe(sha256(plugin));
  rmSync(join(single, "node"));
  const env = { ...engineEnvironment(folder), PATH: "/nowhere" };
  const running = start(plugin, ["127.0.0.1:1"], { cwd: single, env });
  await running.says(/\n/);
  process.kill(running.pid, "SIGINT");
  expect(await running.end).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\d+\n$/) as string });
});
