import { closeSync, openSync } from "node:fs";

/** Where nobody watches each line stays: a resource gets one a minute. */
const unwatchedMs = 60_000;

/** Whether a terminal belongs to the run; the engine tells a plugin nothing of it. */
export function isWatched(environment: NodeJS.ProcessEnv): boolean {
  if (environment["CI"]) return false;
  try {
    closeSync(openSync(process.platform === "win32" ? "CONIN$" : "/dev/tty", "r"));
    return true;
  } catch {
    return false;
  }
}

/** Tells how waits stand: at each look where somebody watches, once a minute where not. */
export class Progress {
  private readonly toldMs = new Map<string, number>();

  constructor(
    private readonly tell: (urn: string, line: string) => void,
    private readonly isWatched: boolean,
    private readonly now: () => number,
  ) {}

  show(urn: string, line: string): void {
    const now = this.now();
    const lastMs = this.toldMs.get(urn) ?? now;
    const isDue = this.isWatched || now - lastMs >= unwatchedMs;
    this.toldMs.set(urn, isDue ? now : lastMs);
    if (isDue) this.tell(urn, line);
  }
}
