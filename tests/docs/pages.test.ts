import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { parse } from "yaml";
import { catalogue, retired } from "../../cli/explain";
import { policies } from "../../policy/index";
import { root } from "../harness/folder";
import { violations } from "../policy/checking";
import { blocksOf, pages, textOf } from "./pages";

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

const examples = ["README.md", "policy-violations/README.md", "sites-from-csv/README.md"].map(
  (page) => `examples/${page}`,
);
const relative = [...pages, ...examples, "CHANGELOG.md", "tests/README.md", "llms.txt"].flatMap((page) =>
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

  it("lead from each alert to a heading", () => {
    const runbooks = [
      ...textOf("examples/monitoring/alert-rules.yml").matchAll(/runbook_url: \S+\/blob\/main\/(\S+)/g),
    ];
    expect(runbooks).toHaveLength(7);
    expect(runbooks.flatMap(([, link = ""]) => broken("README.md", link) ?? [])).toEqual([]);
  });

  it("lead from the index to every page of users, and from CONTRIBUTING to the others", () => {
    const listed = ["docs/README.md", "CONTRIBUTING.md"].flatMap((page) =>
      linksIn(page).map((link) => normalize(join(dirname(page), link))),
    );
    const isListedElsewhere = (page: string) => /^docs\/(?:README\.md|registry\/)/.test(page);
    const own = pages.filter((page) => page.startsWith("docs/") && !isListedElsewhere(page));
    expect(own.filter((page) => !listed.includes(page))).toEqual([]);
  });
});

const all = pages.flatMap((page) => blocksOf(page).map((block) => ({ page, ...block })));

/** Folders whose files tests run. */
const run = /^(examples|tests|fleet\/tests)\//;

describe("every block of code on a page", () => {
  it("is there", () => {
    expect(all.length).toBeGreaterThan(20);
    const fences = pages.flatMap((page) => textOf(page).match(/^```(?!mermaid)\w.*$/gm) ?? []);
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

it("README.md shows the program that npm start runs", () => {
  const { main } = parse(textOf("Pulumi.yaml")) as { main: string };
  const shown = blocksOf("README.md").find(({ language }) => language === "ts");
  expect(shown).toMatchObject({ mark: { how: "from", file: `${main}/index.ts` }, code: textOf(`${main}/index.ts`) });
});

describe("what is no program", () => {
  const blocksIn = (wanted: string, ...names: string[]) =>
    names.flatMap((name) =>
      blocksOf(`docs/how-to/${name}`).flatMap(({ mark, language, code }) =>
        mark?.file === "tests/docs/pages.test.ts" && language === wanted ? code : [],
      ),
    );

  it.each(blocksIn("json", "policies.md"))("%s is taken by the policies that it names", async (code) => {
    const settings = JSON.parse(code) as Record<string, string | Record<string, unknown>>;
    for (const [named, value] of Object.entries(settings)) {
      const policy = policies.find((each) => each.name === named);
      if (!policy) throw new Error(`there is no policy ${named}`);
      const { enforcementLevel = value, ...own } = typeof value === "string" ? {} : value;
      expect(["advisory", "mandatory", "remediate", "disabled"]).toContain(enforcementLevel);
      await violations(policy, [{ type: "frontdoor:index:IpsecTunnel" }], own);
    }
  });

  it.each(blocksIn("yaml", "import.md", "several-stacks.md", "use-the-plugin.md"))(
    "%s names a folder of the package that holds the plugin",
    (code) => {
      const { plugins } = parse(code) as { plugins: { providers: { path: string }[] } };
      const paths = plugins.providers.map(({ path }) => path);
      expect(paths).toEqual([expect.stringMatching(/^node_modules\/pulumi-frontdoor\//)]);
      expect(existsSync(join(root, paths[0] ?? "", "pulumi-resource-frontdoor"))).toBe(true);
    },
  );
});

const entries = catalogue.flatMap((group) => group.entries);

const sources = ["provider", "sdk", "cli", "policy", "emulator", "fleet/src"]
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((file) => join(folder, file)),
  )
  .filter((file) => file.endsWith(".ts"));

/** The codes at the ends of texts, and those that a function appends. */
function codesIn(file: string): string[] {
  const text = readFileSync(join(root, file), "utf8");
  const ends = text.matchAll(/ \[([a-z]+(?:-[a-z]+)*)\](?=["`'])/g);
  const given = text.matchAll(/(?:unfinishedResource|refused|withCode)\([^;]*?"([a-z]+(?:-[a-z]+)+)",?\s*\)/g);
  const ofKinds = text.matchAll(/(?:ended|incomplete|gone): "([a-z]+(?:-[a-z]+)+)"/g);
  return [...ends, ...given, ...ofKinds].map(([, code = ""]) => code);
}

const sorted = (codes: Iterable<string>) => [...new Set(codes)].sort();

/** The values in a quoted message, such as `"web" (shr-9)`. A source can also compose a message of its sentences. */
const exampleValues =
  /"[a-z]+"(?: \([a-z]{2,3}-\d+\))?|\b[a-z]{2,3}-\d+\b|\b\d+\b|`\w+`|frontdoor:\w[\w:]*|\b[A-Z]{3,}[A-Z_]*\b|https?:\/\/|\. /;

describe("the catalogue of codes", () => {
  it("has one entry for each code of the sources, and no other", () => {
    const codes = entries.map(({ code }) => code);
    expect(sorted(codes)).toEqual([...codes].sort());
    expect(sorted(codes)).toEqual(sorted(sources.flatMap(codesIn)));
    expect(codes.filter((code) => retired.includes(code))).toEqual([]);
  });

  it("has a meaning, a cause and a remedy for each code", () => {
    const texts = ({ meaning, cause, remedies }: (typeof entries)[number]) => [
      meaning,
      cause,
      remedies[0] ?? "",
      ...remedies,
    ];
    expect(entries.filter((entry) => texts(entry).includes(""))).toEqual([]);
  });

  it("quotes the words of its messages as the sources write them", () => {
    const texts = sources
      .map((file) => readFileSync(join(root, file), "utf8"))
      .join("\n")
      .replace(/["`'] ?\+\s*["`']/g, "")
      .replaceAll(/\\(["`'])/g, "$1");
    const isWritten = (part: string, least = 10) => {
      const words = part.replace(/^[\s.:;,/"]+|[\s.:;,/"]+$/g, "");
      return words.length <= least || texts.includes(words);
    };
    const unknown = entries.flatMap(({ code, says = "" }) =>
      says
        .split("…")
        .flatMap((part) => (isWritten(part) ? [] : part.split(exampleValues).filter((each) => !isWritten(each, 3))))
        .map((words) => `${code}: ${words}`),
    );
    expect(unknown).toEqual([]);
  });
});
