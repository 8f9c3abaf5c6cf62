import type { Kind } from "../service";
import { isBusy } from "../api/status";
import type { Named } from "../api/types";
import type { Until } from "../time/clock";
import { isConflict, limit, seconds } from "../errors";
import { persist } from "../time/persist";
import { pauseAfter } from "../time/ticks";

/** The resource that a write is for. */
export interface WriteTarget<Wire extends Named> {
  kind: Kind<Wire>;
  /** Undefined for a create. */
  id?: string | undefined;
  /** The tunnels that a share is on now and will be on: a tunnel may accept one change at a time. */
  tunnelIds?: string[];
}

/**
 * Sends a write, and sends it again when the service refuses it while the resource or its tunnel is busy. The specification does not
 * show in which states the service accepts a write. @throws FrontdoorError of the last try.
 */
export async function retryWhileBusy<T, Wire extends Named>(
  target: WriteTarget<Wire>,
  write: () => Promise<T>,
  until: Until,
): Promise<T> {
  const { clock } = target.kind;
  let wasBusy = false;
  const { answer } = await persist(
    clock,
    until,
    async ({ error, waitedMs }) => {
      if (!isConflict(error)) return undefined;
      const isStillBusy = await isAnyBusy(target, until);
      // If the work has ended since the refusal, one more try can succeed.
      if (!isStillBusy && !wasBusy) return undefined;
      wasBusy = isStillBusy;
      reportBusy(until, clock.now());
      return pauseAfter(waitedMs, clock.random()) * (0.5 + clock.random());
    },
    async () => ({ answer: await write() }),
  );
  return answer;
}

/** Reports the refusal instead of a status: the resource still has the status from before the write. */
function reportBusy({ report, startedMs, deadlineMs }: Until, nowMs: number): void {
  const begunMs = startedMs ?? nowMs;
  report?.(`refused for ${seconds(nowMs - begunMs)} while the tunnel is busy, limit ${limit(deadlineMs - begunMs)}`);
}

/** True if the service shows work on the resource or on its tunnels, or if this process waits for a resource of this kind. */
async function isAnyBusy<Wire extends Named>({ kind, id, tunnelIds = [] }: WriteTarget<Wire>, until: Until) {
  const { calls, inventory } = kind;
  // A read that fails says nothing about the write.
  const own = id === undefined ? undefined : await calls.get(id, until).catch(() => undefined);
  if (own && isBusy(own)) return true;
  if (tunnelIds.length === 0) return false;
  // Lists can lag behind the writes of this process.
  if (inventory.isWaiting) return true;
  const query = tunnelIds.map((tunnelId): [string, string] => ["ipsecTunnelId", tunnelId]);
  const { entries } = await calls.list(query, until).catch(() => ({ entries: [] }));
  return entries.some((entry) => entry.id !== id && isOn(entry, tunnelIds) && isBusy(entry));
}

/** The entry of a share that is being deleted need not show its tunnel. */
const isOn = (entry: Named & { ipsecTunnelId?: string }, tunnelIds: string[]) =>
  entry.ipsecTunnelId === "" || tunnelIds.includes(entry.ipsecTunnelId ?? "");
