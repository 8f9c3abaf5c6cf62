import { isAnothers } from "../../operations/answered-id";
import { isBare } from "../../api/wire";
import { find } from "../../operations/find";
import type { Service } from "../../service";
import type { Until } from "../../time/clock";
import { rules, type ShareOutputs } from "./inputs";
import { shareSubject } from "./outputs";

/** Returns the share as the service shows it, or undefined if the service has proved that it is gone. @throws FrontdoorError. */
export async function readShare(
  service: Service,
  id: string,
  olds: ShareOutputs,
  until: Until,
): Promise<ShareOutputs | undefined> {
  const subject = shareSubject(service, id, olds);
  const { records, inventory } = subject.kind;
  if (await isAnothers(subject.kind, { ...olds, id }, rules.required, until)) return undefined;
  records.remove(olds.name, id);
  const listed = await inventory.entry(id, until);
  const showsAllFields = listed && listed.status !== "DELETED" && !rules.isPartial(listed, olds);
  const wire = showsAllFields ? listed : await find(subject, until);
  // A share that is being deleted need not show its fields.
  return wire && (isBare(wire) ? { ...olds, status: wire.status } : rules.outputsOf(wire, olds));
}
