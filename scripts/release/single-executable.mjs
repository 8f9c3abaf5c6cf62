import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { run } from "../setup/progress.mjs";
import { nodeExecutable } from "./node.mjs";
import { thisPlatform } from "./platforms.mjs";

/** What is started lies beside the executable, as code that is written in could be compiled ahead for this platform alone. */
const main = 'require("node:module").createRequire(process.execPath)("./start.js");';

/** Makes of a Node executable one that runs `start.js` of its own folder with the arguments it gets. It may be another platform's. */
export async function singleExecutable(executable, output) {
  const work = mkdtempSync(join(tmpdir(), "frontdoor-release-"));
  try {
    writeFileSync(join(work, "main.js"), main);
    // The path of the main file is written into the executable: one without the folder is always the same.
    const config = { main: "main.js", executable, output, disableExperimentalSEAWarning: true };
    writeFileSync(join(work, "config.json"), JSON.stringify(config));
    await run(await nodeExecutable(thisPlatform()), ["--build-sea", "config.json"], { cwd: work });
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}
