import { appendFileSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { makeFolder } from "./record-files";

/** What all provider processes of one run of the engine hold: the dynamic host's, the plugin's, one more for each explicit provider. */
export interface RunStore {
  hold(key: string): void;
  isHeldByAnother(key: string): boolean;
  /** The run has ended. */
  close(): void;
}

/** For a process that is the only one. */
export const sole: RunStore = { hold: () => undefined, isHeldByAnother: () => false, close: () => undefined };

/** Each process has a file of its own, and reads those of the others that live. Where no file can be written, each knows of itself alone. */
export function runFiles(folder: string): RunStore {
  const own = `${process.pid}`;
  const tried = <T>(work: () => T, otherwise: T): T => {
    try {
      return work();
    } catch {
      return otherwise;
    }
  };
  const others = () => readdirSync(folder).filter((file) => file !== own && isLiving(Number(file)));
  return {
    hold(key) {
      tried(() => {
        makeFolder(folder);
        appendFileSync(join(folder, own), `${key}\n`, { mode: 0o600 });
      }, undefined);
    },
    isHeldByAnother: (key) =>
      tried(() => others().some((file) => readFileSync(join(folder, file), "utf8").split("\n").includes(key)), false),
    close() {
      tried(() => {
        rmSync(join(folder, own), { force: true });
        if (others().length === 0) rmSync(folder, { recursive: true, force: true });
      }, undefined);
    },
  };
}

/** What a process that was killed has left tells nothing of a later run. */
function isLiving(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
