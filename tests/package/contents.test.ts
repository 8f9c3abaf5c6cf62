import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, readdirSync } from "node:fs";
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
const { dependencies, peerDependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as Record<
  string,
  object
>;
const paths = files.map(({ path }) => path).sort();
const isDeclaration = (path: string) => path.endsWith(".d.ts");
const isOfSdk = (path: string) => path.startsWith("dist/sdk/");

const partOfCommand = (part: string) => [`dist/cli-${part}.js`, `dist/cli-${part}.licenses.txt`];

/** Every page, the examples that pages tell to copy, and no screenshots. */
const pages = ["docs", "examples/ci", "examples/monitoring", "examples/sites-from-csv"]
  .flatMap((folder) => readdirSync(join(root, folder), { recursive: true, withFileTypes: true }))
  .filter((entry) => entry.isFile() && !entry.name.endsWith(".png"))
  .map((entry) => relative(root, join(entry.parentPath, entry.name)));

/** Besides the classes and functions that users import, and declarations. */
const others = [
  ...["CHANGELOG.md", "LICENSE", "README.md"],
  ...pages,
  ...readdirSync(join(root, "cli", "devices"))
    .filter((name) => name.endsWith(".conf"))
    .map((name) => `cli/devices/${name}`),
  ...readdirSync(join(root, "cli", "dashboard", "page"))
    .filter((name) => !name.endsWith(".d.ts"))
    .map((name) => `cli/dashboard/page/${name}`),
  ...["emulator", "main"].flatMap(partOfCommand),
  "dist/cli-node.js",
  ...partOfCommand("work"),
  ...["dist/cli.js", "dist/dynamic.js", "dist/dynamic.licenses.txt"],
  ...["PulumiPlugin.yaml", "component.js", "index.js", "licenses.txt", "package.json"].map(
    (name) => `dist/plugin/${name}`,
  ),
  ...["dist/plugin/pulumi-resource-frontdoor", "dist/plugin/pulumi-resource-frontdoor.cmd", "dist/plugin/schema.json"],
  ...["dist/policy.licenses.txt", "dist/policy/index.js", "dist/policy/sarif.js"],
  ...[
    "dist/provider/functions/open.js",
    "dist/provider/resources/site.js",
    "dist/reads.licenses.txt",
    "dist/sbom.cdx.json",
    "dist/sites.licenses.txt",
    "package.json",
  ],
  ...["PulumiPolicy.yaml", "baseline.json", "licenses.txt", "pack.js", "package.json", "strict.json"].map(
    (name) => `policy/${name}`,
  ),
];

describe("what npm packs", () => {
  it("is, besides the SDK, what is loaded, run and read, and nothing else", () => {
    expect(paths.filter((path) => !isOfSdk(path) && !isDeclaration(path))).toEqual([...others].sort());
  });

  it("has every module of the SDK, compiled", () => {
    const sources = readdirSync(join(root, "sdk"), { recursive: true, encoding: "utf8" })
      // Two hold only types, and the plugin's bundle has the third.
      .filter((path) => path.endsWith(".ts") && !/^(inputs|function-types|plugin.component)\.ts$/.test(path))
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

  it.each([
    ["IpsecTunnelArgs", "peerCidr"],
    ["IpsecShareFields", "target"],
    ["IpsecShareSetFields", "shares"],
    ["SetShareFields", "target"],
    ["IpsecSiteArgs", "shares"],
    ["PublishedTunnel", "tunnelId"],
    ["TunnelConfig", "insideCidr"],
    ["TunnelConfigEntry", "status"],
    ["TunnelConfigResult", "tunnels"],
  ])("tell what each member of %s is", (name, one) => {
    const text = declarationsReachedFrom("dist/sdk/index.d.ts").files.map((file) => readFileSync(file, "utf8"));
    const [, body = ""] =
      new RegExp(`interface ${name} (?:extends \\w+ )?\\{\n(.*?)\n\\}`, "s").exec(text.join("\n")) ?? [];
    const lines = body.split("\n").map((line) => line.trim());
    const members = lines.flatMap((line, index) => {
      const [, member] = /^(?:readonly )?(\w+)\??:/.exec(line) ?? [];
      return member === undefined ? [] : { member, isTold: lines[index - 1]?.endsWith("*/") };
    });
    expect(members).toContainEqual({ member: one, isTold: true });
    expect(members.filter(({ isTold }) => !isTold)).toEqual([]);
  });

  it("cite nothing that users do not have", () => {
    const shown = ["dist/sdk/index.d.ts", "dist/sdk/plugin/index.d.ts"].flatMap(
      (entry) => declarationsReachedFrom(entry).files,
    );
    const citing = shown.filter((file) => /\((spec|contract): /.test(readFileSync(file, "utf8")));
    expect(citing.map((file) => file.slice(root.length + 1))).toEqual([]);
  });
});
