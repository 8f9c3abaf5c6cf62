import { delimiter, join } from "node:path";
import { root } from "./folder";
import type { Stack } from "./stack";

export const pluginClasses = "pulumi-frontdoor/plugin";

/** A path on which the engine finds the plugin of this repository. */
export const pathWithPlugin = [join(root, "dist", "plugin"), process.env["PATH"] ?? ""].join(delimiter);

/** Puts the plugin on the path of a stack's engine. */
export function onPath(stack: Stack): Stack {
  stack.env["PATH"] = pathWithPlugin;
  return stack;
}
