// Writes the secret stack output `sampleConfig` to a new file that only its owner can read: `npm run deliver -- branch.conf`.
import { spawnSync } from "node:child_process";
import console from "node:console";
import { closeSync, openSync, rmSync, writeSync } from "node:fs";
import process from "node:process";

const path = process.argv[2] ?? "sample-config.conf";

// "wx": a file or link that is there already is left alone, and with it whoever may read it.
let file;
try {
  file = openSync(path, "wx", 0o600);
} catch (error) {
  console.error(error.code === "EEXIST" ? `${path} is there already: remove it or name another file` : error.message);
  process.exit(1);
}

const { status, stdout } = spawnSync("pulumi", ["stack", "output", "sampleConfig", "--show-secrets"], {
  encoding: "utf8",
  stdio: ["ignore", "pipe", "inherit"],
});
if (status === 0) writeSync(file, stdout);
closeSync(file);
if (status === 0) {
  console.log(`${path}: written, readable by you alone; remove it once the remote site has it`);
} else {
  rmSync(path);
  process.exitCode = 1;
}
