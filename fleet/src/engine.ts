import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { PulumiCommand } from "@pulumi/pulumi/automation/index.js";
import { beside } from "./beside.ts";

/** A failure of the engine, with its standard error. */
export class EngineError extends Error {
  readonly stderr: string;
  /** True after a SIGKILL, which leaves the lock of the stack. */
  readonly isKilled: boolean;

  constructor(stderr: string, isKilled: boolean) {
    super("the engine failed");
    this.stderr = stderr;
    this.isKilled = isKilled;
  }
}

/** Ends the engines of this worker if the worker ends or is silent, because another worker can then get its stacks. */
export class Watch {
  private readonly child: ChildProcess;
  /** Resolves when the watch ends. The worker must stop then, because nothing would end its engines. */
  readonly ended: Promise<unknown>;

  constructor() {
    // Detached: a Ctrl-C in the worker's terminal is not for it.
    this.child = spawn(process.execPath, [beside("watch")], { detached: true, stdio: ["pipe", "ignore", "ignore"] });
    this.ended = once(this.child, "exit");
  }

  begun(pid: number, lostAfterSeconds: number): void {
    this.child.stdin?.write(`+${pid} ${lostAfterSeconds}\n`);
  }

  over(pid: number): void {
    this.child.stdin?.write(`-${pid}\n`);
  }

  /** Temporal has answered. */
  beat(): void {
    this.child.stdin?.write("beat\n");
  }

  close(): void {
    this.child.stdin?.end();
  }
}

/** The two ways to end an operation's engine: in order, as by Ctrl-C, or at once by the watch. */
export interface Ends {
  inOrder: AbortSignal;
  /** The seconds of silence after which another worker gets the stack. */
  lostAfterSeconds: number;
}

type Run = (args: string[], cwd: string, env: NodeJS.ProcessEnv) => Promise<{ stdout: string; stderr: string }>;

/** Returns the engine on PATH for the Automation API. */
export function engineCommand(found: PulumiCommand, watch: Watch, ends: Ends): PulumiCommand {
  const run: Run = async (args, cwd, env) => {
    // The Automation API would read the outputs, also secret ones, and the history. The fleet uses neither.
    if (args[0] === "stack" && (args[1] === "output" || args[1] === "history"))
      return { stdout: args[1] === "output" ? "{}" : "[]", stderr: "" };
    return runEngine(found.command, args, { cwd, env, watch, ends });
  };
  return { command: found.command, version: found.version, run } as unknown as PulumiCommand;
}

/** Runs one command of the engine with only this environment. `input` holds secrets, because other users can see arguments. @throws EngineError */
export async function runEngine(
  command: string,
  args: string[],
  {
    cwd,
    env,
    watch,
    ends,
    input = "",
  }: { cwd: string; env: NodeJS.ProcessEnv; watch: Watch; ends: Ends; input?: string },
): Promise<{ stdout: string; stderr: string }> {
  ends.inOrder.throwIfAborted();
  const child = spawn(command, [...args, "--non-interactive"], {
    cwd,
    env: { ...env, PULUMI_AUTOMATION_API: "true" },
    // Its own process group: a Ctrl-C in the worker's terminal reaches it only through the worker.
    detached: true,
    stdio: "pipe",
  });
  const { pid } = child;
  if (pid !== undefined) watch.begun(pid, ends.lostAfterSeconds);
  const interrupt = () => child.kill("SIGINT");
  ends.inOrder.addEventListener("abort", interrupt);
  try {
    let stdout = "";
    let stderr = "";
    child.stdout.on("data", (chunk) => (stdout += String(chunk)));
    child.stderr.on("data", (chunk) => (stderr += String(chunk)));
    child.stdin.on("error", () => undefined).end(input);
    const [code, signal] = (await once(child, "close")) as [number | null, NodeJS.Signals | null];
    if (code !== 0) throw new EngineError(stderr, signal === "SIGKILL");
    return { stdout, stderr };
  } finally {
    ends.inOrder.removeEventListener("abort", interrupt);
    if (pid !== undefined) watch.over(pid);
  }
}
