import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import * as z from "zod";
import type { OwnFolder } from "../../provider/ledger/own-folder";

const beatMs = 5_000;
/** A holder that is silent for so long has ended, or its machine sleeps. */
const silentMs = 20_000;

const holder = z.object({ id: z.string(), pid: z.number(), host: z.string(), atMs: z.number() });
type Holder = z.output<typeof holder>;

/** A file by which only one process of a user sends the alerts of one front door to one receiver. */
export class Turn {
  private readonly id = randomUUID();
  private beat: NodeJS.Timeout | undefined;

  constructor(
    private readonly folder: Pick<OwnFolder, "read" | "write" | "remove">,
    private readonly file: string,
  ) {}

  /**
   * Takes the turn until `end`. Returns the number of the process that has it otherwise. `lost` is called if another process has taken the
   * turn meanwhile. @throws UnsafePath, or the error of the file system.
   */
  take(lost: (pid: number) => void): number | undefined {
    const other = this.other();
    if (other && isPresent(other)) return other.pid;
    this.write();
    this.beat = setInterval(() => {
      try {
        const taker = this.other();
        if (taker) lost(taker.pid);
        else this.write();
      } catch {
        // The next beat tries again.
      }
    }, beatMs);
    return undefined;
  }

  end(): void {
    clearInterval(this.beat);
    if (this.beat && !this.other()) this.folder.remove(this.file);
  }

  private write(): void {
    const own: Holder = { id: this.id, pid: process.pid, host: hostname(), atMs: Date.now() };
    this.folder.write(this.file, JSON.stringify(own));
  }

  /** Returns the other process that the file names. A broken file names none. */
  private other(): Holder | undefined {
    try {
      const found = holder.parse(JSON.parse(this.folder.read(this.file) ?? ""));
      return found.id === this.id ? undefined : found;
    } catch (error) {
      if (error instanceof z.ZodError || error instanceof SyntaxError) return undefined;
      throw error;
    }
  }
}

const isPresent = ({ pid, host, atMs }: Holder): boolean =>
  Math.abs(Date.now() - atMs) < silentMs && (host !== hostname() || isAlive(pid));

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
