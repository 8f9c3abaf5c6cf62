import fc from "fast-check";
import { matches } from "../../policy/names";

describe("a pattern", () => {
  it("fits as the regular expression of the same meaning does", () => {
    const parts = { "*": "[^]*", "?": ".", "#": "\\d", "@": "[a-z]", ".": "\\.", "[": "\\[" };
    const pattern = fc.array(fc.constantFrom("a", "b", "-", ...Object.keys(parts)), { maxLength: 8 });
    const text = fc.array(fc.constantFrom("a", "b", "B", "7", "-", ".", "["), { maxLength: 10 });
    const asRegExp = (each: string) => (each in parts ? parts[each as keyof typeof parts] : each);
    fc.assert(
      fc.property(pattern, text, (glob, name) => {
        const expected = new RegExp(`^${glob.map(asRegExp).join("")}$`).test(name.join(""));
        expect(matches(glob.join(""), name.join(""))).toBe(expected);
      }),
      { numRuns: 1_000 },
    );
  });

  it("ends on a text for which a regular expression would not", () => {
    expect(matches(`${"*a".repeat(99)}*b`, "a".repeat(255))).toBe(false);
  });
});
