import { setMaxListeners } from "node:events";
import { parseArgs } from "node:util";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { draw, type Drawing, virtual, type History, play, type Play } from "./history";
import { type DayJob, dayJobs, days, type Job, jobs, optionJobs, pairJobs, walk } from "./jobs";
import { conforms, playOnPulumi } from "./pulumi";
import { tryPlanted } from "./planted";
import type { Slice, Walked } from "./walk";

/** The commands `npm run prove` and `npm run chaos`. */
const main = (args: string[]): Promise<number> => (args[0] === "random" ? random(args.slice(1)) : walks(args));

const walkUsage = `Walks every history of up to three runs over two tunnels and two shares, and over one set of three keys.

  --edits N       how many edits follow the first run (default 2)
  --minutes M     end after M minutes, also if histories are left (default 20)
  --pairs N       only the walks with the rarer faults and every N-th pair of faults at neighbouring requests; 0: only the others
  --first         end at the first violation
  --known         also the known violations
  --only TEXT     only walks whose name contains TEXT, such as "plugin sets"
  --planted TEXT  plant each bug whose name contains TEXT, and walk until it is found
`;

const workers = 2;
/** All pairs take hours. Each ordered pair of kinds is tried at least once in each walk. */
const usualPairs = 61;

interface Task {
  name: string;
  /** With programs, every history of edits and faults; else ordinary days. */
  job: Job | DayJob;
  slice: Slice;
}

const nameOf = ({ adapter, programs, service }: Job) => `${adapter} ${programs}, ${service} service`;

async function walks(args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    options: {
      edits: { type: "string", default: "2" },
      minutes: { type: "string", default: "20" },
      only: { type: "string", default: "" },
      planted: { type: "string" },
      pairs: { type: "string" },
      first: { type: "boolean", default: false },
      known: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) {
    console.log(walkUsage);
    return 0;
  }
  if (values.planted !== undefined) return tryPlanted(process.cwd(), values.planted, Number(values.edits));
  const begunMs = performance.now();
  const endMs = begunMs + Number(values.minutes) * 60_000;
  const slice = { edits: Number(values.edits), isFirst: values.first, hasKnown: values.known };
  const everyNthPair = Number(values.pairs ?? usualPairs);
  const single = [...jobs, ...optionJobs].map((job) => ({ job, slice, name: nameOf(job) }));
  const paired = pairJobs.map((job) => ({
    ...{ job, name: `${nameOf(job)}, pairs` },
    slice: { ...slice, edits: Math.min(slice.edits, 1), everyNthPair, hasEachPairOfKinds: everyNthPair <= usualPairs },
  }));
  const ordinary = dayJobs.map((job) => ({
    job,
    slice,
    name: `ordinary days, ${job.adapter}, ${job.service} service`,
  }));
  const tasks = values.pairs === undefined ? [...ordinary, ...single, ...paired] : everyNthPair === 0 ? single : paired;
  const all: Walked[] = [];
  const queue = tasks.filter(({ name }) => name.includes(values.only));
  const work = async () => {
    for (let task = queue.shift(); task; task = queue.shift()) {
      // Time that an earlier walk did not need goes to the others.
      const leftMs = endMs - performance.now();
      const ownMs = Math.min(leftMs, (leftMs * workers) / (queue.length + 1));
      const walked = await inWorker({ ...task, slice: { ...task.slice, limitMs: ownMs } });
      console.log(`${task.name}: ${told(walked)}`);
      all.push(walked);
      if (values.first && walked.violations.length > 0) throw new Found();
    }
  };
  await Promise.all(Array.from({ length: workers }, work)).catch((error: unknown) => {
    if (!(error instanceof Found)) throw error;
  });
  const sum = (of: (each: Walked) => number) => all.reduce((total, each) => total + of(each), 0);
  const violations = sum((each) => each.violations.length);
  const seconds = Math.round((performance.now() - begunMs) / 1000);
  console.log(
    `${sum((each) => each.states)} states, ${sum((each) => each.histories)} histories, ${sum((each) => each.runs)} runs, ` +
      `${sum((each) => each.pairs)} pairs of faults, ${violations} violations, ${seconds} s`,
  );
  return violations > 0 ? 1 : 0;
}

