import { setMaxListeners } from "node:events";
import { parseArgs } from "node:util";
import { conforms } from "./conform";
import { draw, type Drawing, virtual } from "./draw";
import { type History, play, type Play } from "./history";
import { playOnPulumi } from "./pulumi";

const usage = `Runs random histories on Pulumi while the service fails and processes are interrupted and killed.

  --runs N           how many histories (default 20)
  --seed S           seed of the first history; the next one has S + 1 (default: from the clock)
  --workers W        how many histories at a time (default 2)
  --host H           only the dynamic provider (H is dynamic) or only the plugin (plugin)
  --virtual          in virtual time, on the model of the engine instead of Pulumi
  --conform N        N histories without faults on the model and on Pulumi, which must do the same
  --no-swarm         draw from all edits, options and faults, not from a random half
  --history JSON     only this history, as a failure prints it
  --no-shrink        do not look for a shorter history that also fails
`;

const options = {
  runs: { type: "string", default: "20" },
  seed: { type: "string", default: String(Date.now() % 1_000_000_000) },
  workers: { type: "string", default: "2" },
  host: { type: "string" },
  virtual: { type: "boolean", default: false },
  conform: { type: "string" },
  "no-swarm": { type: "boolean", default: false },
  history: { type: "string" },
  "no-shrink": { type: "boolean", default: false },
  help: { type: "boolean", default: false },
} as const;

type Outcome = Pick<Play, "problems" | "log"> & { history: History };

const say = (line: string) => process.stdout.write(`${line}\n`);

async function main(): Promise<number> {
  const { values } = parseArgs({ options });
  const { host, conform, history: given } = values;
  const [seed = 0, runs = 0, workers = 1] = [values.seed, conform ?? values.runs, values.workers].map(Number);
  const isAdapter = host === undefined || host === "dynamic" || host === "plugin";
  if (values.help || !isAdapter || ![seed, runs, workers].every(Number.isInteger)) {
    say(usage);
    return values.help ? 0 : 1;
  }
  const drawing: Drawing = { adapter: host, isSwarm: !values["no-swarm"] };
  const one = (number: number): Promise<Outcome> => {
    if (given !== undefined) return played(JSON.parse(given) as History, values.virtual);
    if (conform !== undefined) return conformed(number, host);
    return drawn(number, drawing, values.virtual);
  };
  const seeds = given === undefined ? Array.from({ length: runs }, (_, n) => seed + n) : [seed];
  const failed = await all([...seeds], workers, one, !values["no-shrink"] && conform === undefined, values.virtual);
  say(`${seeds.length - failed} passed, ${failed} failed, from seed ${seed}`);
  return failed === 0 ? 0 : 1;
}

async function all(
  seeds: number[],
  workers: number,
  one: (seed: number) => Promise<Outcome>,
  isShrunk: boolean,
  isVirtual: boolean,
): Promise<number> {
  let failed = 0;
  const work = async () => {
    for (let seed = seeds.shift(); seed !== undefined; seed = seeds.shift()) {
      const { problems, log, history } = await one(seed);
      const name = `seed ${seed}, ${history.adapter} ${history.programs}, ${history.service} service`;
      if (problems.length === 0) {
        if (!isVirtual) say(`ok      ${name}: ${log.join("; ").replace(/\s+/g, " ")}`);
        continue;
      }
      failed += 1;
      say(`FAILED  ${name}:\n        ${[...log, "", ...problems].join("\n        ")}`);
      const small = isShrunk ? await shrunk(history, isVirtual) : history;
      say(
        `        replay: npm run chaos --${isVirtual ? " --virtual" : ""} --history '${JSON.stringify(small).replaceAll("'", "'\\''")}'`,
      );
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, workers) }, work));
  return failed;
}

const conformed = async (seed: number, adapter: History["adapter"] | undefined): Promise<Outcome> => {
  const { history, differences } = await conforms(seed, adapter);
  return { history, problems: differences, log: history.steps.map(({ edit }) => edit) };
};

async function drawn(seed: number, drawing: Drawing, isVirtual: boolean): Promise<Outcome> {
  const { history, played: inVirtualTime } = await draw(seed, drawing);
  if (isVirtual) return { history, problems: inVirtualTime.problems, log: inVirtualTime.log };
  return played(history, false);
}

async function played(history: History, isVirtual: boolean): Promise<Outcome> {
  const { problems, log } = isVirtual ? await play(history, virtual(history)) : await playOnPulumi(history);
  return { history, problems, log };
}

/** The history without the steps and faults that it can lose and still fail. */
async function shrunk(history: History, isVirtual: boolean): Promise<History> {
  const { steps } = history;
  const shorter = [
    ...steps.map((_, at) => steps.filter((_step, number) => number !== at)),
    ...steps.flatMap(({ fault, later, ends, ...rest }, at) => {
      const simpler = later ? { ...rest, fault, ends } : rest;
      return fault ? [steps.map((step, number) => (number === at ? (simpler as typeof step) : step))] : [];
    }),
  ];
  for (const fewer of shorter) {
    const smaller = { ...history, steps: fewer };
    if (fewer.length > 0 && (await played(smaller, isVirtual)).problems.length > 0) return shrunk(smaller, isVirtual);
  }
  return history;
}

// Each wait of a run listens to the one signal that ends them all.
setMaxListeners(0);
main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    console.error(error);
    process.exit(1);
  },
);
