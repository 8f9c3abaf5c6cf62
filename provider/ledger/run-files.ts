import { type OwnFolder, UnsafePath } from "./own-folder";
import { unsafe } from "./record-files";

/** A claim of a process: it owns the id, or it moves or deletes the resource. */
export type Claim = "owned" | "pending";

/** Shares claims of ids among the provider processes of one run: the dynamic provider, the plugin, and one for each explicit provider. */
export interface RunStore {
  claim(key: string, claim: Claim): void;
  /** Returns the last claim of another process that lives. */
  claimOfAnother(key: string): Claim | undefined;
  /** Ends the run. */
  close(): void;
}

/** Serves a process that is the only one. */
export const soleProcess: RunStore = {
  claim: () => undefined,
  claimOfAnother: () => undefined,
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
    claim(key, claim) {
      tried(() => {
        folder.append(ownFile, `${lineOf[claim](key)}\n`);
      }, undefined);
    },
    claimOfAnother: (key) =>
      tried(
        () =>
          others()
            .map((file) => lastClaim(folder.read(file) ?? "", key))
            .find((each) => each),
        undefined,
      ),
    close() {
      tried(() => {
        folder.remove(ownFile);
        if (others().length === 0) folder.removeAll();
      }, undefined);
    },
  };
}

const lineOf: Record<Claim, (key: string) => string> = { owned: (key) => key, pending: (key) => `~${key}` };

/** Returns the last claim of an id in the file of a process. */
function lastClaim(text: string, key: string): Claim | undefined {
  const last = text.split("\n").findLast((line) => line === lineOf.owned(key) || line === lineOf.pending(key));
  return last === undefined ? undefined : last === key ? "owned" : "pending";
}

/** True if the process lives. The file of a process that was killed means nothing for a later run. */
function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
