import { existsSync, statSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { root } from "../harness/folder";
import { pages, textOf } from "./pages";

const withoutCode = (text: string) =>
  text.replace(/^```[^]*?^```$/gm, "").replace(/`[^`\n]*`/g, (code) => "x".repeat(code.length));

/** Where links lead to, images included. */
const linksIn = (page: string) =>
  [...withoutCode(textOf(page)).matchAll(/\]\(([^()\s]+)\)/g)].map(([, target = ""]) => target);

/** The anchors of a page: those that it names, and those of its headings, as GitHub makes them. */
const anchorsOf = (page: string) => [
  ...[...textOf(page).matchAll(/<a id="([^"]+)">/g)].map(([, id = ""]) => id),
  ...[
    ...textOf(page)
      .replace(/^```[^]*?^```$/gm, "")
      .matchAll(/^#+ (.+)$/gm),
  ].map(([, title = ""]) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .replace(/\s/g, "-"),
  ),
];

/** What is wrong with a relative link of a page. */
function broken(page: string, link: string): string | undefined {
  const [path = "", anchor] = link.split("#");
  const target = path === "" ? page : normalize(join(dirname(page), path));
  if (!existsSync(join(root, target))) return `${page}: ${link}: there is no ${target}`;
  if (anchor === undefined) return undefined;
  const hasAnchor = statSync(join(root, target)).isFile() && anchorsOf(target).includes(anchor);
  return hasAnchor ? undefined : `${page}: ${link}: ${target} has no heading ${anchor}`;
}

const relative = [...pages, "CHANGELOG.md", "tests/README.md", "llms.txt"].flatMap((page) =>
  linksIn(page)
    .filter((link) => !/^[a-z]+:/.test(link))
    .map((link) => ({ page, link })),
);

describe("links", () => {
  it("are found", () => {
    expect(relative.length).toBeGreaterThan(100);
    expect(broken("README.md", "docs/nowhere.md")).toContain("there is no docs/nowhere.md");
    expect(broken("README.md", "docs/reliability.md#nowhere")).toContain("has no heading nowhere");
  });

  it("lead to files and headings that are there", () => {
    expect(relative.flatMap(({ page, link }) => broken(page, link) ?? [])).toEqual([]);
  });

  it("lead from the index to every page", () => {
    const listed = linksIn("docs/README.md").map((link) => normalize(join("docs", link)));
    const isListedElsewhere = (page: string) => /^docs\/(?:README\.md|registry\/|decisions\/(?!README))/.test(page);
    const own = pages.filter((page) => page.startsWith("docs/") && !isListedElsewhere(page));
    expect(own.filter((page) => !listed.includes(page))).toEqual([]);
  });
});
