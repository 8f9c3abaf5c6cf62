import * as pulumi from "@pulumi/pulumi";
import type * as provider from "../provider/functions/open";
import { settingNames } from "./provider-args";

/** The keys that the engine itself reads from a package's configuration. */
const ofEngine = ["version", "pluginDownloadURL"];

/**
 * Refuses an unknown key of this package in the stack's configuration, because a misspelled key would have no effect. A project with the
 * name of the package can have its own keys there, so it is not checked.
 */
export function refuseStrangeSettings(): void {
  if (pulumi.getProject() === "frontdoor") return;
  const [strange] = Object.keys(pulumi.runtime.allConfig())
    .filter((key) => key.startsWith("frontdoor:"))
    .map((key) => key.slice("frontdoor:".length))
    .filter((name) => !settingNames.includes(name) && !ofEngine.includes(name));
  if (strange === undefined) return;
  // Only a program with an unknown key loads this module.
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  const { strangeSetting } = require("../provider/functions/open") as typeof provider;
  throw new pulumi.RunError(strangeSetting(strange));
}
