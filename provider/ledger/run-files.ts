import { type OwnFolder, UnsafePath } from "./own-folder";
import { unsafe } from "./record-files";

/** The ids that all provider processes of one run own: the dynamic provider's, the plugin's, one more for each explicit provider. */
export interface RunStore {
  own(key: string): void;
  isOwnedByAnother(key: string): boolean;
  /** False if another provider process of the run lives. */
  isAlone(): boolean;
  /** Ends the run. */
  close(): void;
}

/** For a process that is the only one. */
export const soleProcess: RunStore = {
  own: () => undefined,
  isOwnedByAnother: () => false,
  isAlone: () => true,
  close: () => undefined,
};

/** Each process writes one file and reads those of the others that live. If no file can be written, each process knows only of itself. */
export function runFiles(folder: OwnFolder, say: (line: string) => void): RunStore {
  const own = `${process.pid}`;
  const attempt = <T>(work: () => T, otherwise: T): T => {
    try {
      return work();
    } catch (error) {
      if (error instanceof UnsafePath) say(unsafe(error));
      return otherwise;
    }
  };
  const others = () => folder.files().filter((file) => file !== own && isAlive(Number(file)));
  return {
    own(key) {
      attempt(() => {
        folder.append(own, `${key}\n`);
      }, undefined);
    },
    isOwnedByAnother: (key) =>
      attempt(() => others().some((file) => folder.read(file)?.split("\n").includes(key)), false),
    isAlone: () => attempt(() => others().length === 0, true),
    close() {
      attempt(() => {
        folder.remove(own);
        if (others().length === 0) folder.removeAll();
      }, undefined);
    },
  };
}

/** The file of a process that was killed says nothing about a later run. */
function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
