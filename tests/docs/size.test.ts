import { dirname, join, normalize } from "node:path";
import { textOf } from "./pages";

/** The pages of docs/ that the index names for users: all above its last group, "Contributing". */
const usersPages = () => {
  const [forUsers = ""] = textOf("docs/README.md").split("**Contributing**");
  const links = [...forUsers.matchAll(/\]\(([^)#]+\.md)\)/g)].map(([, link = ""]) => normalize(join("docs", link)));
  return [...new Set(links)].filter((page) => page.startsWith("docs/"));
};

/** The words of a page, without code, comments and the targets of links. */
const wordsOf = (page: string) =>
  textOf(page)
    .replace(/^```[^]*?^```$/gm, "")
    .replace(/<!--[^]*?-->/g, "")
    .replace(/\]\([^)]*\)/g, "]")
    .split(/\s+/)
    .filter((word) => /[A-Za-z0-9]/.test(word)).length;

describe("the index for users", () => {
  it("has at most 40 pages and 30,000 words", () => {
    expect(usersPages().length).toBeLessThanOrEqual(40);
    expect(usersPages().reduce((sum, page) => sum + wordsOf(page), 0)).toBeLessThanOrEqual(30_000);
  });

  it("leads to no page for contributors", () => {
    const folders = new Set(usersPages().map((page) => dirname(page)));
    expect([...folders].sort()).toEqual(["docs", "docs/how-to", "docs/policies", "docs/reference"]);
  });
});
