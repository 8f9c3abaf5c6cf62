import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { policies } from "../../policy/index";
import { root } from "../harness/folder";
import { violations } from "../policy/checking";
import { blocksOf, pages, textOf } from "./pages";

const all = pages.flatMap((page) => blocksOf(page).map((block) => ({ page, ...block })));

/** Folders whose files tests run. */
const run = /^(examples|tests|fleet\/tests)\//;

describe("every block of code on a page", () => {
  it("is there", () => {
    expect(all.length).toBeGreaterThan(20);
    const fences = pages.flatMap((page) => textOf(page).match(/^```\w.*$/gm) ?? []);
    expect(fences).toHaveLength(all.length);
  });

  it("is cut from a file that a test runs, or is run by a test that reads the page", () => {
    const loose = all.filter(({ page, mark }) => {
      if (!mark || !run.test(mark.file) || !existsSync(join(root, mark.file))) return true;
      return (
        mark.how === "run by" && !readFileSync(join(root, mark.file), "utf8").includes(page.split("/").at(-1) ?? "")
      );
    });
    expect(loose.map(({ page, code }) => `${page}: ${code}`)).toEqual([]);
  });
});

describe("what is no program", () => {
  const read = (name: string) => readFileSync(join(__dirname, name), "utf8");

  it.each(["policy-settings.json", "policy-exceptions.json"])(
    "%s is taken by the policies that it names",
    async (name) => {
      const settings = JSON.parse(read(name)) as Record<string, string | Record<string, unknown>>;
      for (const [named, value] of Object.entries(settings)) {
        const policy = policies.find((each) => each.name === named);
        if (!policy) throw new Error(`there is no policy ${named}`);
        const { enforcementLevel = value, ...own } = typeof value === "string" ? {} : value;
        expect(["advisory", "mandatory", "remediate", "disabled"]).toContain(enforcementLevel);
        await violations(policy, [{ type: "frontdoor:index:IpsecTunnel" }], own);
      }
    },
  );

  it("plugins.yaml names a folder of the package that holds the plugin", () => {
    const { plugins } = parse(read("plugins.yaml")) as { plugins: { providers: { path: string }[] } };
    const paths = plugins.providers.map(({ path }) => path);
    expect(paths).toEqual([expect.stringMatching(/^node_modules\/pulumi-frontdoor\//)]);
    expect(existsSync(join(root, paths[0] ?? "", "pulumi-resource-frontdoor"))).toBe(true);
  });
});
