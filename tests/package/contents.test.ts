import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { join, relative, sep } from "node:path";
import { root } from "../harness/folder";
import { declarationsReachedFrom } from "./reached";

interface Packed {
  files: { path: string; mode: number }[];
  size: number;
  unpackedSize: number;
}

const pack = ["pack", "--dry-run", "--json", "--ignore-scripts", "--loglevel=error"];
const [{ files, size, unpackedSize }] = JSON.parse(execFileSync("npm", pack, { cwd: root, encoding: "utf8" })) as [
  Packed,
];
const { dependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { dependencies: object };
const paths = files.map(({ path }) => path).sort();
const isDeclaration = (path: string) => path.endsWith(".d.ts");
const isOfSdk = (path: string) => path.startsWith("dist/sdk/");

const partOfCommand = (part: string) => [`dist/cli-${part}.js`, `dist/cli-${part}.licenses.txt`];

/** Besides the classes and functions that users import, and declarations. */
const others = [
  ...["CHANGELOG.md", "LICENSE", "README.md"],
  ...readdirSync(join(root, "cli", "page"))
    .filter((name) => !name.endsWith(".d.ts"))
    .map((name) => `cli/page/${name}`),
  ...["emulator", "main"].flatMap(partOfCommand),
  "dist/cli-node.js",
  ...["svg", "work"].flatMap(partOfCommand),
  ...["dist/cli.js", "dist/dynamic.js", "dist/dynamic.licenses.txt"],
  ...["PulumiPlugin.yaml", "index.js", "licenses.txt", "package.json"].map((name) => `dist/plugin/${name}`),
  ...["dist/plugin/pulumi-resource-frontdoor", "dist/plugin/pulumi-resource-frontdoor.cmd", "dist/plugin/schema.json"],
  ...["dist/policy.licenses.txt", "dist/policy/index.js", "dist/policy/pack.js", "dist/policy/sarif.js"],
  ...["dist/provider/functions/open.js", "dist/reads.licenses.txt", "dist/sbom.cdx.json", "package.json"],
  ...["policy/PulumiPolicy.yaml", "policy/baseline.json", "policy/package.json", "policy/strict.json"],
];

describe("what npm packs", () => {
  it("is, besides the SDK, what is loaded, run and read, and nothing else", () => {
    expect(paths.filter((path) => !isOfSdk(path) && !isDeclaration(path))).toEqual(others);
  });

  it("has every module of the SDK, compiled", () => {
    const sources = readdirSync(join(root, "sdk"), { recursive: true, encoding: "utf8" })
      // These hold only types.
      .filter((path) => path.endsWith(".ts") && !["inputs.ts", "function-types.ts"].includes(path))
      .map((path) => `dist/sdk/${path.replaceAll(sep, "/").replace(/\.ts$/, ".js")}`);
    expect(paths.filter((path) => isOfSdk(path) && !isDeclaration(path))).toEqual(sources.sort());
  });

  it("has the declarations that users' programs reach, and no others", () => {
    const entries = ["dist/sdk/index.d.ts", "dist/sdk/plugin/index.d.ts", "dist/policy/index.d.ts"];
    const reached = entries.flatMap((entry) => declarationsReachedFrom(entry).files);
    const wanted = [...new Set(reached.map((path) => relative(root, path).replaceAll(sep, "/")))];
    expect(paths.filter(isDeclaration)).toEqual(wanted.sort());
  });

  it("loads nothing but Node's own modules, itself and what it declares as dependencies", () => {
    const named = paths
      .filter((path) => path.endsWith(".js"))
      .flatMap((path) => [...readFileSync(join(root, path), "utf8").matchAll(/\brequire\("([^."][^"]*)"\)/g)])
      .map(([, name = ""]) => /^(@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? name);
    const known = [...Object.keys(dependencies), "pulumi-frontdoor"];
    expect(named).toContain("@pulumi/policy");
    expect(named.filter((name) => !isBuiltin(name) && !known.includes(name))).toEqual([]);
  });

  it("has a plugin's folder that Pulumi can install by itself: it names the package that runs the plugin", () => {
    const own = JSON.parse(readFileSync(join(root, "dist", "plugin", "package.json"), "utf8")) as {
      dependencies: Record<string, string>;
    };
    expect(own.dependencies).toEqual({ "@pulumi/pulumi": (dependencies as Record<string, string>)["@pulumi/pulumi"] });
  });

  it("stays within its budget: 1.8 MB, 6.2 MB unpacked", () => {
    expect(size).toBeLessThan(1_800_000);
    expect(unpackedSize).toBeLessThan(6_200_000);
  });

  it("has names that Windows takes, and commands that run everywhere", () => {
    expect(paths.filter((path) => !/^[\w./-]+$/.test(path) || path.length > 100)).toEqual([]);
    expect(new Set(paths.map((path) => path.toLowerCase())).size).toBe(paths.length);
    const commands = files.filter(({ mode }) => (mode & 0o111) !== 0).map(({ path }) => path);
    expect(commands).toEqual(["dist/cli.js", "dist/plugin/pulumi-resource-frontdoor"]);
  });
});
