import { delimiter, join } from "node:path";
import { root } from "./folder";

export const pluginClasses = "pulumi-frontdoor/plugin";

/** Whose classes programs use where a test does not say; `FRONTDOOR_TEST_IMPORTS` makes them the plugin's. */
export const ownImports = process.env["FRONTDOOR_TEST_IMPORTS"] ?? "pulumi-frontdoor";

/** The type of their resources, as URNs have it. */
export const ownToken = (type: string) =>
  ownImports === pluginClasses ? `frontdoor:index:${type}` : `pulumi-nodejs:dynamic/frontdoor:${type}`;

/** A path on which the engine finds the plugin of this repository. */
export const pathWithPlugin = [join(root, "dist", "plugin"), process.env["PATH"] ?? ""].join(delimiter);
