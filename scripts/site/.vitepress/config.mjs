import { readFileSync } from "node:fs";
import { join } from "node:path";

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

/** Files of the repository that are no pages: named, and not linked. */
const isElsewhere = (href) => !/^([a-z]+:|#)/.test(href) && !/\.(md|svg|png)(#.*)?$/.test(href);

function withoutLinksElsewhere(md) {
  md.core.ruler.push("elsewhere", ({ tokens }) => {
    for (const { children } of tokens) {
      let isOpen = false;
      for (const token of children ?? []) {
        if (token.type === "link_open" && isElsewhere(token.attrGet("href"))) isOpen = true;
        if (!isOpen) continue;
        const isEnd = token.type === "link_close";
        if (token.type === "link_open" || isEnd)
          Object.assign(token, { type: "text", tag: "", nesting: 0, attrs: null, content: "" });
        if (isEnd) isOpen = false;
      }
    }
  });
}

/** The pages hold no HTML but comments, and `<stack>` in a sentence is none. */
function withoutComments(md) {
  md.core.ruler.before("normalize", "comments", (state) => {
    state.src = state.src.replace(/^<!--.*-->$/gm, "");
  });
}

export default {
  title: "pulumi-frontdoor",
  description: "IPsec tunnels and shares of a front door service, as code",
  srcDir: "pages",
  outDir: join(root, "site"),
  rewrites: { "README.md": "index.md" },
  markdown: { html: false, config: (md) => md.use(withoutComments).use(withoutLinksElsewhere) },
  themeConfig: { search: { provider: "local" }, sidebar: sidebar(), nav: [], outline: [2, 3] },
};
