import { existsSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { fulfils, npm } from "../../scripts/setup/npm.mjs";
import { goTool } from "../../scripts/setup/go.mjs";
import { withLock } from "../../scripts/setup/lock.mjs";
import { inState, run, SetUpError, step } from "../../scripts/setup/environment.mjs";
import { setUp } from "../../scripts/setup.mjs";
import { bundleRedactor } from "./redactor.mjs";

/** This package's folder. */
export const here = fileURLToPath(new URL("..", import.meta.url));

/**
 * The checkout's set-up, this package's dependencies, and Temporal: the environment that all of them are found in. Where Temporal can't be had, `missing`
 * says why. @throws SetUpError
 */
export async function prepare() {
  const { env } = await setUp({ quiet: true });
  await installDependencies();
  await bundleRedactor("src");
  try {
    const temporal = await findTemporal();
    return { env: temporal ? { ...env, PATH: [env.PATH, temporal].join(delimiter) } : env };
  } catch (error) {
    if (!(error instanceof SetUpError)) throw error;
    return { env, missing: `Temporal can't be had here: ${error.message}` };
  }
}

async function installDependencies() {
  if (isInstalled()) return;
  await withLock(inState("fleet-npm.lock"), async () => {
    if (isInstalled()) return;
    await step("Installing the fleet's dependencies", () => npm(["ci", "--include=dev"], { cwd: here }));
  });
}

function isInstalled() {
  const read = (name) => JSON.parse(readFileSync(join(here, name), "utf8"));
  return (
    existsSync(join(here, "node_modules", ".package-lock.json")) &&
    fulfils(read("package-lock.json"), read("node_modules/.package-lock.json"))
  );
}

/** The folder of Temporal's command; undefined where it is on PATH already. */
const findTemporal = () =>
  run("temporal", ["--version"]).then(
    () => undefined,
    () => goTool("temporal"),
  );
