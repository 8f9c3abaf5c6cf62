import { accessSync, constants } from "node:fs";
import { delimiter, dirname, join, sep } from "node:path";
import { withoutPulumi } from "./environment.mjs";
import { inState, root } from "./places.mjs";
import { run } from "./progress.mjs";
import { atLeast } from "./version.mjs";

/** The first pulumi on PATH, when it is new enough and its language host is there too; the checkout's own do not count. */
export async function findEngineOnPath(oldest) {
  const pulumi = onPath("pulumi");
  if (!pulumi || !onPath("pulumi-language-nodejs")) return undefined;
  const env = { ...withoutPulumi(process.env), PULUMI_HOME: inState("home"), PULUMI_SKIP_UPDATE_CHECK: "1" };
  const version = (await run(pulumi, ["version"], { env }).catch(() => "")).trim();
  if (!atLeast(version, oldest)) {
    console.error(`${pulumi} is left aside: ${version || "it does not run"}, ${oldest} or later is needed`);
    return undefined;
  }
  // An engine that came without its own shims gets ours.
  return { from: `PATH, ${version}`, pulumi, dirs: [dirname(pulumi), join(root, "scripts", "engine-shims")] };
}

function onPath(command) {
  return (process.env.PATH ?? "")
    .split(delimiter)
    .filter((dir) => dir !== "" && !dir.startsWith(root + sep))
    .map((dir) => join(dir, command))
    .find(isExecutable);
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
