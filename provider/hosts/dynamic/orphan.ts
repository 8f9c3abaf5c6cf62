import { fstatSync } from "node:fs";

const lookMs = 1_000;
const graceMs = 2_000;

let signal: AbortSignal | undefined;
let isEnding = false;

/**
 * Aborts once the engine that started this process is gone: its parent has changed, or the pipe it holds to our input has ended.
 * A write under way has two seconds to end; then the process leaves, as nobody else would ever end it.
 */
export function untilOrphaned(): AbortSignal {
  if (signal) return signal;
  const controller = new AbortController();
  signal = controller.signal;
  const parent = process.ppid;
  const leave = () => {
    controller.abort();
    setTimeout(() => process.exit(1), graceMs);
  };
  const looking = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(looking);
    leave();
  }, lookMs).unref();
  // An input that had ended before the first call tells nothing: some hosts start plugins without one.
  if (isPipe() && !process.stdin.readableEnded) process.stdin.once("end", leave).resume();
  return signal;
}

/** Calls back once the engine, which saves what it was told before, ends this process in order; then the process leaves. */
export function onRunEnd(finish: () => void): void {
  if (isEnding) return;
  isEnding = true;
  const parent = process.ppid;
  process.once("SIGINT", () => {
    if (process.ppid === parent) finish();
    process.exit(0);
  });
}

function isPipe(): boolean {
  try {
    return fstatSync(0).isFIFO();
  } catch {
    return false;
  }
}
