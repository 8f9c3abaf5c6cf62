import { fstatSync } from "node:fs";

/** How the engine that started this process leaves it; after either call the process ends, as nobody else would end it. */
export interface Leaving {
  /** In order: what it was told before is saved. */
  onSaved: () => void;
  /** It was killed: a write under way has two seconds to end. */
  onGone: () => void;
}

/** The address of the engine that has started this process: it comes after options such as `-v=9`. */
export const engineAddress = (args: readonly string[]): string | undefined =>
  args.slice(2).findLast((each) => /^[^-].*:\d+$/.test(each));

/** Watches for an interrupt of the engine's, for another parent, and for the end of the pipe that the engine holds to our input. */
export function watchEngine({ onSaved, onGone }: Leaving): void {
  const parent = process.ppid;
  process.once("SIGINT", () => {
    if (process.ppid === parent) onSaved();
    process.exit(0);
  });
  const leave = () => {
    onGone();
    setTimeout(() => process.exit(1), 2_000);
  };
  const looking = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(looking);
    leave();
  }, 1_000).unref();
  // An input that had ended before the first call tells nothing: some hosts start plugins without one.
  if (isPipe() && !process.stdin.readableEnded) process.stdin.once("end", leave).resume();
}

function isPipe(): boolean {
  try {
    return fstatSync(0).isFIFO();
  } catch {
    return false;
  }
}
