import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { type Emulator, startEmulator } from "../../emulator";
import { start, well } from "../harness/command";
import { engineEnvironment, serviceEnvironment } from "../harness/environment";
import { removeFolder, root } from "../harness/folder";
import { evaluate } from "../scripts/evaluate";
import { instantiate, made } from "../templates/instance";
import { withGo, withPython } from "./toolchains";

const folder = mkdtempSync(join(tmpdir(), "frontdoor-languages-"));
/** The plugin, and what further languages need. */
const onPath = [join(root, "dist", "plugin")];
let emulator: Emulator;

beforeAll(async () => {
  emulator = await startEmulator({ provisionMs: 300, teardownMs: 100, token: "very-secret-token" });
  mkdirSync(join(folder, "state"));
});
afterAll(async () => {
  await emulator.close();
  removeFolder(folder);
});
beforeEach(() => {
  emulator.reset();
});

const environment = () => ({
  ...engineEnvironment(folder),
  PATH: [...onPath, process.env["PATH"]].join(delimiter),
  ...serviceEnvironment(emulator),
});
/** Runs a command in the copy of an example. */
const run = async (example: string, command: string, ...args: string[]) =>
  well(await start(command, args, { cwd: join(folder, example), env: environment() }).end);
const pulumi = (example: string, ...args: string[]) =>
  run(example, "pulumi", ...args, "--stack", "dev", "--non-interactive", "--color", "never");
const writes = () =>
  emulator.requests
    .splice(0)
    .filter(({ method }) => method !== "GET")
    .map(({ method, path }) => `${method} ${path}`);
const left = () => [...emulator.tunnels(), ...emulator.shares()].filter(({ status }) => status !== "DELETED");

const copy = (example: string) => {
  cpSync(join(root, "examples", example), join(folder, example), { recursive: true });
};
/** The folder of the SDKs, made once. */
const sdks = async () => {
  const into = join(folder, "sdks");
  if (!existsSync(into)) await run(".", process.execPath, join(root, "scripts/sdks.mjs"), into);
  return into;
};

/** Up, refresh and destroy, each of which finds what it should. */
async function lives(example: string, project = `frontdoor-${example}`): Promise<void> {
  emulator.reset();
  await run(example, "pulumi", "stack", "init", "dev");
  await pulumi(example, "up", "--yes", "--skip-preview");
  expect(writes()).toEqual(made);
  const told = await pulumi(example, "stack", "output", "--json");
  const [tunnel] = emulator.tunnels();
  const psk = emulator.samplePsk(tunnel?.id ?? "");
  expect(JSON.parse(told.stdout)).toEqual({
    endpoint: expect.stringMatching(/:8443$/) as string,
    sampleConfig: "[secret]",
  });
  expect(readFileSync(join(folder, "state/.pulumi/stacks", project, "dev.json"), "utf8")).not.toContain(psk);
  await pulumi(example, "refresh", "--yes", "--skip-preview", "--expect-no-changes");
  await pulumi(example, "preview", "--expect-no-changes");
  await pulumi(example, "destroy", "--yes", "--skip-preview");
  expect(left()).toEqual([]);
}

withGo("the quickstart in YAML, and what the template makes, come up, are refreshed and destroyed", async () => {
  onPath.push((await evaluate("engine", 'it.goTool("language-yaml")')) as string);
  copy("quickstart-yaml");
  await lives("quickstart-yaml");
  await instantiate("yaml", { cwd: folder, env: environment() });
  await lives("yaml", "from-yaml");
});

withPython("the quickstart in Python, and what the template makes, come up, are refreshed and destroyed", async () => {
  onPath.push((await evaluate("engine", 'it.goTool("language-python")')) as string);
  copy("quickstart-python");
  await run(".", "python3", "-m", "venv", join(folder, "venv"));
  onPath.unshift(join(folder, "venv", "bin"));
  await run(".", "pip", "install", "--quiet", join(await sdks(), "python"));
  await lives("quickstart-python");
  await instantiate("python", { cwd: folder, env: environment() });
  await run("python", "python3", "-m", "venv", "venv");
  // The language host that is built here passes over the environment that a project names: it takes the first one on the path.
  onPath.unshift(join(folder, "python", "venv", "bin"));
  await run("python", "pip", "install", "--quiet", join(await sdks(), "python"));
  await lives("python", "from-python");
});

withGo("the quickstart in Go, a program of the Automation API, comes up, is refreshed and destroyed", async () => {
  copy("quickstart-go");
  const sdk = "github.com/pulumi-frontdoor/sdk/go";
  await run("quickstart-go", "go", "mod", "edit", `-replace=${sdk}=${await sdks()}/go`);
  await run("quickstart-go", "go", "mod", "tidy");
  await run("quickstart-go", "go", "build", "-o", "quickstart", ".");
  const up = await run("quickstart-go", "./quickstart", "up");
  expect(up.stdout).toMatch(/^endpoint: .+:8443$/m);
  expect(writes()).toEqual(made);
  await run("quickstart-go", "./quickstart", "refresh");
  await run("quickstart-go", "./quickstart", "destroy");
  expect(left()).toEqual([]);
});
