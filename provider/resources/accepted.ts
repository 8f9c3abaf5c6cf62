import type { Kind } from "../service";
import type { Named } from "../api/types";
import { isOver, type Until } from "../time/clock";
import { isConflict } from "../errors";
import { pauseAfter } from "../time/ticks";
import { judgeIdle } from "./judge";

/** What a write is about. */
export interface Written<Wire extends Named> {
  kind: Kind<Wire>;
  /** Undefined for what is to be created. */
  id?: string | undefined;
  /** The tunnels a share is and will be on: a load balancer may take one change at a time. */
  tunnelIds?: string[];
}

/**
 * Sends a write; where the service refuses it because the resource is still being provisioned or torn down (spec: the states from
 * which delete and update are accepted are not shown), or as busy while other work on the same tunnel is under way, waits for the
 * end of that and sends it again, of several on one tunnel one after the other. What is refused with nothing under way is refused.
 * @throws FrontdoorError of the last try.
 */
export async function whenAccepted<T, Wire extends Named>(
  written: Written<Wire>,
  write: () => Promise<T>,
  until: Until,
): Promise<T> {
  const { kind, id, tunnelIds = [] } = written;
  const { clock } = kind;
  let leave: (() => void) | undefined;
  try {
    for (;;) {
      // What ends between a refusal and the look at what was in its way must not go unseen.
      const wasBusy = isOwnUnderWay(written);
      try {
        return await kind.underWay.during(tunnelIds, id, write);
      } catch (error) {
        if (!isConflict(error) || isOver(clock, until)) throw error;
        const busy = await worksUnderWay(written, wasBusy, until);
        if (!busy) throw error;
        if (!busy.includes(id ?? "")) leave ??= await kind.turns.take(tunnelIds.join(), until);
        await Promise.all(busy.map((each) => kind.inventory.wait(each, judgeIdle, until)));
        // A list that lags behind ends that wait at once.
        do await clock.sleep(pauseAfter(0, clock.random()), until.signal);
        while (isOwnUnderWay(written) && !isOver(clock, until));
        if (isOver(clock, until)) throw error;
      }
    }
  } finally {
    leave?.();
  }
}

/** What is to be waited for before the write is sent again, as far as the service shows it; undefined where nothing is under way. */
async function worksUnderWay<Wire extends Named>(
  { kind, id, tunnelIds = [] }: Written<Wire>,
  wasBusy: boolean,
  until: Until,
): Promise<string[] | undefined> {
  // Trouble of a look says nothing about the write.
  const own = id === undefined ? undefined : await kind.calls.get(id, until).catch(() => undefined);
  if (id !== undefined && own && isBusy(own)) return [id];
  if (tunnelIds.length === 0) return undefined;
  const query = tunnelIds.map((tunnelId): [string, string] => ["ipsecTunnelId", tunnelId]);
  const { entries } = await kind.calls.list(query, until).catch(() => ({ entries: [] }));
  const others = entries.filter((entry) => entry.id !== id && isBusy(entry) && isOn(entry, tunnelIds));
  if (others.length > 0) return others.map((entry) => entry.id);
  return wasBusy || isOwnUnderWay({ kind, id, tunnelIds }) ? [] : undefined;
}

/** Whether this process has other work under way on the tunnels, whatever lists show of it. */
const isOwnUnderWay = <Wire extends Named>({ kind, id, tunnelIds = [] }: Written<Wire>) =>
  kind.underWay.isAny(tunnelIds, (each) => each !== id && kind.inventory.isWaitingFor(each));

const isBusy = (seen: Named) => judgeIdle(seen, { waitedMs: 0, statuses: new Set() }).now === "waiting";

/** One that is going need not show its tunnel. */
const isOn = (entry: Named & { ipsecTunnelId?: string }, tunnelIds: string[]) =>
  entry.ipsecTunnelId === "" || tunnelIds.includes(entry.ipsecTunnelId ?? "");
