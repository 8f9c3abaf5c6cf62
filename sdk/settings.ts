import * as pulumi from "@pulumi/pulumi";
import type * as provider from "../provider/functions/open";
import { settingNames } from "./setting-names";

/** What the engine itself takes from a package's configuration. */
const ofEngine = ["version", "pluginDownloadURL"];

/**
 * Refuses what the stack's configuration sets of this package and there is none of: a misspelt key would leave the default in its place
 * without a word. A project that is called as the package has keys of its own there.
 */
export function refuseStrangeSettings(): void {
  if (pulumi.getProject() === "frontdoor") return;
  const [strange] = Object.keys(pulumi.runtime.allConfig())
    .filter((key) => key.startsWith("frontdoor:"))
    .map((key) => key.slice("frontdoor:".length))
    .filter((name) => !settingNames.includes(name) && !ofEngine.includes(name));
  if (strange === undefined) return;
  // Only programs that have one load what knows more of it.
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  const { strangeSetting } = require("../provider/functions/open") as typeof provider;
  throw new pulumi.RunError(`frontdoor:${strange} in the stack's configuration: ${strangeSetting(strange)}`);
}
