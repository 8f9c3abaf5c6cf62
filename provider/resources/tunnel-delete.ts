import type { FrontDoor } from "../api/service";
import type { WireTunnel } from "../api/types";
import { type Clock, isOver, type Until } from "../clock";
import { FrontdoorError, isConflict, shown } from "../errors";
import { pauseAfter } from "../ticks";
import { judgeDeleted, settledMs } from "./judge";
import { remove, type Subject } from "./writes";

/**
 * Deletes a tunnel. The service refuses while shares target it (spec: Tunnel rule): those in DELETING are waited for,
 * live ones are an error at once that names them.
 */
export async function removeTunnel(
  frontDoor: FrontDoor,
  subject: Subject<WireTunnel>,
  clock: Clock,
  until: Until,
): Promise<void> {
  const startedMs = clock.now();
  for (;;) {
    try {
      await remove(subject, clock, until);
      return;
    } catch (error) {
      if (!isConflict(error)) throw error;
      const leaving = await sharesLeaving(frontDoor, subject, until);
      await Promise.all(leaving.map((share) => frontDoor.shares.poller.wait(share.id, judgeDeleted, until, "delete")));
      // Without a share in sight the refusal may be an echo of one just gone, but not for long.
      const waitedMs = clock.now() - startedMs;
      if (isOver(clock, until) || (leaving.length === 0 && waitedMs > settledMs)) throw error;
      if (leaving.length === 0) await clock.sleep(pauseAfter(waitedMs, Math.random()), until.signal);
    }
  }
}

async function sharesLeaving(frontDoor: FrontDoor, { id, label }: Subject<WireTunnel>, until: Until) {
  const { calls } = frontDoor.shares;
  const filtered = (await calls.list([["ipsecTunnelId", id]], until)).entries;
  // A service that does not know the filter may answer nothing: then all are looked through.
  const entries = filtered.length > 0 ? filtered : (await calls.list([], until, { mostPages: 50 })).entries;
  // One that is going need not show its tunnel.
  const shares = entries.filter((share) => [id, ""].includes(share.ipsecTunnelId) && share.status !== "DELETED");
  const live = shares.filter((share) => share.status !== "DELETING");
  if (live.length === 0) return shares;
  const names = live.map((share) => `"${shown(share.name, 80)}" (${share.id}, ${shown(share.status, 30)})`).join(", ");
  const next = "delete them or move them to another tunnel first; the tunnel stays as it is";
  throw new FrontdoorError(`${label}: delete: IPsec shares still use it: ${names}; ${next}`, {
    kind: "failed",
  });
}
