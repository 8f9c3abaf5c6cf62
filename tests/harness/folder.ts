import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export const root = join(__dirname, "..", "..");

/** A folder of its own for a program, which is a JavaScript file or a whole folder; what is installed here it finds there too. */
export function programFolder(source: string, project: string): string {
  const folder = mkdtempSync(join(tmpdir(), `frontdoor-${project}-`));
  const isFile = statSync(source).isFile();
  cpSync(source, isFile ? join(folder, "index.js") : folder, { recursive: true });
  writeUnlessThere(join(folder, "package.json"), { main: "index.js" });
  writeUnlessThere(join(folder, "Pulumi.yaml"), { name: project, runtime: "nodejs" });
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  mkdirSync(join(folder, "state"));
  return folder;
}

/** JSON, which is YAML too. */
function writeUnlessThere(path: string, content: object): void {
  if (!existsSync(path)) writeFileSync(path, JSON.stringify(content));
}

/** A killed engine's provider may still write there. */
export function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
