import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { quickJavaScript } from "../harness/environment";
import { Stack } from "../harness/stack";

const root = join(__dirname, "../..");

const entries = {
  "pulumi-frontdoor": "IpsecTunnel",
  "pulumi-frontdoor/plugin": "Provider",
  "pulumi-frontdoor/policy": "strict",
};

/** What each kind of module finds under each name. */
const found = () =>
  JSON.parse(
    execFileSync(
      process.execPath,
      [
        "--input-type=module",
        "-e",
        `import { createRequire } from "node:module";
        const require = createRequire(import.meta.url);
        const found = {};
        for (const name of ${JSON.stringify(Object.keys(entries))}) {
          const names = (all) => Object.keys(all).filter((each) => !["default", "module.exports", "__esModule"].includes(each));
          found[name] = { imported: names(await import(name)).sort(), required: names(require(name)).sort() };
        }
        console.log(JSON.stringify(found));`,
      ],
      { cwd: root, encoding: "utf8" },
    ),
  ) as Record<string, { imported: string[]; required: string[] }>;

describe("programs", () => {
  it("that are ES modules import by name all that CommonJS ones require", () => {
    const all = found();
    for (const [name, one] of Object.entries(entries)) {
      expect(all[name]?.imported).toContain(one);
      expect(all[name]?.imported).toEqual(all[name]?.required);
    }
  });

  it("that are ES modules run on the engine, with either family of classes", async () => {
    const stack = await Stack.open({}, { project: "module-program", source: join(__dirname, "module-program") });
    try {
      stack.env["NODE_OPTIONS"] = quickJavaScript;
      const run = await stack.run("preview");
      expect([run.code, run.errors]).toEqual([0, []]);
      expect(run.steps.sort()).toEqual(["create branch", "create branch-mail", "create hq", "create web"]);
    } finally {
      await stack.close();
    }
  });
});
