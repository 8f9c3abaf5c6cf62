import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { root } from "../setup/places.mjs";

const { exports, main } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

/** What users import by name, code and types, what the policy pack's folder names, and the command that makes reports of policies. */
const entries = [
  main,
  ...Object.values(exports).flatMap((each) => (typeof each === "string" ? each : Object.values(each))),
]
  .filter((path) => /\.(js|d\.ts)$/.test(path))
  .concat("dist/policy/pack.js", "dist/policy/sarif.js")
  .map((path) => path.replace(/^(\.\/)?dist\//, ""));

/** Removes from folders of the compiled package every module that no entry point reaches. */
export function removeUnreached(dist, folders) {
  const reached = reachedIn(dist);
  for (const folder of folders) {
    const files = readdirSync(join(dist, folder), { recursive: true, withFileTypes: true });
    for (const file of files.filter((each) => each.isFile())) {
      const path = join(file.parentPath, file.name);
      if (/\.(js|d\.ts)$/.test(path) && !reached.has(path)) rmSync(path);
    }
  }
}

/** Files that entry points reach: code what is required, declarations what is imported. */
function reachedIn(dist) {
  const reached = new Set(entries.map((path) => join(dist, path)));
  for (const file of reached) {
    const ending = file.endsWith(".d.ts") ? ".d.ts" : ".js";
    const naming = ending === ".js" ? /\brequire\("(\.[^"]+)"\)/g : /(?:from |import\()"(\.[^"]+)"/g;
    for (const [, from] of readFileSync(file, "utf8").matchAll(naming)) {
      const path = resolve(dirname(file), from);
      const found = [path, `${path}${ending}`, join(path, `index${ending}`)].find(isModule);
      if (found) reached.add(found);
    }
  }
  return reached;
}

const isModule = (path) => /\.(js|d\.ts)$/.test(path) && existsSync(path);
