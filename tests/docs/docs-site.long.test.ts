import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { start, well } from "../harness/command";
import { root } from "../harness/folder";

const site = join(root, "site");
const files = () => readdirSync(site, { recursive: true, encoding: "utf8" });
/** Prints the ids of the ten best sections with this very word, as the page's search finds them. */
const search = `
  import { readFileSync } from "node:fs";
  import MiniSearch from "minisearch";
  const [index, words] = process.argv.slice(1);
  const fields = { fields: ["title", "titles", "text"], storeFields: ["title", "titles"] };
  const options = { fuzzy: 0.2, prefix: true, boost: { title: 4, text: 2, titles: 1 } };
  // The page's scripts are modules, and no package.json of theirs says so.
  const text = readFileSync(index).toString("base64");
  const { default: all } = await import("data:text/javascript;base64," + text);
  const found = MiniSearch.loadJSON(all, fields).search(words, options);
  const exact = found.filter(({ terms }) => words.toLowerCase().split(/[- ]/).every((word) => terms.includes(word)));
  console.log(JSON.stringify(exact.slice(0, 10).map(({ id }) => id)));
`;
const read = (file: string) => readFileSync(join(site, file), "utf8");

beforeAll(async () => {
  well(await start(process.execPath, ["scripts/site.mjs"], { cwd: root, env: process.env }).end);
});

describe("the static site", () => {
  it("has each page of docs/, and a search of its own", () => {
    const all = readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" });
    const pages = all.filter((name) => name.endsWith(".md") && !name.startsWith("registry"));
    expect(pages.length).toBeGreaterThan(40);
    expect(pages.filter((name) => !existsSync(join(site, "docs", name.replace(".md", ".html"))))).toEqual([]);
    expect(files().some((file) => file.includes("localSearchIndex"))).toBe(true);
  });

  it("leads from each earlier name of a page to a page that it has", () => {
    const moved = [...read("../scripts/site/moved.mjs").matchAll(/^ {2}"?([\w/-]+)"?: "([\w/-]+)/gm)];
    expect(moved.length).toBeGreaterThan(10);
    for (const [, from = "", to = ""] of moved) {
      expect(existsSync(join(site, "docs", `${to}.html`))).toBe(true);
      expect(read(`docs/${from}.html`)).toContain(`${to}.html`);
      expect(existsSync(join(root, "docs", `${from}.md`))).toBe(false);
    }
  });

  it.each([
    ["ERROR", "/docs/"],
    ["key", "/docs/"],
    ["rename", "/docs/how-to/upgrade-and-rename"],
    ["rotate", "/docs/how-to/replace-a-tunnel"],
    ["MSS", "/docs/how-to/set-up-the-device"],
    ["port-in-use", "/docs/troubleshooting"],
    ["DOWN", "/docs/how-to/tunnel-down"],
    ["UDP", "/docs/concepts"],
    ["stop managing", "/docs/how-to/remove-a-site"],
  ])("finds %s in a page below %s", async (...[words, page]) => {
    const index = files().find((file) => file.includes("localSearchIndex") && file.endsWith(".js")) ?? "";
    const args = ["--input-type=module", "-e", search, join(site, index), words];
    const { stdout } = well(
      await start(process.execPath, args, { cwd: join(root, ".frontdoor/site"), env: process.env }).end,
    );
    expect((JSON.parse(stdout) as string[]).filter((id) => id.includes(page))).not.toEqual([]);
  });

  it("sends no request to another server", () => {
    const loaded = /<(?:script|img|iframe|source|link)\b[^>]*?\b(?:src|href)="(?:https?:)?\/\/[^"]+"/g;
    const styled = /(?:url\(|@import )["']?(?:https?:)?\/\/[^)"']+/g;
    const found = files().flatMap((file) => {
      if (file.endsWith(".html")) return read(file).match(loaded) ?? [];
      return file.endsWith(".css") ? (read(file).match(styled) ?? []) : [];
    });
    expect(found).toEqual([]);
    // The theme can use Algolia. With a search of its own it has no code for that.
    const scripts = files().filter((file) => file.endsWith(".js"));
    expect(scripts.filter((file) => /algolia\.net|google-analytics|googletagmanager/.test(read(file)))).toEqual([]);
  });

  it("has no link to a page that it lacks, and shows no comment or tag of a page", () => {
    const broken = files()
      .filter((file) => file.endsWith(".html") && file !== "404.html")
      .flatMap((file) => {
        const links = [...read(file).matchAll(/<a\b[^>]*?\bhref="([^"#?]+)[^"]*"/g)].map(([, link = ""]) => link);
        const pathOf = (link: string) => (link.startsWith("/") ? link.slice(1) : join(dirname(file), link));
        const isThere = (path: string) =>
          [path, `${path}.html`, join(path, "index.html")].some((each) => existsSync(join(site, each)));
        const own = links.filter((link) => !/^[a-z]+:/.test(link));
        return own.filter((link) => !isThere(pathOf(link))).map((link) => `${file}: ${link}`);
      });
    expect(broken).toEqual([]);
    expect(
      files().filter((file) => file.endsWith(".html") && /<p>&lt;!-- |&lt;(?:a id|picture)/.test(read(file))),
    ).toEqual([]);
  });
});
