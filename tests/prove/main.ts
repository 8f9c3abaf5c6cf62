import { setMaxListeners } from "node:events";
import { parseArgs } from "node:util";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { type Job, jobs, pairJobs, walk } from "./jobs";
import { tryPlanted } from "./try-planted";
import type { Slice, Walked } from "./walk";

const usage = `Walks every history of up to three runs over two tunnels and two shares, and over one set of three keys.

  --edits N       how many edits follow the first run (default 2)
  --minutes M     end after M minutes, also if histories are left (default 20)
  --pairs N       only the walks with the rarer faults and every N-th pair of faults at neighbouring requests; 0: only the others
  --faults N      every N-th fault (default 1)
  --edit TEXT     faults only in edits whose name contains TEXT
  --kind TEXT     only faults whose name contains TEXT; with --pairs, any second fault may follow
  --first         end at the first violation
  --only TEXT     only walks whose name contains TEXT, such as "plugin sets"
  --planted TEXT  plant each bug whose name contains TEXT, and walk until it is found

"npm run prove -- relations" plays pairs of histories that must end in the same state.
`;

const workers = 2;
/** All pairs take hours. Each ordered pair of kinds is at many requests, so a part has them all. */
const usualPairs = 7;

interface Task {
  name: string;
  job: Job;
  slice: Slice;
}

const nameOf = ({ adapter, programs, service }: Job) => `${adapter} ${programs}, ${service} service`;

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      edits: { type: "string", default: "2" },
      minutes: { type: "string", default: "20" },
      only: { type: "string", default: "" },
      planted: { type: "string" },
      pairs: { type: "string" },
      faults: { type: "string", default: "1" },
      edit: { type: "string", default: "" },
      kind: { type: "string", default: "" },
      first: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) {
    console.log(usage);
    return 0;
  }
  if (values.planted !== undefined) return tryPlanted(process.cwd(), values.planted, Number(values.edits));
  const begunMs = performance.now();
  const endMs = begunMs + Number(values.minutes) * 60_000;
  const slice = {
    ...{ edits: Number(values.edits), isFirst: values.first, everyNthFault: Number(values.faults) },
    ...{ only: values.edit, kind: values.kind },
  };
  const everyNthPair = Number(values.pairs ?? usualPairs);
  const single = jobs.map((job) => ({ job, slice, name: nameOf(job) }));
  const paired = pairJobs.map((job) => ({
    ...{ job, name: `${nameOf(job)}, pairs` },
    slice: { ...slice, edits: Math.min(slice.edits, 1), everyNthPair },
  }));
  const tasks = values.pairs === undefined ? [...single, ...paired] : everyNthPair === 0 ? single : paired;
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

if (isMainThread) {
  main().then(
    (code) => process.exit(code),
    (error: unknown) => {
      console.error(error);
      process.exit(1);
    },
  );
} else {
  // Each wait of a run listens to the one signal that ends them all.
  setMaxListeners(0);
  // Nobody reads the stack of a provider's error, and stacks cost time.
  Error.stackTraceLimit = 0;
  const { name, job, slice } = workerData as Task;
  const say = (line: string) => parentPort?.postMessage(`${name}: ${line}`);
  void walk(job, slice, say).then((walked) => parentPort?.postMessage(walked));
}
