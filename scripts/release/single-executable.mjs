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
    const [mainFile, config] = [join(work, "main.js"), join(work, "config.json")];
    writeFileSync(mainFile, main);
    writeFileSync(config, JSON.stringify({ main: mainFile, executable, output, disableExperimentalSEAWarning: true }));
    await run(await nodeExecutable(thisPlatform()), ["--build-sea", config]);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}
