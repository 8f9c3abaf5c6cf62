import { fstatSync } from "node:fs";

/** Called when the engine that started this process ends. The process ends after either call. */
export interface EngineEnd {
  /** The engine ended in order: it has saved every answer. */
  onInterrupt: () => void;
  /** The engine was killed: a write under way has two seconds to end. */
  onGone: () => void;
}

/** Returns the address of the engine that started this process. The address comes after options such as `-v=9`. */
export const engineAddress = (args: readonly string[]): string | undefined =>
  args.slice(2).findLast((each) => /^[^-].*:\d+$/.test(each));

/** Watches for the engine's interrupt, for another parent process, and for the end of the pipe that the engine holds to our input. */
export function watchEngine({ onInterrupt, onGone }: EngineEnd): void {
  const parent = process.ppid;
  process.once("SIGINT", () => {
    if (process.ppid === parent) onInterrupt();
    process.exit(0);
  });
  const end = () => {
    onGone();
    setTimeout(() => process.exit(1), 2_000);
  };
  const parentCheck = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(parentCheck);
    end();
  }, 1_000).unref();
  // An input that has ended before the first call means nothing: some programs start plugins without an input.
  if (isPipe() && !process.stdin.readableEnded) process.stdin.once("end", end).resume();
}

function isPipe(): boolean {
  try {
    return fstatSync(0).isFIFO();
  } catch {
    return false;
  }
}