/** Ends all walks, because one of them has found a violation. */
class Found extends Error {}

const told = ({ states, settled, histories, runs, violations, isCut }: Walked) =>
  `${states} states (${settled} between runs), ${histories} histories, ${runs} runs, ${violations.length} violations${isCut ? ", ended early" : ""}`;

function inWorker(task: Task): Promise<Walked> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(__filename, { workerData: task, execArgv: process.execArgv });
    worker.on("message", (message: string | Walked) => {
      if (typeof message === "string") console.log(message);
      else resolve(message);
    });
    worker.once("error", reject);
  });
}

const randomUsage = `Runs random histories on Pulumi while the service fails and processes are interrupted and killed.

  --runs N           how many histories (default 20)
  --seed S           seed of the first history; the next one has S + 1 (default: from the clock)
  --workers W        how many histories at a time (default 2)
  --host H           only the dynamic provider (H is dynamic) or only the plugin (plugin)
  --virtual          in virtual time, on the model of the engine instead of Pulumi
  --conform N        N histories without faults on the model and on Pulumi, which must do the same
  --history JSON     only this history, as a failure prints it
`;

const randomOptions = {
  runs: { type: "string", default: "20" },
  seed: { type: "string", default: String(Date.now() % 1_000_000_000) },
  workers: { type: "string", default: "2" },
  host: { type: "string" },
  virtual: { type: "boolean", default: false },
  conform: { type: "string" },
  history: { type: "string" },
  help: { type: "boolean", default: false },
} as const;

type Outcome = Pick<Play, "problems" | "log"> & { history: History };

const say = (line: string) => process.stdout.write(`${line}\n`);

async function random(args: string[]): Promise<number> {
  const { values } = parseArgs({ args, options: randomOptions });
  const { host, conform, history: given } = values;
  const [seed = 0, runs = 0, workers = 1] = [values.seed, conform ?? values.runs, values.workers].map(Number);
  const isAdapter = host === undefined || host === "dynamic" || host === "plugin";
  if (values.help || !isAdapter || ![seed, runs, workers].every(Number.isInteger)) {
    say(randomUsage);
    return values.help ? 0 : 1;
  }
  const drawing: Drawing = { adapter: host, isSwarm: true };
  const one = (number: number): Promise<Outcome> => {
    if (given !== undefined) return played(JSON.parse(given) as History, values.virtual);
    if (conform !== undefined) return conformed(number, host);
    return drawn(number, drawing, values.virtual);
  };
  const seeds = given === undefined ? Array.from({ length: runs }, (_, n) => seed + n) : [seed];
  const failed = await playAll([...seeds], workers, one, conform === undefined, values.virtual);
  say(`${seeds.length - failed} passed, ${failed} failed, from seed ${seed}`);
  return failed === 0 ? 0 : 1;
}

async function playAll(
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

if (isMainThread) {
  // Each wait of a run listens to the one signal that ends them all.
  setMaxListeners(0);
  main(process.argv.slice(2)).then(
    (code) => process.exit(code),
    (error: unknown) => {
      console.error(error);
      process.exit(1);
    },
  );
} else {
  setMaxListeners(0);
  // Nobody reads the stack of a provider's error, and stacks cost time.
  Error.stackTraceLimit = 0;
  const { name, job, slice } = workerData as Task;
  const say = (line: string) => parentPort?.postMessage(`${name}: ${line}`);
  const walking = "programs" in job ? walk(job, slice, say) : days(job, slice, say);
  void walking.then((walked) => parentPort?.postMessage(walked));
}
