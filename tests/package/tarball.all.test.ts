import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { devices } from "../../cli/device-templates";
import { start, well } from "../harness/command";
import { packInto, removeFolder, root } from "../harness/folder";

const folder = mkdtempSync(join(tmpdir(), "frontdoor-lint-"));
let tarball: string;
beforeAll(() => {
  tarball = packInto(folder);
});
afterAll(() => {
  removeFolder(folder);
});

const run = async (command: string, ...args: string[]) =>
  well(await start(command, args, { cwd: root, env: process.env }).end);

const findings = `
  import { readFileSync } from "node:fs";
  import { publint } from "publint";
  const { buffer } = new Uint8Array(readFileSync(process.argv[1]));
  console.log(JSON.stringify((await publint({ pack: { tarball: buffer }, strict: true })).messages));`;

describe("the packed package", () => {
  it("has the templates of device-config, and finds them", async () => {
    await run("tar", "-xzf", tarball, "-C", folder);
    const { stdout } = await run(process.execPath, join(folder, "package/dist/cli.js"), "device-config", "--list");
    for (const device of devices) expect(stdout).toMatch(new RegExp(`^${device} `, "m"));
  });

  it("has nothing that publint finds", async () => {
    const { stdout } = await run(process.execPath, "--input-type=module", "-e", findings, tarball);
    const messages = JSON.parse(stdout) as { code: string; path: string[] }[];
    // It looks at text: the quoted command of a message ends in `import"`, which it takes for an ES module's.
    const isKnown = ({ code, path }: (typeof messages)[number]) =>
      code === "FILE_INVALID_FORMAT" && path[1] === "./dynamic";
    expect(messages.filter((each) => !isKnown(each))).toEqual([]);
  });

  it("has types that are found and right under every module resolution", async () => {
    // The engine's provider process alone loads "dynamic", by its name in a text: nobody imports its types.
    await run(join(root, "node_modules", ".bin", "attw"), tarball, "--exclude-entrypoints", "dynamic", "--no-color");
  });
});
