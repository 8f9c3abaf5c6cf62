import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import process from "node:process";
import { promisify } from "node:util";

// How long `frontdoor impact` takes beyond the preview: 50 previews of 1,000 shares each. Build first: node bench/impact.mjs

const previews = 50;
const shares = 1_000;
const longestMs = 1_000;
const command = join(import.meta.dirname, "..", "dist", "cli.js");

const urn = (type, name) => `urn:pulumi:dev::bench::frontdoor:index:${type}::${name}`;
const tunnel = urn("IpsecTunnel", "hq");

/** The inputs of a share, as the plugin's check gives them. */
const inputsOf = (index, more) => ({
  ...{ __defaults: ["name"], name: `bench-dev-share-${index}`, frontdoorId: "fd-1", ipsecTunnelId: "tnl-1" },
  ...{ envZId: "env-1", target: `host-${index}.internal:443`, ingressPort: 1024 + index, ...more },
});

/** A preview in which every other share gets a new target, and the others are new or deleted. */
function previewOf(seed) {
  const steps = Array.from({ length: shares }, (_, index) => {
    const op = ["update", "create", "update", "delete"][(index + seed) % 4];
    const outputs = { ...inputsOf(index), __set: [], locationId: "loc-1", status: "DEPLOYED" };
    const dependencies = [tunnel];
    return {
      ...{ op, urn: urn("IpsecShare", `share-${index}`), detailedDiff: null },
      ...(op !== "create" && { oldState: { id: `shr-${index}`, inputs: inputsOf(index), outputs, dependencies } }),
      ...(op !== "delete" && { newState: { inputs: inputsOf(index, { target: `new-${seed}:443` }), dependencies } }),
    };
  });
  const changeSummary = {};
  for (const { op } of steps) changeSummary[op] = (changeSummary[op] ?? 0) + 1;
  return { steps, changeSummary };
}

const folder = mkdtempSync(join(tmpdir(), "frontdoor-bench-"));
const taken = [];
try {
  for (let seed = 0; seed < previews; seed++) {
    const file = join(folder, "preview.json");
    writeFileSync(file, JSON.stringify(previewOf(seed), undefined, 4));
    const startedMs = performance.now();
    await promisify(execFile)(process.execPath, [command, "impact", file, "--json"], { maxBuffer: 1024 ** 3 });
    taken.push(performance.now() - startedMs);
  }
} finally {
  rmSync(folder, { recursive: true });
}
taken.sort((a, b) => a - b);
const [median, most] = [taken[previews / 2], taken.at(-1)].map((ms) => Math.round(ms));
const machine = `Node ${process.version}, ${cpus().length} × ${cpus()[0].model}`;
process.stdout.write(`${previews} previews of ${shares} shares: median ${median} ms, most ${most} ms, ${machine}\n`);
if (most > longestMs) process.exitCode = 1;
