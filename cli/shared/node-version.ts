import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The folder of the package, from dist/ and from cli/shared/. */
const above = join(__dirname, "..");
export const packageFolder = existsSync(join(above, "package.json")) ? above : join(above, "..");

/** The package of this command. */
export const { version, engines } = JSON.parse(readFileSync(join(packageFolder, "package.json"), "utf8")) as {
  version: string;
  engines: { node: string };
};
const oldest = engines.node.replace(/^\D+/, "");

/** Returns why this version of Node cannot run the command; undefined if it can. */
export const refusalOfNode = (version: string): string | undefined =>
  isAtLeast(version, oldest)
    ? undefined
    : `Node ${version} is too old for this command. Nothing was done. Install Node ${oldest} or later, and put it first on PATH. [node-version]`;

/** Reports a Node that is too old, with exit code 2. Returns true if the command can run. An old Node must be able to load this file. */
export function canRun({ version, argv }: Pick<NodeJS.Process, "version" | "argv">): boolean {
  const message = refusalOfNode(version);
  if (message === undefined) return true;
  console.error(`frontdoor: ${message}`);
  if (argv.includes("--json")) console.log(JSON.stringify({ error: { message, code: "node-version" } }, undefined, 2));
  process.exitCode = 2;
  return false;
}

/** True if text such as "v3.213.0" or "24.1.0-rc.1" names a version not below the oldest one; false for any other text. */
export function isAtLeast(text: string, oldest: string): boolean {
  const [, ...parts] = /^v?(\d+)\.(\d+)\.(\d+)/.exec(text.trim()) ?? [];
  const wanted = oldest.split(".").map(Number);
  const differing = parts.findIndex((part, at) => Number(part) !== wanted[at]);
  return parts.length > 0 && (differing === -1 || Number(parts[differing]) > (wanted[differing] ?? 0));
}
