import { isAnothers } from "../../operations/answered-id";
import { anothersInState } from "../../messages/answers";
import type { WireTunnel } from "../../api/types";
import { isConflict } from "../../errors";
import { acceptDeleted, consistencyMs } from "../../inventory/acceptors";
import { ownedByOther } from "../../messages/messages";
import { deleteOnce } from "../../operations/delete";
import type { Subject } from "../../operations/find";
import type { FrontDoor, Service } from "../../service";
import type { Until } from "../../time/clock";
import { persist } from "../../time/persist";
import { pauseAfter } from "../../time/ticks";
import { deleteOrphan, isOrphan } from "../share/orphan";
import { sharesOf, stillUsed } from "../share/users";
import { rules, type TunnelOutputs } from "./inputs";
import { noteGone } from "./location";
import { tunnelSubject } from "./outputs";

/**
 * Deletes a tunnel. The service refuses while shares use it (spec: Tunnel rule). So the provider waits for shares that are moving or
 * leaving, and deletes shares that a creation record of this stack names by id. @throws FrontdoorError that names all others.
 */
export async function deleteTunnel(service: Service, id: string, olds: TunnelOutputs, until: Until): Promise<void> {
  const subject = tunnelSubject(service, id, olds);
  if (await isAnothers(subject.kind, { ...olds, id }, rules.required, until)) {
    service.say(anothersInState(subject.label));
    return;
  }
  if (subject.kind.ledger.record("deleted", id) === "skip") {
    service.say(ownedByOther(subject.label));
    return;
  }
  await removeTunnel(service, service.frontDoor(olds.frontdoorId), subject, until);
  noteGone(subject.kind, id, olds.locationId);
  subject.kind.records.remove(olds.name, id);
}

/** Deletes a tunnel whatever the ledger says: Pulumi asks for it, or a creation record of this stack names it by id. */
export async function removeTunnel(
  service: Service,
  frontDoor: FrontDoor,
  subject: Subject<WireTunnel>,
  until: Until,
): Promise<void> {
  const { clock } = subject.kind;
  // The time at which the last share is known to have been deleted, or the start.
  let lastDeletedMs = clock.now();
  await persist(
    clock,
    until,
    async ({ error }) => {
      if (!isConflict(error)) return undefined;
      const wasDeleting = await awaitShares(service, frontDoor, subject, until);
      if (wasDeleting) lastDeletedMs = clock.now();
      // If the list has no share, the refusal may be about a share that was deleted just now.
      const quietMs = clock.now() - lastDeletedMs;
      if (quietMs > consistencyMs) return undefined;
      return wasDeleting ? 0 : pauseAfter(quietMs, clock.random());
    },
    async () => {
      await deleteOnce(subject, until);
      return true;
    },
  );
}

/**
 * Waits until the shares of the tunnel are gone. Returns true if the list showed one in DELETING.
 * @throws FrontdoorError that names the shares that stay.
 */
async function awaitShares(
  service: Service,
  frontDoor: FrontDoor,
  { id, label }: Subject<WireTunnel>,
  until: Until,
): Promise<boolean> {
  const { ledger, inventory } = frontDoor.shares;
  const shares = await sharesOf(frontDoor, id, until);
  const live = shares.filter(({ status }) => status !== "DELETING");
  const orphans = live.filter((share) => isOrphan(frontDoor, share));
  const others = live.filter((share) => !orphans.includes(share));
  const staying = others.filter((share) => ledger.record("tunnel deleted", share.id) === "refuse");
  if (staying.length > 0) throw stillUsed(frontDoor, label, staying);
  await Promise.all(orphans.map((share) => deleteOrphan(service, frontDoor, share, until)));
  const ends = await Promise.all(others.map((share) => ledger.awaitEnd(share.id, until)));
  const stuck = others.filter((_, at) => ends[at] !== undefined);
  if (stuck.length > 0) throw stillUsed(frontDoor, label, stuck);
  const deleting = shares.filter(({ status }) => status === "DELETING");
  await Promise.all(deleting.map((share) => inventory.wait(share.id, acceptDeleted, until, "delete")));
  return deleting.length > 0;
}
