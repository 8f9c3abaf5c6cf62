import { isAnothers } from "../../operations/answered-id";
import { anothersInState } from "../../messages/answers";
import { ownedByOther } from "../../messages/messages";
import { deleteOnce } from "../../operations/delete";
import type { Service } from "../../service";
import type { Until } from "../../time/clock";
import { rules, type ShareOutputs } from "./inputs";
import { shareSubject } from "./outputs";
import { refuseIfUsed } from "./users";

/** Deletes a share and waits until it is gone. A share that this run owns is skipped with a message. @throws FrontdoorError. */
export async function deleteShare(service: Service, id: string, olds: ShareOutputs, until: Until): Promise<void> {
  const frontDoor = service.frontDoor(olds.frontdoorId);
  const { ledger, records } = frontDoor.shares;
  const { name, ipsecTunnelId: tunnelId, ingressPort } = olds;
  const subject = shareSubject(service, id, olds);
  if (await isAnothers(frontDoor.shares, { id, name }, rules.required, until)) {
    service.say(anothersInState(subject.label));
    return;
  }
  // The diff of the share has made it leaving, because Pulumi replaces its tunnel.
  const isForTunnel = ledger.stateOf(id) === "leaving";
  if (ledger.record("deleted", id, { name, tunnelId, ingressPort }) === "skip") {
    service.say(ownedByOther(subject.label));
    return;
  }
  await ledger.during(id, async () => {
    if (isForTunnel) await refuseIfUsed(frontDoor, tunnelId, until);
    await deleteOnce(subject, until);
  });
  records.remove(name, id);
}
