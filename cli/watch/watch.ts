import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import * as z from "zod";
import { isBusy, isFailed } from "../../provider/api/wire";
import { safeText } from "../../provider/errors";
import { firstOf } from "../../provider/messages";
import type { OwnFolder } from "../../provider/run/files";
import type { Clock } from "../../provider/time";
import { connectionOf, type ConnectionOptions, reading } from "../connection";
import { connectionsOf } from "../connections";
import type { Io } from "../io";
import { CheckFailed } from "../outcome";
import { status } from "../output";
import { type Change, changesBetween, type Seen } from "./changes";

/** The place of the metrics. */
export interface Address {
  host: string;
  port: number;
}

export interface WatchOptions extends ConnectionOptions {
  /** Milliseconds. */
  for?: number;
  serve?: Address;
  webhook?: string;
  /** Milliseconds. */
  downAfter?: number;
  json?: true;
}

const pauseMs = 2000;

/** Prints each change until no status is changing, or the time is over. @throws CheckFailed if something is in ERROR or still changing then. */
export async function watch(io: Io, options: WatchOptions): Promise<void> {
  const { for: longestMs = Infinity, json: isJson = false } = options;
  const { clock, print, say } = io;
  const { config, frontdoorId } = await connectionOf(io, options);
  const startedMs = clock.now();
  const changes: Change[] = [];
  const { last, down } = await reading(io, config, async (reads) => {
    const poll = async (): Promise<Seen[]> => {
      const [{ tunnels }, { shares }] = await Promise.all([
        reads.getTunnels({ frontdoorId }),
        reads.getShares({ frontdoorId }),
      ]);
      const sinceMs = clock.now();
      const seen = (kind: Seen["kind"]) => (entry: { id: string; name: string; status: string }) =>
        ({ kind, id: entry.id, name: entry.name, status: entry.status, sinceMs }) satisfies Seen;
      return [...tunnels.map(seen("tunnel")), ...shares.map(seen("share"))];
    };
    let now = await poll();
    say(`front door ${frontdoorId}: ${counts(now)}`);
    while (!isSettled(now) && clock.now() - startedMs < longestMs) {
      await clock.sleep(Math.min(pauseMs, Math.max(0, longestMs - (clock.now() - startedMs))));
      const step = changesBetween(clock, now, await poll());
      now = step.now;
      for (const change of step.changes) {
        changes.push(change);
        if (!isJson) print(`${lineOf(change)}\n`);
      }
    }
    const last = now.map(({ kind, id, name, status }) => ({ kind, id, name, status }));
    const tunnels = last.flatMap((each) => (each.kind === "tunnel" ? [{ ...each, frontdoorId }] : []));
    const connections = await connectionsOf(clock, reads, tunnels);
    const down = tunnels.filter(({ id }) => connections.get(id)?.status === "DOWN");
    return { last, down: down.map((each) => ({ ...each, status: "DOWN" })) };
  });
  const broken = last.filter(isFailed);
  const open = last.filter(isBusy);
  if (isJson) io.printJson({ frontdoorId, isSettled: open.length === 0, changes, now: last });
  if (down.length > 0) say(`the connection is not UP: ${named(down)}`);
  if (open.length > 0)
    throw new CheckFailed(
      `these are still changing: ${named(open)}. Run the command again with a longer --for. [still-changing]`,
    );
  if (broken.length > 0)
    throw new CheckFailed(`these have failed: ${named(broken)}. ${remediesFor(broken).join(" ")} [status-error]`);
  say(`no status is changing: ${counts(last)}`);
}

