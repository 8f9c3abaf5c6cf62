import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { start, well } from "../harness/command";
import { root } from "../harness/folder";

const site = join(root, "site");
const files = () => readdirSync(site, { recursive: true, encoding: "utf8" });
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

  it("sends no request to another server", () => {
    const loaded = /<(?:script|img|iframe|source|link)\b[^>]*?\b(?:src|href)="(?:https?:)?\/\/[^"]+"/g;
    const styled = /(?:url\(|@import )["']?(?:https?:)?\/\/[^)"']+/g;
    const found = files().flatMap((file) => {
      if (file.endsWith(".html")) return read(file).match(loaded) ?? [];
      return file.endsWith(".css") ? (read(file).match(styled) ?? []) : [];
    });
    expect(found).toEqual([]);
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
