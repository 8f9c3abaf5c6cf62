import { cpus } from "node:os";
import { pack, Project, reported } from "./project";

// What the pack adds to a preview: pairs of previews without and with it, taken in turn so that the machine's moods hit both.
//   node -r ts-node/register/transpile-only tests/policy/measure.ts [pairs] [shares]
const [pairs = 5, shares = 1000] = process.argv.slice(2).map(Number);

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;

async function secondsOf(project: Project, ...flags: string[]): Promise<number> {
  const startedMs = performance.now();
  const run = await project.preview(...flags);
  if (run.code !== 0 || reported(run).length > 0) throw new Error(run.text);
  return (performance.now() - startedMs) / 1000;
}

async function main(): Promise<void> {
  process.env["SHARES"] = String(shares);
  const project = await Project.open("shares.js");
  try {
    // The first runs fill caches.
    await secondsOf(project);
    await secondsOf(project, "--policy-pack", pack);
    const measured: { without: number; with: number; added: number }[] = [];
    for (let pair = 0; pair < pairs; pair++) {
      const without = await secondsOf(project);
      const using = await secondsOf(project, "--policy-pack", pack);
      measured.push({ without, with: using, added: using / without - 1 });
    }
    console.table(measured);
    const of = (key: "without" | "with" | "added") => median(measured.map((each) => each[key]));
    console.log(`${shares} shares, ${pairs} pairs, ${cpus().length} cores, Node ${process.version}`);
    console.log(
      `median without ${of("without").toFixed(2)} s, with ${of("with").toFixed(2)} s, added ${(100 * of("added")).toFixed(1)} %`,
    );
  } finally {
    await project.close();
  }
}

void main();
