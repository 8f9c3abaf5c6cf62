import { chmodSync, copyFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { root } from "../setup/places.mjs";
import { nodeExecutable, nodeLicense } from "./node.mjs";
import { platforms } from "./platforms.mjs";
import { singleExecutable } from "./single-executable.mjs";

/** Not PulumiPlugin.yaml: where it lies the engine starts the plugin by a language host, which takes the machine's own Node. */
const ofPlugin = ["index.js", "compile-cache.js", "schema.json", "licenses.txt"];

/**
 * Puts into a folder what one platform's archive holds: the plugin, the Node that runs it and all their licenses.
 * A launcher beside Node's own executable starts as fast as a single executable, and leaves the signature valid without which macOS
 * starts nothing. On Windows a script would have a shell between the engine and the plugin, which keeps interrupts from it: there it
 * is a single executable.
 */
export async function writeContents(platform, { plugin, into }) {
  mkdirSync(into, { recursive: true });
  for (const name of ofPlugin) copyFileSync(join(plugin, name), join(into, name));
  copyFileSync(join(plugin, "pulumi-resource-frontdoor"), join(into, "start.js"));
  copyFileSync(join(root, "LICENSE"), join(into, "LICENSE"));
  copyFileSync(await nodeLicense(platform), join(into, "node.licenses.txt"));

  const node = await nodeExecutable(platform);
  const executable = join(into, "pulumi-resource-frontdoor");
  if (platforms[platform].os === "win32") return singleExecutable(node, `${executable}.exe`);
  copyFileSync(join(root, "scripts", "release", "launcher.sh"), executable);
  copyFileSync(node, join(into, "node"));
  for (const path of [executable, join(into, "node"), join(into, "start.js")]) chmodSync(path, 0o755);
}
