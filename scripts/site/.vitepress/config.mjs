import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

const root = join(import.meta.dirname, "../../..");

/** The index of the pages as the site's side bar: bold lines are its groups, links their items. */
function sidebar() {
  const index = readFileSync(join(root, "docs/README.md"), "utf8");
  return index.split(/^\*\*(.+)\*\*$/m).reduce((groups, part, position, parts) => {
    if (position % 2 === 0) return groups;
    const links = [...parts[position + 1].matchAll(/\[([^\]]+)\]\(([^)]+)\.md\)/g)];
    const items = links.map(([, text, path]) => ({
      text,
      link: path.startsWith("../") ? path.slice(2) : `/docs/${path}`,
    }));
    return [...groups, { text: part, items }];
  }, []);
}

/** True for a link to a file that the site lacks. The site shows its text without the link. */
function isElsewhere(href, from) {
  if (/^([a-z]+:|#)/.test(href)) return false;
  const [path] = href.split("#");
  return !/\.(md|svg|png)$/.test(path) || !existsSync(join(dirname(from), path));
}

function withoutLinksElsewhere(md) {
  md.core.ruler.push("elsewhere", ({ tokens, env }) => {
    for (const { children } of tokens) {
      let isOpen = false;
      for (const token of children ?? []) {
        if (token.type === "link_open" && isElsewhere(token.attrGet("href"), env.path)) isOpen = true;
        if (!isOpen) continue;
        const isEnd = token.type === "link_close";
        if (token.type === "link_open" || isEnd)
          Object.assign(token, { type: "text", tag: "", nesting: 0, attrs: null, content: "" });
        if (isEnd) isOpen = false;
      }
    }
  });
}

/** A picture for each width and colour scheme, or an anchor. */
const inline = /<picture>[^]*?<\/picture>|<a id="[\w-]+"><\/a>/y;

/** A folded part of a page, as the site writes it. */
const unfolded = /^<details>\n<summary>(.+)<\/summary>$([^]*?)^<\/details>$/gm;

/** Handles the only HTML of the pages: comments, pictures, folded parts and anchors. Other text in angle brackets, such as `<stack>`, stays text. */
function withOwnHtml(md) {
  md.core.ruler.before("normalize", "own html", (state) => {
    state.src = state.src.replace(/^<!--.*-->$/gm, "").replace(unfolded, "::: details $1$2:::");
  });
  md.inline.ruler.push("own html", (state, isSilent) => {
    inline.lastIndex = state.pos;
    const [found] = inline.exec(state.src) ?? [];
    if (found === undefined) return false;
    if (!isSilent) state.push("html_inline", "", 0).content = found;
    state.pos += found.length;
    return true;
  });
}

export default {
  title: "pulumi-frontdoor",
  description: "IPsec tunnels and shares of NetFoundry Frontdoor, as code",
  srcDir: "pages",
  outDir: join(root, "site"),
  rewrites: { "README.md": "index.md" },
  markdown: { html: false, config: (md) => md.use(withOwnHtml).use(withoutLinksElsewhere) },
  themeConfig: { search: { provider: "local" }, sidebar: sidebar(), nav: [], outline: [2, 3] },
};
