import { root } from "./places.mjs";
import { run } from "./progress.mjs";

/** Runs npm as the user started it, else the one on PATH, and gives what it printed. */
export function npm(args, { cwd = root } = {}) {
  const started = process.env.npm_execpath;
  return started?.endsWith("npm-cli.js")
    ? run(process.execPath, [started, ...args], { cwd })
    : run("npm", args, { cwd });
}
