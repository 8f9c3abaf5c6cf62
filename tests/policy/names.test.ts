import fc from "fast-check";
import { matches } from "../../policy/names";

const fitting = [
  "prod prod",
  "prod-* prod-",
  "*-prod eu-prod",
  "a*b*c a-b-b-c",
  "site-## site-07",
  "@@-* de-web",
  "* ",
];
const others = [
  "prod production",
  "*-prod eu-prod-1",
  "a*b*c a-c-b",
  "site-## site-x7",
  "@@-* DE-web",
  "a.c abc",
  "[a-z] b",
];

describe("a pattern", () => {
  it.each([...fitting.map((row) => [row, true] as const), ...others.map((row) => [row, false] as const)])(
    "and a name, %j, fit: %s",
    (row, expected) => {
      const [pattern = "", text = ""] = row.split(" ");
      expect(matches(pattern, text)).toBe(expected);
    },
  );

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

  it("ends on a text for which a regular expression would not", () => {
    expect(matches(`${"*a".repeat(99)}*b`, "a".repeat(255))).toBe(false);
  });
});
