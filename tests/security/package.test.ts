import { readFileSync } from "node:fs";
import { join } from "node:path";
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
