import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";

const root = resolve(__dirname, "..");
const layers = ["provider/http", "provider/api", "provider/resources", "provider/hosts"];
const folders = ["provider", "sdk", "emulator"];

/** The layer of a file, by its folder; files right in provider/ are the leaves. */
const layerOf = (file: string) => layers.findIndex((folder) => file.startsWith(`${folder}/`));

const sources = folders.flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .map((file) => join(folder, file)),
);

const importsOf = (file: string) =>
  [...readFileSync(join(root, file), "utf8").matchAll(/(?:from|import|require)\s*\(?\s*"(\.[^"]+)"/g)].map((match) =>
    relative(root, resolve(root, dirname(file), match[1] ?? "")),
  );

const allowed = (from: string, to: string): boolean => {
  const [folder] = from.split("/");
  if (folder === "provider") return to.startsWith("provider/") && layerOf(to) <= layerOf(from);
  if (folder === "sdk") return to.startsWith("sdk/") || to.startsWith("provider/hosts/");
  return to.startsWith(`${folder ?? ""}/`);
};

describe("imports", () => {
  it("point one way: sdk → hosts → resources → api → http → leaves, and the emulator stands alone", () => {
    const edges = sources.flatMap((from) => importsOf(from).map((to) => ({ from, to })));
    expect(edges.length).toBeGreaterThan(50);
    expect(edges.filter(({ from, to }) => !allowed(from, to)).map(({ from, to }) => `${from} → ${to}`)).toEqual([]);
  });

  it("would be caught pointing the other way", () => {
    expect(allowed("provider/http/client.ts", "provider/api/service")).toBe(false);
    expect(allowed("provider/wait.ts", "provider/resources/judge")).toBe(false);
    expect(allowed("emulator/server.ts", "provider/errors")).toBe(false);
    expect(allowed("sdk/share.ts", "provider/resources/share")).toBe(false);
  });
});
