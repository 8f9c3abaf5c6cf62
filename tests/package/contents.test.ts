import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { dirname, join, relative, resolve, sep } from "node:path";
import { root } from "../harness/folder";

/** Every module that the declarations of an entry point reach, starting from the compiled package. */
function declarationsReachedFrom(entry: string): { files: string[]; packages: string[] } {
  const files = [join(root, entry)];
  const packages = new Set<string>();
  for (const file of files) {
    for (const [, from = ""] of readFileSync(file, "utf8").matchAll(/(?:from |import\()"([^"]+)"/g)) {
      const next = `${resolve(dirname(file), from)}${existsSync(`${resolve(dirname(file), from)}.d.ts`) ? ".d.ts" : "/index.d.ts"}`;
      if (!from.startsWith(".")) packages.add(from);
      else if (!files.includes(next)) files.push(next);
    }
  }
  return { files, packages: [...packages] };
}

interface Packed {
  files: { path: string; mode: number }[];
  size: number;
  unpackedSize: number;
}

const pack = ["pack", "--dry-run", "--json", "--ignore-scripts", "--loglevel=error"];
const [{ files, size, unpackedSize }] = JSON.parse(execFileSync("npm", pack, { cwd: root, encoding: "utf8" })) as [
  Packed,
];
const {
  dependencies,
  peerDependencies,
  bin,
  exports: entryPoints,
} = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as Record<string, object>;
const paths = files.map(({ path }) => path).sort();

describe("what npm packs", () => {
  it("has no source, test or map, and all that package.json names", () => {
    const ofRepository = /^(?:tests|scripts|bench|fleet|emulator|provider|sdk)\/.*(?<!\.md)$|\.map$/;
    expect(paths.filter((path) => ofRepository.test(path))).toEqual([]);
    const named = JSON.stringify([entryPoints, bin]).match(/(?<=")(?:\.\/)?dist\/[^"]+/g) ?? [];
    expect(named.map((path) => path.replace(/^\.\//, "")).filter((path) => !paths.includes(path))).toEqual([]);
  });

  it("loads nothing but Node's own modules, itself and what it declares as dependencies", () => {
    const named = paths
      .filter((path) => path.endsWith(".js"))
      .flatMap((path) => [...readFileSync(join(root, path), "utf8").matchAll(/\brequire\("([^."][^"]*)"\)/g)])
      .map(([, name = ""]) => /^(@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? name);
    const known = [...Object.keys({ ...dependencies, ...peerDependencies }), "pulumi-frontdoor"];
    expect(named).toContain("@pulumi/pulumi");
    expect(named.filter((name) => !isBuiltin(name) && !known.includes(name))).toEqual([]);
  });

  it("has a plugin's folder that Pulumi can install by itself: it names the package that runs the plugin", () => {
    const own = JSON.parse(readFileSync(join(root, "dist", "plugin", "package.json"), "utf8")) as {
      dependencies: Record<string, string>;
    };
    expect(own.dependencies).toEqual({ "@pulumi/pulumi": (dependencies as Record<string, string>)["@pulumi/pulumi"] });
  });

  it("stays within its budget: 2.2 MB, 7 MB unpacked", () => {
    expect(size).toBeLessThan(2_200_000);
    expect(unpackedSize).toBeLessThan(7_000_000);
  });

  it("has each page and picture that its pages lead to", () => {
    const targets = paths
      .filter((path) => /^(?:README\.md|docs\/.*\.md)$/.test(path))
      .flatMap((page) =>
        [...readFileSync(join(root, page), "utf8").matchAll(/\]\(([^()\s#:]+)(?:#[^()\s]*)?\)/g)].map(([, link = ""]) =>
          relative(root, resolve(root, dirname(page), link)).replaceAll(sep, "/"),
        ),
      );
    expect(targets.length).toBeGreaterThan(100);
    expect([...new Set(targets)].filter((target) => !paths.includes(target))).toEqual([]);
  });

  it("has names that Windows takes, and commands that run everywhere", () => {
    expect(paths.filter((path) => !/^[\w./-]+$/.test(path) || path.length > 100)).toEqual([]);
    expect(new Set(paths.map((path) => path.toLowerCase())).size).toBe(paths.length);
    const commands = files.filter(({ mode }) => (mode & 0o111) !== 0).map(({ path }) => path);
    expect(commands).toEqual(["dist/cli.js", "dist/plugin/pulumi-resource-frontdoor"]);
  });
});

describe("declarations", () => {
  // zod's and undici's own declarations do not compile under the settings of a plain Pulumi project.
  it.each([
    ["dist/sdk/index.d.ts", "@pulumi/pulumi"],
    ["dist/sdk/plugin/index.d.ts", "@pulumi/pulumi"],
    ["dist/policy/index.d.ts", "@pulumi/policy"],
  ])("%s speak of %s alone, so that they compile under any settings", (entry, name) => {
    const { files, packages } = declarationsReachedFrom(entry);
    expect(files.length).toBeGreaterThan(3);
    expect(packages).toEqual([name]);
  });
});
