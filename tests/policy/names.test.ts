import fc from "fast-check";
import { matches } from "../../policy/names";

describe("a pattern", () => {
  it.each([
    ["prod", "prod", true],
    ["prod", "production", false],
    ["prod-*", "prod-eu", true],
    ["prod-*", "prod-", true],
    ["*-prod", "eu-prod", true],
    ["*-prod", "eu-prod-1", false],
    ["a*b*c", "a-b-b-c", true],
    ["a*b*c", "a-c-b", false],
    ["site-##", "site-07", true],
    ["site-##", "site-x7", false],
    ["@@-*", "de-web", true],
    ["@@-*", "DE-web", false],
    ["?", "", false],
    ["*", "", true],
    ["", "", true],
    ["a.c", "abc", false],
    ["[a-z]", "b", false],
  ])("%s fits %s: %s", (pattern, text, expected) => {
    expect(matches(pattern, text)).toBe(expected);
  });

  it("fits as the regular expression of the same meaning does", () => {
    const pattern = fc.array(fc.constantFrom("a", "b", "*", "?", "#"), { maxLength: 8 }).map((parts) => parts.join(""));
    const text = fc.array(fc.constantFrom("a", "b", "7"), { maxLength: 10 }).map((parts) => parts.join(""));
    const asRegExp = (glob: string) =>
      new RegExp(`^${glob.replaceAll("*", "[^]*").replaceAll("?", ".").replaceAll("#", "\\d")}$`);
    fc.assert(
      fc.property(pattern, text, (glob, name) => {
        expect(matches(glob, name)).toBe(asRegExp(glob).test(name));
      }),
    );
  });

  it("looks at most at pattern × text characters, also where a regular expression would not end", () => {
    let looks = 0;
    const text = new Proxy(new String("a".repeat(255)), {
      get: (target, key) => {
        if (key === "charAt") looks++;
        const value: unknown = Reflect.get(target, key);
        return typeof value === "function" ? (value.bind(target) as unknown) : value;
      },
    });
    const pattern = `${"*a".repeat(99)}*b`;
    expect(matches(pattern, text as unknown as string)).toBe(false);
    expect(looks).toBeLessThanOrEqual(pattern.length * 255);
  });
});
