import { readFileSync } from "node:fs";
import { join } from "node:path";

const file = JSON.parse(readFileSync(join(__dirname, "../../package.json"), "utf8")) as {
  scripts: Record<string, string>;
  dependencies: Record<string, string>;
};

describe("package", () => {
  it("runs nothing when it is installed", () => {
    const onInstall = ["preinstall", "install", "postinstall", "preprepare", "prepare", "postprepare"];
    expect(Object.keys(file.scripts).filter((script) => onInstall.includes(script))).toEqual([]);
  });

  it("brings few dependencies, each from the registry", () => {
    expect(Object.keys(file.dependencies)).toEqual(["@pulumi/policy", "@pulumi/pulumi", "ipaddr.js", "undici", "zod"]);
    expect(Object.values(file.dependencies).every((range) => /^\^\d+\.\d+\.\d+$/.test(range))).toBe(true);
  });
});
