import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { evaluate } from "../harness/command";
import { removeFolder, root } from "../harness/folder";

const file = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  scripts: Record<string, string>;
  version: string;
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
  peerDependencies: Record<string, string>;
  peerDependenciesMeta: Record<string, object>;
};

describe("package", () => {
  it("runs nothing when it is installed", () => {
    const onInstall = ["preinstall", "install", "postinstall", "preprepare", "prepare", "postprepare"];
    expect(Object.keys(file.scripts).filter((script) => onInstall.includes(script))).toEqual([]);
  });

  it("has a policy pack with its version, which names what it runs on", () => {
    const pack = JSON.parse(readFileSync(join(root, "policy", "package.json"), "utf8")) as typeof file;
    expect(pack.version).toBe(file.version);
    // The pack reaches into @pulumi/policy, so its minor is the one that was tried.
    expect(pack.dependencies).toEqual({
      "@pulumi/policy": expect.stringMatching(/^~\d+\.\d+\.\d+$/) as string,
      "@pulumi/pulumi": file.dependencies["@pulumi/pulumi"],
    });
    expect(file.devDependencies["@pulumi/policy"]).toBe(pack.dependencies["@pulumi/policy"]);
    expect(file.peerDependencies["@pulumi/policy"]).toBe(pack.dependencies["@pulumi/policy"]?.replace("~", "^"));
  });
});

describe("npm ci", () => {
  interface Locked {
    version?: string;
    integrity?: string;
    link?: boolean;
    hasInstallScript?: boolean;
  }
  const lockFile = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as {
    packages: Record<string, Locked>;
  };
  const locked = Object.entries(lockFile.packages).filter(
    ([path, { link }]) => path.includes("node_modules/") && !link,
  );

  it("fetches nothing without an integrity", () => {
    expect(locked.filter(([, { integrity }]) => !integrity?.startsWith("sha512-")).map(([path]) => path)).toEqual([]);
  });

  it("runs only install scripts that look for a locked package", () => {
    const scripts = locked
      .filter(([, { hasInstallScript }]) => hasInstallScript)
      .map(([path]) => path.split("node_modules/").at(-1));
    expect(new Set(scripts)).toEqual(
      new Set(["@parcel/watcher", "@swc/core", "esbuild", "protobufjs", "unrs-resolver"]),
    );
  });
});

const dist = join(root, "dist");
const texts = readdirSync(dist, { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith("licenses.txt"))
  .concat(join("..", "policy", "licenses.txt"))
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

/** An audit with the answer of a registry that a program named npm stands for. */
function audit(answer: string, own: NodeJS.ProcessEnv = {}) {
  const folder = mkdtempSync(join(tmpdir(), "frontdoor-audit-"));
  writeFileSync(join(folder, "npm"), `#!/bin/sh\necho '${answer}'\n`, { mode: 0o755 });
  const env = { ...process.env, ...own, PATH: [folder, process.env["PATH"]].join(delimiter) };
  const { status, stdout, stderr } = spawnSync(process.execPath, ["scripts/audit.mjs"], {
    cwd: root,
    env,
    encoding: "utf8",
  });
  removeFolder(folder);
  return [status, `${stdout}${stderr}`] as const;
}

const hole = (name: string, severity: string) =>
  JSON.stringify({ vulnerabilities: { [name]: { name, severity, range: "<9" } } });

// The stand-in for npm is a shell script.
(process.platform === "win32" ? it.skip : it).each([
  ["without an answer", "", 0, "The registry did not answer"],
  ["refused by the registry", '{"message":"no such endpoint"}', 0, "no such endpoint"],
  ["with a hole in a bundled package", hole("undici", "high"), 1, "undici <9: a hole of high severity"],
  ["with a hole in a tool of developers", hole("eslint", "critical"), 0, "None of the"],
  ["with a small hole", hole("undici", "moderate"), 0, "None of the"],
])("npm run audit %s", (_what, answer, code, says) => {
  expect(audit(answer)).toEqual([code, expect.stringContaining(says)]);
});

(process.platform === "win32" ? it.skip : it)("a release waits until the registry has answered the audit", () => {
  expect(audit("", { GITHUB_REF_TYPE: "tag" })).toEqual([1, expect.stringContaining("The registry did not answer")]);
});
