import { execFile, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { root, runMain, SetUpError } from "./setup/environment.mjs";

// How long a call of the command takes, against a bare Node program that prints or asks for the same. Build first; measure on a machine
// that does nothing else.

const rounds = 30;
const highestRatio = 1.5;
const command = join(root, "dist", "cli.js");

const asking = `
  const { FRONTDOOR_BASE_URL: base, FRONTDOOR_ID: id, FRONTDOOR_TOKEN: token } = process.env;
  fetch(base + "/v2/" + id + "/ipsec-tunnels?page=0&size=100", { headers: { authorization: "Bearer " + token } })
    .then((answer) => answer.json())
    .then(({ content }) => console.log(JSON.stringify({ tunnels: content })));`;

const pairs = [
  { name: "frontdoor --version", ours: ["--version"], bare: `console.log("0.1.0")` },
  { name: "frontdoor tunnels --json", ours: ["tunnels", "--json"], bare: asking },
];

/** The emulator as it comes with the package, for as long as `work` takes. */
async function withEmulator(work) {
  const folder = mkdtempSync(join(tmpdir(), "frontdoor-bench-"));
  const ready = join(folder, "ready.json");
  const emulator = spawn(process.execPath, [command, "emulator", "--port", "0", "--quiet", "--ready-file", ready], {
    stdio: "ignore",
  });
  try {
    for (let looks = 0; !existsSync(ready); looks++) {
      if (looks > 200) throw new SetUpError("the emulator did not start: run npm run build first");
      await sleep(50);
    }
    const { baseUrl } = JSON.parse(readFileSync(ready, "utf8"));
    const own = { FRONTDOOR_BASE_URL: baseUrl, FRONTDOOR_ID: "fd-1", FRONTDOOR_TOKEN: "emulator-token" };
    return await work({ ...process.env, ...own });
  } finally {
    emulator.kill();
    rmSync(folder, { recursive: true });
  }
}

async function msOf(args, env) {
  const startedMs = performance.now();
  await promisify(execFile)(process.execPath, args, { env });
  return performance.now() - startedMs;
}

const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];

await runMain(() =>
  withEmulator(async (env) => {
    let isTooSlow = false;
    console.log(`${rounds} rounds in turn, medians, Node ${process.version}, ${cpus().length} × ${cpus()[0].model}`);
    for (const { name, ours, bare } of pairs) {
      const taken = { ours: [], bare: [] };
      // The first call compiles what the others find compiled.
      for (let round = -1; round < rounds; round++) {
        const ms = { ours: await msOf([command, ...ours], env), bare: await msOf(["-e", bare], env) };
        if (round < 0) continue;
        taken.ours.push(ms.ours);
        taken.bare.push(ms.bare);
      }
      const [own, least] = [median(taken.ours), median(taken.bare)];
      isTooSlow ||= own / least > highestRatio;
      console.log(`${name}: ${own.toFixed(0)} ms, bare ${least.toFixed(0)} ms, ${(own / least).toFixed(2)} ×`);
    }
    return isTooSlow ? 1 : 0;
  }),
);