/** Returns what to do about what has failed or is DOWN, with the ids. */
export function remediesFor(problems: { kind: string; id: string; status: string }[]): string[] {
  const idsOf = (isMeant: (each: (typeof problems)[number]) => boolean) =>
    firstOf(
      problems.filter(isMeant).map(({ id }) => id),
      3,
    ).join(", ");
  const rows: [ids: string, remedy: (ids: string) => string][] = [
    [idsOf(({ status }) => status === "SUSPENDED"), (ids) => `First ask NetFoundry why ${ids} is SUSPENDED.`],
    [
      idsOf((each) => isFailed(each) && each.kind === "tunnel"),
      (ids) => `Another \`rotation\` rebuilds ${ids}, with a new key.`,
    ],
    [
      idsOf((each) => isFailed(each) && each.kind === "share"),
      (ids) => `\`pulumi up --refresh\` sends ${ids} again: first check its target.`,
    ],
    [
      problems.find(({ status }) => status === "DOWN")?.id ?? "",
      (id) => `\`npx pulumi-frontdoor tunnel ${id}\` shows why Frontdoor calls it DOWN.`,
    ],
  ];
  return rows.flatMap(([ids, remedy]) => (ids === "" ? [] : remedy(ids)));
}

const isSettled = (seen: Seen[]) => !seen.some(isBusy);

/** Returns the line that `watch` prints for a change. */
export function lineOf({ at, kind, id, name, from, to, afterSeconds }: Change): string {
  const time = new Date(at).toTimeString().slice(0, 8);
  const after = from === undefined ? "" : ` after ${afterSeconds} s`;
  return `${time} ${kind} ${safeText(name, 80)} (${id}) ${from === undefined ? "" : `${status(from)} → `}${status(to)}${after}`;
}

/** Returns how many have each status. */
export function numbersOf(all: { status: string }[]): Record<string, number> {
  const numbers = new Map<string, number>();
  for (const { status } of all) numbers.set(status, (numbers.get(status) ?? 0) + 1);
  return Object.fromEntries(numbers);
}

/** `3 DEPLOYED, 1 NEW` */
export const counts = (all: { status: string }[], none = "nothing on it"): string =>
  Object.entries(numbersOf(all))
    .map(([text, number]) => `${number} ${safeText(text, 30)}`)
    .join(", ") || none;

const most = 5;
const named = (all: Pick<Seen, "kind" | "id" | "name" | "status">[]): string =>
  `${all
    .slice(0, most)
    .map(({ kind, id, name, status }) => `${kind} ${safeText(name, 80)} (${id}) ${safeText(status, 30)}`)
    .join(", ")}${all.length > most ? ` and ${all.length - most} more` : ""}`;

const beatMs = 5_000;
/** A holder that is silent for so long has ended, or its machine sleeps. */
const silentMs = 20_000;

const holder = z.object({ id: z.string(), pid: z.number(), host: z.string(), atMs: z.number() });
type Holder = z.output<typeof holder>;

/** A file by which only one process of a user sends the alerts of one front door to one receiver. */
export class Turn {
  private readonly id = randomUUID();
  private beat: AbortController | undefined;

  constructor(
    private readonly folder: Pick<OwnFolder, "read" | "write" | "remove">,
    private readonly file: string,
    private readonly clock: Clock,
  ) {}

  /**
   * Takes the turn until `end`. Returns the number of the process that has it otherwise. `lost` is called if another process has taken the
   * turn meanwhile. @throws UnsafePath, or the error of the file system.
   */
  take(lost: (pid: number) => void): number | undefined {
    const other = this.other();
    if (other && isPresent(other, this.clock.wall())) return other.pid;
    this.write();
    this.beat = new AbortController();
    void this.keep(this.beat.signal, lost);
    return undefined;
  }

  private async keep(signal: AbortSignal, lost: (pid: number) => void): Promise<void> {
    for (;;) {
      await this.clock.sleep(beatMs, signal);
      if (signal.aborted) return;
      try {
        const taker = this.other();
        if (taker) lost(taker.pid);
        else this.write();
      } catch {
        // The next beat tries again.
      }
    }
  }

  end(): void {
    this.beat?.abort();
    if (this.beat && !this.other()) this.folder.remove(this.file);
  }

  private write(): void {
    const own: Holder = { id: this.id, pid: process.pid, host: hostname(), atMs: this.clock.wall() };
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

const isPresent = ({ pid, host, atMs }: Holder, nowMs: number): boolean =>
  Math.abs(nowMs - atMs) < silentMs && (host !== hostname() || isAlive(pid));

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
