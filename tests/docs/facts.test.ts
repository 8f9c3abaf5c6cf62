import { readFileSync } from "node:fs";
import { join } from "node:path";
import { documentOf } from "../../cli/outcome";
import { checkConfig, type Config } from "../../provider/config";
import { lagMs, lateEffectMs } from "../../provider/consistency";
import { FrontdoorError } from "../../provider/errors";
import { root } from "../harness/folder";
import { pages, textOf } from "./pages";

/** The text below a heading, up to the next one of its rank. */
function section(page: string, heading: string): string {
  const [, after] = textOf(page).split(`\n## ${heading}\n`);
  if (after === undefined) throw new Error(`${page} has no section ${heading}`);
  return after.split("\n## ")[0] ?? "";
}

const withoutBlocks = (page: string) => textOf(page).replace(/^```[^]*?^```$/gm, "");
const promisesOf = (text: string) => text.split("\n").filter((line) => line.startsWith("| **"));

/** The parts of pages that match, one line each. */
const found = (pattern: RegExp, among = pages) =>
  among.flatMap((page) => [...withoutBlocks(page).matchAll(pattern)].map(([text]) => `${page}: ${text}`));

describe("promises", () => {
  it("stand in docs/reliability.md, each with its condition", () => {
    const all = promisesOf(section("docs/reliability.md", "What is promised"));
    expect(all.length).toBeGreaterThan(5);
    expect(all.filter((promise) => !/ \| \S.*\. +\|$/.test(promise))).toEqual([]);
  });

  it("keep the pages on them within 120 lines", () => {
    const lines = ["docs/reliability.md", "docs/how-to/recover.md"].map((page) => textOf(page).split("\n").length);
    expect(Math.max(...lines)).toBeLessThanOrEqual(121);
  });

  it("are made on no other page", () => {
    const others = pages.filter((page) => page !== "docs/reliability.md");
    expect(found(/\b(no|without|0) (a )?(duplicate|orphan)s?\b/gi, others)).toEqual([]);
  });

  it("have one rule for an interrupted run", () => {
    const rule = /`pulumi cancel` if Pulumi was killed, then `pulumi up --refresh`/g;
    expect(found(rule)).toHaveLength(1);
    expect(section("docs/reliability.md", "What to do afterwards")).toMatch(rule);
  });
});

describe("figures", () => {
  type Figures = Record<string, Record<string, Record<"median" | "least" | "most", number>>>;
  const { commands } = JSON.parse(readFileSync(join(root, "bench/results.json"), "utf8")) as { commands: Figures };

  it.each([
    ["`up`", "up"],
    ["no-op `preview`", "preview"],
    ["`up`, one changed", "edit"],
    ["`refresh`", "refresh"],
    ["`destroy`", "destroy"],
  ])("of a set's %s in docs/performance.md are those of bench/results.json", (row, command) => {
    const cells = ["set", "pluginSet"].map((contender) => {
      const seconds = commands[command]?.[contender];
      return `${seconds?.median.toFixed(1)} (${seconds?.least.toFixed(1)}–${seconds?.most.toFixed(1)})`;
    });
    const lines = section("docs/performance.md", "What was measured").replace(/ +/g, " ").split("\n");
    expect(lines.some((line) => line.startsWith(`| ${row} | ${cells.join(" | ")} |`))).toBe(true);
  });
});

