import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join, resolve, sep } from "node:path";

const root = resolve(__dirname, "../..");

/** The files of ours and of our dependencies that a module loads, beyond what the Pulumi SDK has loaded already. */
function loadedBy(file: string): string[] {
  const script = `
    require("@pulumi/pulumi");
    const before = new Set(Object.keys(require.cache));
    require(${JSON.stringify(join(root, file))});
    console.log(JSON.stringify(Object.keys(require.cache).filter((name) => !before.has(name))));
  `;
  const files = JSON.parse(execFileSync(process.execPath, ["-e", script], { cwd: root, encoding: "utf8" })) as string[];
  return files.map((name) => name.slice(root.length + 1).replaceAll(sep, "/"));
}

describe("start", () => {
  it("the provider loads one file", () => {
    expect(loadedBy("dist/dynamic.js")).toEqual(["dist/dynamic.js"]);
  });

  it("a program that reads nothing loads nothing that reads", () => {
    const loaded = loadedBy("dist/sdk/index.js");
    expect(loaded.length).toBeGreaterThan(3);
    expect(loaded.filter((name) => !name.startsWith("dist/sdk/"))).toEqual([]);
  });

  it("what is in the provider's file comes with its license", () => {
    const licenses = readFileSync(join(root, "dist/dynamic.licenses.txt"), "utf8");
    for (const name of ["undici", "zod", "ipaddr.js"]) expect(licenses).toContain(`${name}\n\n`);
  });
});
