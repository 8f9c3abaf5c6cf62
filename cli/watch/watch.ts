import { setTimeout as sleep } from "node:timers/promises";
import { isBusy } from "../../provider/api/status";
import { safeText } from "../../provider/errors";
import { type ConnectionOptions, connectionOf, reading } from "../connection";
import { CheckFailed } from "../outcome";
import { print, printJson, say } from "../output";
import { status } from "../style";
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
export async function watch(options: WatchOptions): Promise<void> {
  const { for: longestMs = Infinity, json: isJson = false } = options;
  const { config, frontdoorId } = await connectionOf(options, process.env);
  const startedMs = performance.now();
  const changes: Change[] = [];
  const last = await reading(config, async (reads) => {
    const poll = async (): Promise<Seen[]> => {
      const [{ tunnels }, { shares }] = await Promise.all([
        reads.getTunnels({ frontdoorId }),
        reads.getShares({ frontdoorId }),
      ]);
      const sinceMs = performance.now();
      const seen = (kind: Seen["kind"]) => (entry: { id: string; name: string; status: string }) =>
        ({ kind, id: entry.id, name: entry.name, status: entry.status, sinceMs }) satisfies Seen;
      return [...tunnels.map(seen("tunnel")), ...shares.map(seen("share"))];
    };
    let now = await poll();
    say(`front door ${frontdoorId}: ${counts(now)}`);
    while (!isSettled(now) && performance.now() - startedMs < longestMs) {
      await sleep(Math.min(pauseMs, Math.max(0, longestMs - (performance.now() - startedMs))));
      const step = changesBetween(now, await poll());
      now = step.now;
      for (const change of step.changes) {
        changes.push(change);
        if (!isJson) print(`${lineOf(change)}\n`);
      }
    }
    return now.map(({ kind, id, name, status }) => ({ kind, id, name, status }));
  });
  const broken = last.filter((each) => each.status === "ERROR");
  const open = last.filter(isBusy);
  if (isJson) printJson({ frontdoorId, isSettled: open.length === 0, changes, now: last });
  if (open.length > 0)
    throw new CheckFailed(
      `these are still changing: ${named(open)}. Run the command again with a longer --for. [still-changing]`,
    );
  if (broken.length > 0)
    throw new CheckFailed(`these have the status ERROR: ${named(broken)}. Run \`pulumi up --refresh\`. [status-error]`);
  say(`no status is changing: ${counts(last)}`);
}

const isSettled = (seen: Seen[]) => !seen.some(isBusy);

/** Returns the line that `watch` prints for a change. */
export function lineOf({ at, kind, id, name, from, to, afterSeconds }: Change): string {
  const time = new Date(at).toTimeString().slice(0, 8);
  const after = from === undefined ? "" : ` after ${afterSeconds} s`;
  return `${time} ${kind} ${safeText(name, 80)} (${id}) ${from === undefined ? "" : `${status(from)} → `}${status(to)}${after}`;
}

/** `3 DEPLOYED, 1 NEW` */
export function counts(all: { status: string }[]): string {
  const numbers = new Map<string, number>();
  for (const { status } of all) numbers.set(status, (numbers.get(status) ?? 0) + 1);
  return [...numbers].map(([text, number]) => `${number} ${safeText(text, 30)}`).join(", ") || "nothing on it";
}

const most = 5;
const named = (all: Pick<Seen, "kind" | "id" | "name" | "status">[]): string =>
  `${all
    .slice(0, most)
    .map(({ kind, id, name, status }) => `${kind} ${safeText(name, 80)} (${id}) ${safeText(status, 30)}`)
    .join(", ")}${all.length > most ? ` and ${all.length - most} more` : ""}`;
