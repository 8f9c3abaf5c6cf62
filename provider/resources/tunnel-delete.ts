import type { FrontDoor } from "../service";
import type { WireShare, WireTunnel } from "../api/types";
import type { Until } from "../time/clock";
import { persist } from "../time/persist";
import { isConflict } from "../errors";
import { pauseAfter } from "../time/ticks";
import { isLeft, sharesOf, stillUsed } from "./holders";
import { judgeDeleted, consistencyMs } from "./judge";
import { remove, type Subject } from "./writes";

/**
 * Deletes a tunnel. The service refuses while shares target it (spec: Tunnel rule). The delete waits for shares in DELETING. It
 * deletes shares that a creation record of the tunnel's stack names by id. Other live shares are an error at once that names them.
 */
export async function removeTunnel(
  frontDoor: FrontDoor,
  subject: Subject<WireTunnel>,
  say: (line: string) => void,
  until: Until,
): Promise<void> {
  const { clock } = subject.kind;
  await persist(
    clock,
    until,
    async ({ error, waitedMs }) => {
      if (!isConflict(error)) return undefined;
      const leaving = await sharesLeaving(frontDoor, subject, say, until);
      await Promise.all(
        leaving.map((share) => frontDoor.shares.inventory.wait(share.id, judgeDeleted, until, "delete")),
      );
      if (leaving.length > 0) return 0;
      // Without a share in sight the refusal may be an echo of one just gone, but not for long.
      return waitedMs > consistencyMs ? undefined : pauseAfter(waitedMs, clock.random());
    },
    async () => {
      await remove(subject, until);
      return true;
    },
  );
}

/** Shares on their way out; those that this run moves to another tunnel have left by then. @throws FrontdoorError that names live ones. */
async function sharesLeaving(
  frontDoor: FrontDoor,
  { id, label }: Subject<WireTunnel>,
  say: (line: string) => void,
  until: Until,
): Promise<WireShare[]> {
  const { moves } = frontDoor.shares;
  const shares = await sharesOf(frontDoor, id, until);
  const live = shares.filter((share) => share.status !== "DELETING");
  const left = live.filter((share) => isLeft(frontDoor, id, share));
  const moving = live.filter((share) => !left.includes(share) && moves.isExpected(share.id));
  const staying = live.filter((share) => !left.includes(share) && !moving.includes(share));
  if (staying.length > 0) throw stillUsed(frontDoor, id, label, staying);
  await Promise.all(left.map((share) => removeLeft(frontDoor, share, say, until)));
  const ends = await Promise.all(moving.map((share) => moves.awaitEnd(share.id, until)));
  const stuck = moving.filter((_, at) => ends[at] !== undefined);
  if (stuck.length > 0) throw stillUsed(frontDoor, id, label, stuck);
  return shares.filter((share) => share.status === "DELETING");
}

async function removeLeft(
  { shares: kind }: FrontDoor,
  { id, name, status, ipsecTunnelId }: WireShare,
  say: (line: string) => void,
  until: Until,
): Promise<void> {
  const label = `IPsec share ${id}`;
  say(`${label}: deleted with its tunnel: an interrupted run began it, and it is in no state`);
  await remove({ kind, id, label, status, tunnelIds: [ipsecTunnelId] }, until);
  kind.creates.forget(name, id);
  kind.deletes.told(id);
}
