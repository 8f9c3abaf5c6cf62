import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { baseline, policies, strict } from "../../policy/index";
import { generated } from "../../policy/pages";
import { root } from "../harness/folder";
import { violations } from "./checking";

describe("what is made from the policies' definitions", () => {
  it.each(Object.entries(generated()))("%s is current; if not: npm run docs", (path, content) => {
    expect(existsSync(join(root, path)) ? readFileSync(join(root, path), "utf8") : "missing").toBe(content);
  });
  it("has no page of a policy that is no more", () => {
    const pages = Object.keys(generated()).filter((path) => path.startsWith("docs/policies/"));
    expect(
      readdirSync(join(root, "docs", "policies"))
        .map((name) => `docs/policies/${name}`)
        .sort(),
    ).toEqual(pages.sort());
  });
});

describe("the presets", () => {
  it.each([
    ["baseline", baseline],
    ["strict", strict],
  ])("%s names every policy with a level and settings that are right", async (_name, preset) => {
    expect(Object.keys(preset)).toEqual(policies.map(({ name }) => name));
    for (const policy of policies) {
      const { enforcementLevel, ...settings } = preset[policy.name] as Record<string, unknown>;
      expect(["advisory", "mandatory", "remediate", "disabled"]).toContain(enforcementLevel);
      await violations(
        policy,
        [{ type: "frontdoor:index:IpsecTunnel" }, { type: "frontdoor:index:IpsecShare" }],
        settings,
      );
    }
  });
  it("strict is nowhere weaker than baseline", () => {
    const rank = ["disabled", "advisory", "mandatory", "remediate"];
    for (const { about } of policies)
      expect(rank.indexOf(about.strict.enforcementLevel)).toBeGreaterThanOrEqual(rank.indexOf(about.baseline));
  });
});
