import { execFile, execFileSync, spawn } from "node:child_process";
import { setImmediate, setTimeout as sleep } from "node:timers/promises";
import { root } from "./folder";

/** What a command printed: by stream, and as it came. */
export interface Said {
  stdout: string;
  stderr: string;
  text: string;
}

/** `code` is -1 where a signal ended it. */
export interface Ended extends Said {
  code: number;
}

/** A command while it runs. */
export interface Running {
  pid: number;
  /** So far. */
  said: Said;
  /** Waits until its output matches. @throws Error with its output if it ends before. */
  says: (pattern: RegExp) => Promise<RegExpExecArray>;
  end: Promise<Ended>;
}

export interface Where {
  cwd: string;
  env: Record<string, string | undefined>;
}

/** What a killed engine leaves behind holds its output open, so the output ends once it is quiet for so long. */
const quietMs = 500;
const longestDrainMs = 5000;

/** Starts a command. Every engine that a test runs is started here. */
export function start(command: string, args: string[], { cwd, env }: Where): Running {
  const child = spawn(command, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  const said = { stdout: "", stderr: "", text: "" };
  let isClosed = false;
  for (const stream of ["stdout", "stderr"] as const) {
    child[stream].setEncoding("utf8").on("data", (chunk: string) => {
      said[stream] += chunk;
      said.text += chunk;
    });
  }
  const closed = new Promise((resolve) => child.once("close", resolve)).then(() => (isClosed = true));
  const exited = new Promise<number>((resolve, reject) => {
    child.once("error", reject).once("exit", (code) => {
      resolve(code ?? -1);
    });
  });
  const end = exited.then(async (code) => {
    const endMs = Date.now() + longestDrainMs;
    for (let length = -1; !isClosed && length < said.text.length && Date.now() < endMs;) {
      length = said.text.length;
      await Promise.race([closed, sleep(quietMs, undefined, { ref: false })]);
      // On a busy machine the timer can be due before the output is read.
      await setImmediate();
    }
    return { code, ...said };
  });
  const says = (pattern: RegExp) =>
    new Promise<RegExpExecArray>((resolve, reject) => {
      const look = () => {
        const found = pattern.exec(said.text);
        if (found) resolve(found);
      };
      for (const stream of ["stdout", "stderr"] as const) child[stream].on("data", look);
      look();
      end.then(({ text }) => {
        look();
        reject(new Error(text));
      }, reject);
    });
  return { pid: child.pid ?? 0, said, says, end };
}

/** `pulumi` as it runs without a terminal. */
export const startPulumi = (args: string[], where: Where): Running =>
  start("pulumi", [...args, "--non-interactive", "--color", "never"], where);

/** What a command came to; an error with all it said where it failed. */
export function well<Result extends { code: number; text: string }>(ended: Result): Result {
  if (ended.code === 0) return ended;
  throw new Error(`exit code ${ended.code}:\n${ended.text}`);
}

export interface Process {
  pid: number;
  parent: number;
  command: string;
}

function running(): Process[] {
  const text = execFileSync("ps", ["-A", "-o", "pid=,ppid=,args="], { encoding: "utf8", maxBuffer: 64 * 1024 * 1024 });
  return text.split("\n").flatMap((line) => {
    const [, pid, parent, command = ""] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
    return pid === undefined ? [] : [{ pid: Number(pid), parent: Number(parent), command }];
  });
}

/** All processes that a process has started, and those that they have started. */
export function descendants(pid: number): Process[] {
  const all = running();
  const found: Process[] = [];
  for (let parents = [pid]; parents.length > 0;) {
    const children = all.filter(({ parent }) => parents.includes(parent));
    found.push(...children);
    parents = children.map((child) => child.pid);
  }
  return found;
}

export const isProvider = ({ command }: Process): boolean => /dynamic-provider|pulumi-resource-frontdoor/.test(command);

/** Ends a process at once, or sends it another signal; one that is gone already is left alone. */
export function kill(pid: number, signal: NodeJS.Signals = "SIGKILL"): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

/** Those of the processes that still run after a while, the same command under the same id. */
export async function lingering(processes: Process[], waitMs: number): Promise<Process[]> {
  for (const endMs = performance.now() + waitMs; ;) {
    const all = running();
    const left = processes.filter((one) => all.some(({ pid, command }) => pid === one.pid && command === one.command));
    if (left.length === 0 || performance.now() > endMs) return left;
    await sleep(200);
  }
}
/**
 * What an expression over the exports of one set-up module gives, as JSON. The modules are ESM that runs before anything is
 * installed, so a Node of its own loads them; a rejection's message comes back as `{ error }`.
 */
export function evaluate(module: string, expression: string, env: NodeJS.ProcessEnv = process.env): Promise<unknown> {
  const code = `
    const it = await import("./scripts/setup/${module}.mjs");
    const value = await (async () => (${expression}))().catch((error) => ({ error: error.message }));
    console.log(JSON.stringify(value ?? null));`;
  return new Promise((resolve, reject) => {
    execFile(process.execPath, ["--input-type=module", "-e", code], { cwd: root, env }, (error, stdout, stderr) => {
      if (error) reject(new Error(stderr));
      else resolve(JSON.parse(stdout));
    });
  });
}
