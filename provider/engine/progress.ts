import { closeSync, openSync } from "node:fs";
import { systemClock } from "../time/clock";
import type { EngineLog } from "./engine-log";

/** The pause between two lines of a resource without a terminal, where each line stays in the output. */
const unwatchedPauseMs = 60_000;

/** True if a terminal belongs to the run. The engine does not tell plugins. */
export function isWatched(environment: NodeJS.ProcessEnv): boolean {
  if (environment["CI"]) return false;
  try {
    closeSync(openSync(process.platform === "win32" ? "CONIN$" : "/dev/tty", "r"));
    return true;
  } catch {
    return false;
  }
}

/** Shows a line beside the resource of this URN. */
export type ShowLine = (urn: string, line: string) => void;

/** Returns a function that shows the progress of a resource: every line if somebody watches, else one a minute. An empty line clears it. */
export function progressLines(show: ShowLine, isWatched: boolean, now: () => number): ShowLine {
  const lastMs = new Map<string, number>();
  return (urn, line) => {
    if (line === "") {
      lastMs.delete(urn);
      if (isWatched) show(urn, line);
      return;
    }
    const nowMs = now();
    const beforeMs = lastMs.get(urn) ?? nowMs;
    const isDue = isWatched || nowMs - beforeMs >= unwatchedPauseMs;
    lastMs.set(urn, isDue ? nowMs : beforeMs);
    if (isDue) show(urn, line);
  };
}

/** Shows lines beside resources. */
export interface ResourceLines {
  /** Resolves when the engine has the line. */
  show: (urn: string, line: string) => Promise<void>;
  /** Shows only some of many lines. */
  showProgress: ShowLine;
}

/** Returns the lines beside this run's resources. */
export function resourceLinesIn(log: EngineLog): ResourceLines {
  const showProgress = (urn: string, line: string) => void log.show(urn, line);
  return {
    show: (urn, line) => log.show(urn, line),
    showProgress: progressLines(showProgress, isWatched(process.env), () => systemClock.now()),
  };
}

/** Lines that nobody sees. */
export const silent: ResourceLines = { show: () => Promise.resolve(), showProgress: () => undefined };
