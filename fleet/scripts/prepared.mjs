// Runs a TypeScript file of this package with all that it needs on PATH: `node scripts/prepared.mjs lab/trouble.ts --times 20`.
import { spawn } from "node:child_process";
import { runMain, SetUpError } from "../../scripts/setup/environment.mjs";
import { here, prepare } from "./prepare.mjs";

await runMain(async () => {
  const { env, missing } = await prepare();
  if (missing) throw new SetUpError(missing);
  const child = spawn("node", process.argv.slice(2), { cwd: here, env, stdio: "inherit" });
  // A Ctrl-C reaches both; the file ends what it has started.
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => child.kill(signal));
  return new Promise((resolve) => child.once("exit", (code) => resolve(code ?? 1)));
});
