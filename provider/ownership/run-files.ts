import { type OwnFolder, UnsafePath } from "./own-folder";
import { unsafe } from "./record-files";

/** What all provider processes of one run of the engine hold: the dynamic host's, the plugin's, one more for each explicit provider. */
export interface RunStore {
  hold(key: string): void;
  isHeldByAnother(key: string): boolean;
  /** The run has ended. */
  close(): void;
}

/** For a process that is the only one. */
export const sole: RunStore = { hold: () => undefined, isHeldByAnother: () => false, close: () => undefined };

/** Each process has a file of its own, and reads those of the others that live. If no file can be written, each knows only of itself. */
export function runFiles(folder: OwnFolder, say: (line: string) => void): RunStore {
  const own = `${process.pid}`;
  const tried = <T>(work: () => T, otherwise: T): T => {
    try {
      return work();
    } catch (error) {
      if (error instanceof UnsafePath) say(unsafe(error));
      return otherwise;
    }
  };
  const others = () => folder.files().filter((file) => file !== own && isLiving(Number(file)));
  return {
    hold(key) {
      tried(() => {
        folder.append(own, `${key}\n`);
      }, undefined);
    },
    isHeldByAnother: (key) => tried(() => others().some((file) => folder.read(file)?.split("\n").includes(key)), false),
    close() {
      tried(() => {
        folder.remove(own);
        if (others().length === 0) folder.removeAll();
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
