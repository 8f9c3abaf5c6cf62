import { spawn } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";

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
  end: Promise<Ended>;
}

export interface Where {
  cwd: string;
  env: Record<string, string | undefined>;
}

/** What a killed engine leaves behind holds its output open. */
const longestDrainMs = 200;

/** Starts a command. Every engine that a test runs is started here. */
export function start(command: string, args: string[], { cwd, env }: Where): Running {
  const child = spawn(command, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  const said = { stdout: "", stderr: "", text: "" };
  for (const stream of ["stdout", "stderr"] as const) {
    child[stream].setEncoding("utf8").on("data", (chunk: string) => {
      said[stream] += chunk;
      said.text += chunk;
    });
  }
  const closed = new Promise((resolve) => child.once("close", resolve));
  const exited = new Promise<number>((resolve, reject) => {
    child.once("error", reject).once("exit", (code) => {
      resolve(code ?? -1);
    });
  });
  const end = exited.then(async (code) => {
    await Promise.race([closed, sleep(longestDrainMs)]);
    return { code, ...said };
  });
  return { pid: child.pid ?? 0, said, end };
}

/** `pulumi` as it runs without a terminal. */
export const startPulumi = (args: string[], where: Where): Running =>
  start("pulumi", [...args, "--non-interactive", "--color", "never"], where);

/** What a command came to; an error with all it said where it failed. */
export function well<Result extends { code: number; text: string }>(ended: Result): Result {
  if (ended.code === 0) return ended;
  throw new Error(`exit code ${ended.code}:\n${ended.text}`);
}