describe("docs/reference/compatibility.md", () => {
  it.each([
    ["provider/fields/values.ts", "mostShares = 5_000", "0 to 5,000"],
    ["provider/fields/values.ts", "value.length <= 255", "1 to 255 characters"],
    ["provider/config.ts", "{0,127}", "1 to 128 characters"],
    ["provider/config.ts", "max(3600,", "at most 3,600 s"],
    ["provider/config.ts", ".default(40)", "40 s"],
    ["provider/config.ts", "max(10_000,", "at most 10,000"],
    ["provider/resources/names.ts", "longestName = 63", "63 characters"],
    ["provider/resources/tunnel.ts", "create: 3600, update: 3600, delete: 3600", "60 minutes"],
    ["provider/resources/share.ts", "create: 900, update: 900, delete: 900", "15 minutes"],
    ["provider/lifecycle/lifecycle.ts", "readSeconds: 900", "15 minutes"],
    ["provider/consistency.ts", "lateEffectMs = 12_000", "`requestTimeout` plus 12 s"],
    ["provider/consistency.ts", "lagMs = 30_000", "30 s"],
    ["provider/converge/converge.ts", "isAbsentOnce ? lagMs", "30 s"],
    ["provider/http/pace.ts", "longestMs = 24 * 3_600_000", "24 hours"],
    ["provider/http/pace.ts", "shortPauseMs = 1_000", "| 1 s, for all requests of the process"],
    ["provider/http/send.ts", "connections: 32", "32"],
    ["provider/http/send.ts", "Math.min(10_000, timeoutMs)", "10 s, or the request timeout if that is shorter"],
    ["provider/http/send.ts", "longestBodyBytes = 5 * 1024 * 1024", "5 MB"],
    ["provider/api/lists.ts", "mostCharacters = 4_400", "4,400 characters"],
    ["provider/api/lists.ts", "most = 100", "100, and"],
    [
      "provider/api/lists.ts",
      "entries: 100_000, pages: 5_000, characters: 64_000_000",
      "100,000 entries, 5,000 pages, 64 million",
    ],
    ["provider/converge/create.ts", "mostPosts = 3", "3, each only after a read"],
    ["provider/converge/converge.ts", "mostSends = 5", "5, each after a new read"],
    ["provider/time.ts", "15_000", "every 1 to 15 s"],
    ["provider/errors.ts", "safeText(message, 4_000)", "4,000 characters"],
    ["provider/errors.ts", "longest = 300", "cut at 300"],
  ])("names what %s says: %s", (...[file, inSource, onPage]) => {
    expect(readFileSync(join(root, file), "utf8")).toContain(inSource);
    expect(textOf("docs/reference/compatibility.md")).toContain(onPage);
  });
});

it.each(["docs/reliability.md", "docs/how-to/ci.md", "docs/how-to/recover.md"])(
  "%s says how long a request of a killed run can take effect by default",
  (page) => {
    const { config } = checkConfig(() => undefined, { FRONTDOOR_TOKEN: "t" }) as { config: Config };
    const seconds = (config.requestTimeoutMs + lateEffectMs) / 1000;
    expect(textOf(page)).toMatch(
      new RegExp(
        `[Ww]ait ${seconds} seconds \\(\`requestTimeout\` plus ${lateEffectMs / 1000} s, at least ${lagMs / 1000} s\\)`,
      ),
    );
    expect(textOf(page)).not.toMatch(/\b(?:40|42) s(?:econds)?\b/);
  },
);

it("docs/reference/command-line.md shows the document of an error with its code", () => {
  const document = documentOf(new FrontdoorError("x [port-in-use]", { kind: "failed" }));
  expect(document).toEqual({ message: "x [port-in-use]", code: "port-in-use" });
  expect(textOf("docs/reference/command-line.md")).toContain(
    `{ "error": { ${Object.keys(document)
      .map((key) => `"${key}": "…"`)
      .join(", ")} } }`,
  );
});

it("the README, languages and set-up name one version of Go", () => {
  const [version] = /1\.\d+\.\d+/.exec(readFileSync(join(root, "scripts/setup/engine.mjs"), "utf8")) ?? [];
  const named = found(/Go (1\.\d+(?:\.\d+)?)/g, ["README.md", "docs/how-to/use-the-plugin.md"]);
  expect(named.length).toBeGreaterThan(1);
  expect(named.filter((line) => !line.endsWith(`Go ${version}`))).toEqual([]);
});

describe("assumptions beyond the specification", () => {
  const tableRows = () =>
    textOf("docs/reference/assumptions.md")
      .split("\n")
      .filter((line) => /^\| (?!assumption|-)/.test(line));

  it("name the values that the provider uses", () => {
    const checked = checkConfig((key) => (key === "token" ? "t" : undefined), {});
    if (!("config" in checked)) throw new Error("the defaults make a configuration");
    const { baseUrl, requestsPerSecond } = checked.config;
    const text = tableRows().join("\n");
    expect(text).toContain(`\`${baseUrl}\``);
    expect(text).toContain(`${requestsPerSecond} requests a second`);
    expect(text).toContain(`\`requestTimeout\` plus ${lateEffectMs / 1000} s`);
    expect(text).toContain(`at most ${lagMs / 1000} s`);
  });

  it("are said in the README, with the product and what it was tested against", () => {
    const text = textOf("README.md").replace(/\s+/g, " ");
    expect(text).toContain("NetFoundry Frontdoor's API (version 2)");
    expect(text).toContain("has not been run against the production service");
    expect(text).toContain("(docs/reference/assumptions.md)");
  });
});
