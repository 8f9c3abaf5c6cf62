import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import ts from "typescript/lib/typescript.js";

const root = resolve(__dirname, "..");
/** The rooms of provider/. A room may import the rooms before it; the other files right in provider/ are the leaves. */
const core = ["fields", "http", "api", "view", "run", "converge", "lifecycle", "resources", "functions"];
const rooms = [...core, "host"];
const adapter = /^provider\/host\/(dynamic|plugin|server)$/;
const folders = ["provider", "sdk", "cli", "emulator"];

const roomOf = (file: string) =>
  rooms.findIndex((room) => new RegExp(`^provider/${room}[./]|^provider/${room}$`).test(file));

const sourcesIn = (folder: string) =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .map((file) => join(folder, file));
const sources = folders.flatMap(sourcesIn);

const importsOf = (file: string) =>
  [...readFileSync(join(root, file), "utf8").matchAll(/(?:from|import|require)\s*\(?\s*"(\.[^"]*)"/g)].map((match) =>
    relative(root, resolve(root, dirname(file), match[1] ?? "")),
  );

const allowed = (from: string, to: string): boolean => {
  const [folder] = from.split("/");
  if (folder === "provider") {
    const isSame = roomOf(to) === roomOf(from);
    if (adapter.test(to)) return from === "provider/host/server.ts" && to === "provider/host/plugin";
    return to.startsWith("provider/") && (isSame || roomOf(to) < roomOf(from));
  }
  if (folder === "sdk") return /^(sdk|provider\/functions)\/|^provider\/(fields\/types|resources\/site)$/.test(to);
  if (folder === "cli")
    return to.startsWith("cli/") || (to.startsWith("provider/") && !to.startsWith("provider/host/"));
  return to.startsWith(`${folder ?? ""}/`);
};

describe("imports", () => {
  it("point one way, from the sdk to the leaves, and the emulator stands alone", () => {
    const edges = sources.flatMap((from) => importsOf(from).map((to) => ({ from, to })));
    expect(edges.length).toBeGreaterThan(50);
    expect(edges.filter(({ from, to }) => !allowed(from, to)).map(({ from, to }) => `${from} → ${to}`)).toEqual([]);
  });

  it("would be caught pointing the other way", () => {
    expect(allowed("provider/http/client.ts", "provider/run/service")).toBe(false);
    expect(allowed("provider/view/waits.ts", "provider/converge/ensure")).toBe(false);
    expect(allowed("emulator/start.ts", "provider/errors")).toBe(false);
    expect(allowed("sdk/resource.ts", "provider/resources/share")).toBe(false);
    expect(allowed("provider/host/plugin.ts", "provider/host/dynamic")).toBe(false);
    expect(allowed("cli/main.ts", "provider/host/host")).toBe(false);
    expect(allowed("cli/main.ts", "emulator/start")).toBe(false);
  });

  /** Files of which each imports the next one, and the last the first; undefined where there are none. */
  const circleIn = (imports: Map<string, string[]>): string[] | undefined => {
    const done = new Set<string>();
    const follow = (file: string, path: string[]): string[] | undefined => {
      if (path.includes(file)) return path.slice(path.indexOf(file));
      if (done.has(file)) return undefined;
      for (const next of imports.get(file) ?? []) {
        const circle = follow(next, [...path, file]);
        if (circle) return circle;
      }
      done.add(file);
      return undefined;
    };
    return [...imports.keys()].reduce<string[] | undefined>((found, file) => found ?? follow(file, []), undefined);
  };

  it("never lead in a circle, tests and types included", () => {
    const fileOf = (to: string) => [`${to}.ts`, join(to, "index.ts")].filter((file) => existsSync(join(root, file)));
    const all = [...folders, "fleet/src", "fleet/tests", "policy", "tests"].flatMap(sourcesIn);
    expect(circleIn(new Map(all.map((file) => [file, importsOf(file).flatMap(fileOf)])))).toBeUndefined();
  });

  it("would be caught in a circle", () => {
    const imports = { a: ["b"], b: ["c", "d"], c: [], d: ["b"] };
    expect(circleIn(new Map(Object.entries(imports)))).toEqual(["b", "d"]);
  });
});

/** True if a loop without a condition awaits something. Functions inside the loop do not count. */
function hasEndlessWait(name: string, text: string): boolean {
  const awaits = (node: ts.Node): boolean =>
    ts.isAwaitExpression(node) || (!ts.isFunctionLike(node) && (ts.forEachChild(node, awaits) ?? false));
  const isEndless = (node: ts.Node) =>
    (ts.isForStatement(node) && !node.condition) ||
    (ts.isWhileStatement(node) && node.expression.kind === ts.SyntaxKind.TrueKeyword) ||
    ts.isDoStatement(node);
  const visit = (node: ts.Node): boolean =>
    (isEndless(node) && awaits(node)) || (ts.forEachChild(node, visit) ?? false);
  return visit(ts.createSourceFile(name, text, ts.ScriptTarget.Latest));
}

it("only `persist`, the client, `ensure` and the search of a create repeat a request: no other loop waits without a condition", () => {
  const found = sourcesIn("provider").filter((file) => hasEndlessWait(file, readFileSync(join(root, file), "utf8")));
  const loops = [
    join("converge", "create.ts"),
    join("converge", "ensure.ts"),
    join("converge", "send.ts"),
    join("http", "client.ts"),
    "time.ts",
  ];
  expect(found.sort()).toEqual(loops.map((file) => join("provider", file)));
});

it("such a loop would be caught", () => {
  const caught = (text: string) => hasEndlessWait("some.ts", text);
  expect(caught("for (;;) { await list(); }")).toBe(true);
  expect(caught("while (true) try { return await get(); } catch {}")).toBe(true);
  expect(caught("do await get(); while (isBusy);")).toBe(true);
  expect(caught("for (const id of ids) await get(id);")).toBe(false);
  expect(caught("for (;;) if (next()) later(async () => { await get(); });")).toBe(false);
});

it("chance comes from the clock alone: what a seed gives can be run again", () => {
  const touched = sourcesIn("provider").filter((file) =>
    readFileSync(join(root, file), "utf8").includes("Math.random"),
  );
  expect(touched).toEqual([join("provider", "time.ts")]);
});

it("a file that the code names is there", () => {
  const own = [...folders, "policy", "tests", "scripts", "bench"];
  const coded = own.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((file) => join(folder, file)),
  );
  const files = [...coded, "jest.config.mjs"].filter((file) => /\.[mc]?[jt]s$/.test(file));
  const path = new RegExp(
    String.raw`(?<![\w./@{-])(?:${[...own, "docs", "examples"].join("|")})/[\w/-]+(?:\.\w+)*\.(?:ts|mjs|js|md)\b`,
    "g",
  );
  const named = files.flatMap((file) =>
    [...readFileSync(join(root, file), "utf8").matchAll(path)].map(([to]) => ({ file, to })),
  );
  expect(named.length).toBeGreaterThan(50);
  const isThere = ({ file, to }: { file: string; to: string }) =>
    [".", dirname(file)].some((folder) => existsSync(join(root, folder, to)));
  const gone = named.filter((each) => !isThere(each) && each.to !== "docs/nowhere.md");
  expect(gone.map(({ file, to }) => `${file} names ${to}`)).toEqual([]);
});
