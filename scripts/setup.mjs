import { pathToFileURL } from "node:url";
import { buildPackage, findNode, installDependencies } from "./setup/npm.mjs";
import { findEngine } from "./setup/engine.mjs";
import { environment, runMain } from "./setup/environment.mjs";

/** Dependencies and a new-enough Node, without the engine: enough to run the emulator. */
export async function setUpDependencies() {
  await installDependencies();
  const node = await findNode();
  return { node, env: environment({ node, engineDirs: [] }) };
}

/**
 * Makes the checkout ready to run: dependencies, Node, engine, dist/. Gives the environment that children run in and the
 * path of the engine. `quiet` leaves out what is found ready; long steps are shown all the same.
 * @throws SetUpError saying what is missing and what to do
 */
export async function setUp({ quiet = false } = {}) {
  const startedMs = Date.now();
  const { node } = await setUpDependencies();
  const engine = await findEngine();
  if (!quiet) console.log(`node    ${node}\npulumi  ${engine.pulumi} (${engine.from})`);
  const env = environment({ node, engineDirs: engine.dirs });
  await buildPackage(env);
  if (!quiet) console.log(`Ready in ${((Date.now() - startedMs) / 1000).toFixed(1)} s`);
  return { env, pulumi: engine.pulumi, node };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  await runMain(async () => {
    await setUp();
  });
}
