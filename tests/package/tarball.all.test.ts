import { mkdirSync, mkdtempSync, readFileSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { devices } from "../../cli/devices/templates";
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

/** Uses a class of each entry point that programs import. */
const everything = `
  import { IpsecTunnel } from "pulumi-frontdoor";
  import { IpsecShare } from "pulumi-frontdoor/plugin";
  import { guardDangerousPorts } from "pulumi-frontdoor/policy";
  export const types: [IpsecTunnel["status"], IpsecShare["status"], number] = [null!, null!, guardDangerousPorts.name.length];
`;

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

  it.each([
    ["node10", "commonjs", { "index.ts": everything }],
    ["bundler", "es2022", { "index.ts": everything }],
    ["node16", "node16", { "index.cts": everything, "index.mts": everything }],
  ])("has types that TypeScript finds with the resolution %s", async (moduleResolution, module, files) => {
    const place = mkdtempSync(join(folder, "types-"));
    mkdirSync(join(place, "node_modules"));
    await run("tar", "-xzf", tarball, "-C", join(place, "node_modules"));
    renameSync(join(place, "node_modules", "package"), join(place, "node_modules", "pulumi-frontdoor"));
    symlinkSync(join(root, "node_modules", "@pulumi"), join(place, "node_modules", "@pulumi"));
    for (const [file, text] of Object.entries(files)) writeFileSync(join(place, file), text);
    const options = { noEmit: true, strict: true, skipLibCheck: true, target: "es2022", types: ["node"] };
    const compilerOptions = {
      ...options,
      moduleResolution,
      module,
      ignoreDeprecations: "6.0",
      typeRoots: [join(root, "node_modules/@types")],
    };
    writeFileSync(join(place, "tsconfig.json"), JSON.stringify({ compilerOptions, files: Object.keys(files) }));
    await run(join(root, "node_modules", ".bin", "tsc"), "-p", place);
  });
});

describe("npm run pack", () => {
  interface Version {
    version: string;
  }

  it.each([
    ["with its commit, and with the time if the checkout has changes", {}, /-dev\.\d+\.g[0-9a-f]+(\.\d{14})?$/],
    ["with the time, in a checkout without git", { GIT_DIR: join(folder, "none") }, /-dev\.\d{14}$/],
  ])("packs under a version of its own, %s", async (_, more, pattern) => {
    const before = readFileSync(join(root, "package.json"), "utf8");
    const into = mkdtempSync(join(folder, "pack-"));
    const env = { ...process.env, ...more };
    const ended = await start(process.execPath, ["scripts/pack.mjs", "--pack-destination", into], { cwd: root, env })
      .end;
    const [file = ""] = well(ended).stdout.split("\n");
    expect(readFileSync(join(root, "package.json"), "utf8")).toBe(before);
    await run("tar", "-xzf", file, "-C", into);
    const json = (path: string) => JSON.parse(readFileSync(join(into, "package", path), "utf8")) as Version;
    const { version } = json("package.json");
    expect(version).toMatch(pattern);
    expect(version.startsWith(`${(JSON.parse(before) as Version).version}-`)).toBe(true);
    expect(basename(file)).toBe(`pulumi-frontdoor-${version}.tgz`);
    const schema = await run(
      "pulumi",
      "package",
      "get-schema",
      join(into, "package/dist/plugin/pulumi-resource-frontdoor"),
    );
    expect((JSON.parse(schema.stdout) as Version).version).toBe(version);
    const { metadata } = json("dist/sbom.cdx.json") as unknown as {
      metadata: { component: Version & { purl: string } };
    };
    expect(metadata.component).toMatchObject({ version, purl: `pkg:npm/pulumi-frontdoor@${version}` });
  });
});
