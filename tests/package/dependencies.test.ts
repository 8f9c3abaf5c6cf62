import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { evaluate } from "../harness/command";
import { root } from "../harness/folder";

const file = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  scripts: Record<string, string>;
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
};

describe("package", () => {
  it("runs nothing when it is installed", () => {
    const onInstall = ["preinstall", "install", "postinstall", "preprepare", "prepare", "postprepare"];
    expect(Object.keys(file.scripts).filter((script) => onInstall.includes(script))).toEqual([]);
  });

  it("brings Pulumi's own packages and no others, each from the registry", () => {
    expect(Object.keys(file.dependencies)).toEqual(["@pulumi/policy", "@pulumi/pulumi"]);
    expect(Object.values(file.dependencies).every((range) => /^\^\d+\.\d+\.\d+$/.test(range))).toBe(true);
  });

  it("gives a reason for each of its dependencies, in docs/dependencies.md", () => {
    const page = readFileSync(join(root, "docs", "dependencies.md"), "utf8");
    const told = [...page.matchAll(/^\| `([^`]+)` +\|/gm)].map(([, name]) => name);
    const { [`pulumi-frontdoor`]: itself, ...development } = file.devDependencies;
    expect(itself).toBe("file:.");
    expect(told.sort()).toEqual([...Object.keys(file.dependencies), ...Object.keys(development)].sort());
  });
});

const dist = join(root, "dist");
const texts = readdirSync(dist, { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith("licenses.txt"))
  .map((path) => ({ path, text: readFileSync(join(dist, path), "utf8") }));
const { components } = JSON.parse(readFileSync(join(dist, "sbom.cdx.json"), "utf8")) as {
  components: { name: string; version: string; hashes: object[]; licenses: object[] }[];
};

/** The folders of the packages that a text has the licenses of. */
const foldersIn = (text: string) =>
  [...text.matchAll(/(?<=^|\n\n)[@\w./-]+(?=\n\n)/g)]
    .map(([path]) => join(root, "node_modules", path))
    .filter((folder) => existsSync(join(folder, "package.json")));

/** Files of a package that tell of licenses, without those of packages in it. */
const legalFilesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile() && /^(licen[cs]e|notice|copying)/i.test(each.name))
    .map((each) => join(each.parentPath, each.name))
    .filter((path) => !path.slice(folder.length).includes("node_modules"))
    .map((path) => readFileSync(path, "utf8").trim());

describe("the license texts", () => {
  it.each(texts)("of $path hold every LICENSE, NOTICE and COPYING file of what is bundled there", ({ text }) => {
    const folders = foldersIn(text);
    expect(folders).not.toEqual([]);
    const lacking = folders.filter((folder) => !legalFilesIn(folder).every((each) => text.includes(each)));
    expect(lacking).toEqual([]);
  });

  it.each([
    ["cli-svg.licenses.txt", "Apache ECharts\nCopyright 2017"],
    ["cli-svg.licenses.txt", "Mike Bostock"],
    ["cli-work.licenses.txt", "Copyright The OpenTelemetry Authors"],
    ["plugin/licenses.txt", "Copyright The Closure Library Authors.\n SPDX-License-Identifier: Apache-2.0"],
    ["plugin/licenses.txt", "LICENSE-asserts.md:\n\n"],
  ])("of %s hold %j", (file, notice) => {
    expect(texts.find(({ path }) => path === file)?.text).toContain(notice);
  });

  it("cannot be made for a package that has none, so there is no build", async () => {
    expect(await evaluate("../bundle", 'it.licensesOf(["node_modules/natural-compare/index.js"])')).toEqual({
      error: expect.stringContaining("node_modules/natural-compare is bundled and has no license file") as string,
    });
  });
});

it("the bill of materials names each package that a license text names, with its hash and its license", () => {
  const named = texts.flatMap(({ text }) => foldersIn(text)).map((folder) => folder.replace(/^.*node_modules\//, ""));
  expect(named).toContain("undici");
  expect([...new Set(components.map(({ name }) => name))].sort()).toEqual([...new Set(named)].sort());
  expect(components.filter(({ hashes, licenses }) => hashes.length !== 1 || licenses.length !== 1)).toEqual([]);
});

interface Report {
  vulnerabilities?: Record<string, { severity: string }>;
  message?: string;
}

const flags = ["--json", "--fetch-retries=0", "--fetch-timeout=15000"];
const { stdout } = spawnSync("npm", ["audit", ...flags], { cwd: root, encoding: "utf8", timeout: 60_000 });
const { vulnerabilities, message } = JSON.parse(stdout) as Report;

const lock = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as {
  packages: Record<string, { dev?: boolean }>;
};
/** What users install, and what is in the files of the package itself. */
const shipped = Object.entries(lock.packages).flatMap(([path, { dev = false }]) => {
  const name = path.replace(/^.*node_modules\//, "");
  return !dev || texts.some(({ text }) => text.includes(`${name}\n\n`)) ? name : [];
});

/** Not every mirror answers audits, and a machine may be offline: then there is nothing to judge, and the run says so. */
const unanswered = vulnerabilities === undefined ? (message ?? "no report") : undefined;

(unanswered === undefined ? it : it.skip)(
  `nothing that users get has a known hole of high severity${unanswered === undefined ? "" : ` (the registry did not answer: ${unanswered})`}`,
  () => {
    expect(shipped).toContain("undici");
    const severe = Object.entries(vulnerabilities ?? {}).filter(([, { severity }]) => /high|critical/.test(severity));
    expect(severe.map(([name]) => name).filter((name) => shipped.includes(name))).toEqual([]);
  },
);
