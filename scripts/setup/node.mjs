import { existsSync } from "node:fs";
import { join } from "node:path";
import { root } from "./places.mjs";
import { run, SetUpError } from "./progress.mjs";
import { atLeast } from "./version.mjs";

/** The oldest Node that undici 8 and @pulumi/pulumi 3.270 run on. */
const oldestNode = "22.19.0";

/** The path of a Node that is new enough: this process's own, else the one among the development dependencies. */
export async function findNode(own = { path: process.execPath, version: process.versions.node }) {
  if (atLeast(own.version, oldestNode)) return own.path;
  const installed = join(root, "node_modules", "node", "bin", "node");
  if (existsSync(installed)) {
    const version = await run(installed, ["--version"]).catch(() => "");
    if (atLeast(version, oldestNode)) return installed;
  }
  throw new SetUpError(
    `Node ${oldestNode} or later is needed, this is ${own.version}, and the npm package "node" did not bring one that runs here ` +
      `(are npm's install scripts turned off?). Install Node 24 and try again.`,
  );
}
