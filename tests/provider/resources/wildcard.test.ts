import { importedSet, sharesMatching } from "../../../provider/resources/share-set";
import { isWildcardMatch } from "../../../provider/resources/share-set-inputs";
import type { Service } from "../../../provider/operations/service";

const texts = (letters: string, longest: number): string[] =>
  longest === 0
    ? [""]
    : ["", ...texts(letters, longest - 1).flatMap((text) => Array.from(letters, (each) => text + each))];

describe("a pattern of names", () => {
  it("means what it says, for every short name and pattern", () => {
    const names = [...new Set(texts("ab", 5))];
    const patterns = [...new Set(texts("ab*", 5))];
    const differing = patterns.flatMap((pattern) => {
      const meaning = new RegExp(`^${pattern.replaceAll("*", ".*")}$`);
      return names
        .filter((name) => isWildcardMatch(name, pattern) !== meaning.test(name))
        .map((name) => [name, pattern]);
    });
    expect([names.length, patterns.length, differing]).toEqual([63, 364, []]);
  });

  it.each([
    ["many stars", "a".repeat(63), `${"*a".repeat(40)}*b`],
    ["long names", "a".repeat(100_000), "*a*a*a*b"],
  ])("is told from a name that was made to cost much, with %s", async (_what, name, pattern) => {
    const share = { id: "shr-1", ipsecTunnelId: "tnl-1", name, status: "DEPLOYED" };
    const shares = { calls: { list: () => Promise.resolve({ entries: [share] }) } };
    const service = { frontDoor: () => ({ shares }) } as unknown as Service;
    const { olds } = importedSet(`fd-1/tunnel/tnl-1/${pattern}`);
    expect((await sharesMatching(pattern, olds, service, { deadlineMs: Infinity })).size).toBe(0);
  });
});
