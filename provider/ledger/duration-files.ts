import type { Operation } from "../time/ticks";
import { hashOf } from "./creation-records";
import { OwnFolder } from "./own-folder";
import { stateFolder } from "./record-files";

/** Remembers how long operations of one service have taken on this machine. `frontdoor impact` reads them. */
export interface DurationStore {
  note(kind: string, operation: Operation, tookMs: number): void;
}

/** For a process that remembers nothing. */
export const noDurations: DurationStore = { note: () => undefined };

/** A file keeps at most so many durations, the latest ones. */
const mostKept = 200;

const folderOf = (baseUrl: string) => new OwnFolder(stateFolder(process.env), "durations", hashOf([baseUrl]));

/** Durations as one file for each kind and operation. If a file cannot be kept, the run goes on without it. */
export function durationFiles(baseUrl: string): DurationStore {
  const folder = folderOf(baseUrl);
  const trimmed = new Set<string>();
  return {
    note(kind, operation, tookMs) {
      const file = `${kind}-${operation}`;
      try {
        const kept = trimmed.has(file) ? [] : numbersIn(folder.read(file));
        trimmed.add(file);
        if (kept.length > mostKept)
          folder.write(
            file,
            kept
              .slice(-mostKept)
              .map((each) => `${each}\n`)
              .join(""),
          );
        folder.append(file, `${Math.round(tookMs)}\n`);
      } catch {
        // The folder is unsafe or cannot be written: the creation records say so.
      }
    },
  };
}

/** Returns the durations in milliseconds, the latest last; none if the file cannot be read. */
export function readDurations(baseUrl: string, kind: string, operation: Operation): number[] {
  try {
    return numbersIn(folderOf(baseUrl).read(`${kind}-${operation}`)).slice(-mostKept);
  } catch {
    return [];
  }
}

const numbersIn = (text = ""): number[] =>
  text
    .split("\n")
    .map(Number)
    .filter((number) => number > 0);
