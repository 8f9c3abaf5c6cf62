import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { quickJavaScript } from "../harness/environment";
import { root } from "../harness/folder";
import { ownStack } from "../harness/own-stack";

const entries = {
  "pulumi-frontdoor": "IpsecTunnel",
  "pulumi-frontdoor/plugin": "Provider",
  "pulumi-frontdoor/policy": "strict",
};

/** What an ES module finds under a name by this expression. */
const namesOf = (expression: string) => {
  const code = `import { createRequire } from "node:module";
    const require = createRequire(import.meta.url);
    console.log(JSON.stringify(Object.keys(${expression}).sort()));`;
  const text = execFileSync(process.execPath, ["--input-type=module", "-e", code], { cwd: root, encoding: "utf8" });
  return (JSON.parse(text) as string[]).filter((each) => !["default", "module.exports", "__esModule"].includes(each));
};

describe("programs", () => {
  it.each(Object.entries(entries))("that are ES modules import from %s all that CommonJS ones require", (name, one) => {
    const imported = namesOf(`await import("${name}")`);
    expect(imported).toContain(one);
    expect(imported).toEqual(namesOf(`require("${name}")`));
  });

  it("that are ES modules run on the engine, with either family of classes", async () => {
    const stack = await ownStack({}, { project: "module-program", source: join(__dirname, "module-program") });
    stack.env["NODE_OPTIONS"] = quickJavaScript;
    const run = await stack.run("preview");
    expect([run.code, run.errors]).toEqual([0, []]);
    expect(run.steps.sort()).toEqual(["create branch", "create branch-mail", "create hq", "create web"]);
  });
});
