import { isBusy, isFailed } from "../../provider/api/wire";
import { safeText } from "../../provider/errors";
import { configuredFrontDoor, type ConfigOptions, reading } from "../shared/configuration";
import { connectionsOf, counts, remediesFor } from "../shared/connections";
import type { Io } from "../shared/io";
import { CheckFailed } from "../shared/outcome";
import { status } from "../shared/output";
import { type Change, changesBetween, type ResourceStatus } from "../shared/monitor";

/** The place of the metrics. */
export interface Address {
  host: string;
  port: number;
}

export interface WatchOptions extends ConfigOptions {
  /** Milliseconds. */
  for?: number;
  serve?: Address;
  json?: true;
}

const pauseMs = 2000;
/** A run of Pulumi can take so long before its first request, and between two of them. */
const quietMs = 30_000;

/** Prints each change until no status has been changing for a while, or the time is over. @throws CheckFailed if something is in ERROR or still changing then. */
export async function watch(io: Io, options: WatchOptions): Promise<void> {
  const { for: longestMs = Infinity, json: isJson = false } = options;
  const { clock, print, say } = io;
  const { config, frontdoorId } = await configuredFrontDoor(io, options);
  const startedMs = clock.now();
  const changes: Change[] = [];
  const { last, down } = await reading(io, config, async (reads) => {
    const poll = async (): Promise<ResourceStatus[]> => {
      const [{ tunnels }, { shares }] = await Promise.all([
        reads.getTunnels({ frontdoorId }),
        reads.getShares({ frontdoorId }),
      ]);
      const sinceMs = clock.now();
      const seen = (kind: ResourceStatus["kind"]) => (entry: { id: string; name: string; status: string }) =>
        ({ kind, id: entry.id, name: entry.name, status: entry.status, sinceMs }) satisfies ResourceStatus;
      return [...tunnels.map(seen("tunnel")), ...shares.map(seen("share"))];
    };
    let now = await poll();
    say(`front door ${frontdoorId}: ${counts(now)}. Ends once no status has been changing for ${quietMs / 1000} s`);
    let busyMs = clock.now();
    while (clock.now() - busyMs < quietMs && clock.now() - startedMs < longestMs) {
      await clock.sleep(Math.min(pauseMs, Math.max(0, longestMs - (clock.now() - startedMs))));
      const step = changesBetween(clock, now, await poll());
      now = step.now;
      if (!isSettled(now) || step.changes.length > 0) busyMs = clock.now();
      for (const change of step.changes) {
        changes.push(change);
        if (!isJson) print(`${lineOf(change)}\n`);
      }
    }
    const last = now.map(({ kind, id, name, status }) => ({ kind, id, name, status }));
    const tunnels = last.flatMap((each) => (each.kind === "tunnel" ? [{ ...each, frontdoorId }] : []));
    const connections = await connectionsOf(reads, tunnels);
    const down = tunnels.filter(({ id }) => connections.get(id)?.status === "DOWN");
    return { last, down: down.map((each) => ({ ...each, status: "DOWN" })) };
  });
  const broken = last.filter(isFailed);
  const open = last.filter(isBusy);
  if (isJson) io.printJson({ frontdoorId, isSettled: open.length === 0, changes, now: last });
  if (down.length > 0) say(`the connection is not UP: ${named(down)}`);
  if (open.length > 0 && broken.length > 0) say(`these have failed: ${named(broken)}`);
  if (open.length > 0)
    throw new CheckFailed(
      `these are still changing: ${named(open)}. Run the command again with a longer --for. [still-changing]`,
    );
  if (broken.length > 0)
    throw new CheckFailed(`these have failed: ${named(broken)}. ${remediesFor(broken).join(" ")} [status-error]`);
  say(`no status is changing: ${counts(last)}`);
}

const isSettled = (seen: ResourceStatus[]) => !seen.some(isBusy);

/** Returns the line that `watch` prints for a change. */
export function lineOf({ at, kind, id, name, from, to, afterSeconds }: Change): string {
  const time = new Date(at).toTimeString().slice(0, 8);
  const after = from === undefined ? "" : ` after ${afterSeconds} s`;
  return `${time} ${kind} ${safeText(name, 80)} (${id}) ${from === undefined ? "" : `${status(from)} → `}${status(to)}${after}`;
}

const most = 5;
const named = (all: Pick<ResourceStatus, "kind" | "id" | "name" | "status">[]): string =>
  `${all
    .slice(0, most)
    .map(({ kind, id, name, status }) => `${kind} ${safeText(name, 80)} (${id}) ${safeText(status, 30)}`)
    .join(", ")}${all.length > most ? ` and ${all.length - most} more` : ""}`;
