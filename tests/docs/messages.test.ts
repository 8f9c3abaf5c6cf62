import { core, messages } from "./messages";
import { textOf } from "./pages";

const page = textOf("docs/troubleshooting.md");

/** What the page quotes, in its headings or below them. */
const quoted = new Set([...page.matchAll(/(`+) ?(.*?) ?\1(?!`)/g)].map(([, , text = ""]) => core(text)));
const all = messages();

describe("docs/troubleshooting.md", () => {
  it("has every message that the sources can show", () => {
    expect(all.length).toBeGreaterThan(120);
    const missing = all.filter(({ text }) => !quoted.has(text));
    expect(missing.map(({ at, text }) => `${at}: ${text}`)).toEqual([]);
  });

  it("has no message that nothing shows any more", () => {
    const shown = new Set(all.map(({ text }) => text));
    const headings = [...page.matchAll(/^### (.*)$/gm)].flatMap(([, heading = ""]) =>
      [...heading.matchAll(/(`+) ?(.*?) ?\1(?!`)/g)].map(([, , text = ""]) => core(text)),
    );
    expect(headings.length).toBeGreaterThan(40);
    expect(headings.filter((text) => !shown.has(text))).toEqual([]);
  });
});
