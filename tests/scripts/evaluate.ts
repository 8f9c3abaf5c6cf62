import { execFile } from "node:child_process";
import { join } from "node:path";

const root = join(__dirname, "..", "..");

/**
 * What an expression over the exports of one set-up module gives, as JSON. The modules are ESM that runs before anything is
 * installed, so a Node of its own loads them; a rejection's message comes back as `{ error }`.
 */
export function evaluate(module: string, expression: string, env: NodeJS.ProcessEnv = process.env): Promise<unknown> {
  const code = `
    const it = await import("./scripts/setup/${module}.mjs");
    const value = await (async () => (${expression}))().catch((error) => ({ error: error.message }));
    console.log(JSON.stringify(value ?? null));`;
  return new Promise((resolve, reject) => {
    execFile(process.execPath, ["--input-type=module", "-e", code], { cwd: root, env }, (error, stdout, stderr) => {
      if (error) reject(new Error(stderr));
      else resolve(JSON.parse(stdout));
    });
  });
}
