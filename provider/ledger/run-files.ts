import { type OwnFolder, UnsafePath } from "./own-folder";
import { unsafe } from "./record-files";

/** Shares owned ids among the provider processes of one run: the dynamic provider, the plugin, and one for each explicit provider. */
export interface RunStore {
  own(key: string): void;
  isOwnedByAnother(key: string): boolean;
  /** False if another provider process of the run lives. */
  isAlone(): boolean;
  /** Ends the run. */
  close(): void;
}

/** Serves a process that is the only one. */
export const soleProcess: RunStore = {
  own: () => undefined,
  isOwnedByAnother: () => false,
  isAlone: () => true,
  close: () => undefined,
};

/** Shares ids by files. Each process writes one, and reads those of the others that live. Without files, a process knows only its own ids. */
export function runFiles(folder: OwnFolder, say: (line: string) => void): RunStore {
  const ownFile = `${process.pid}`;
  const tried = <T>(work: () => T, otherwise: T): T => {
    try {
      return work();
    } catch (error) {
      if (error instanceof UnsafePath) say(unsafe(error));
      return otherwise;
    }
  };
  const others = () => folder.files().filter((file) => file !== ownFile && isAlive(Number(file)));
  return {
    own(key) {
      tried(() => {
        folder.append(ownFile, `${key}\n`);
      }, undefined);
    },
    isOwnedByAnother: (key) =>
      tried(() => others().some((file) => folder.read(file)?.split("\n").includes(key)), false),
    isAlone: () => tried(() => others().length === 0, true),
    close() {
      tried(() => {
        folder.remove(ownFile);
        if (others().length === 0) folder.removeAll();
      }, undefined);
    },
  };
}

/** True if the process lives. The file of a process that was killed means nothing for a later run. */
function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
