import { isAnothers } from "../../operations/answered-id";
import { anothersInState } from "../../messages/answers";
import { failed } from "../../errors";
import { replacementNeeded } from "../../messages/messages";
import { find } from "../../operations/find";
import type { Service } from "../../service";
import type { Until } from "../../time/clock";
import type { Outcome } from "../lifecycle";
import { reportStaleRecords } from "../stale-records";
import { changedInputs, rules, type TunnelInputs, type TunnelOutputs } from "./inputs";
import { deployedTunnel, tunnelSubject, unfinishedTunnel } from "./outputs";

/**
 * Resumes a wait that was cut short, and fetches or drops the sample configuration. The service has no tunnel update.
 * `pulumi do --stateless … patch` sends every change as an update. @throws FrontdoorError `failed` if it needs a replacement.
 */
export async function updateTunnel(
  service: Service,
  id: string,
  olds: TunnelOutputs,
  news: TunnelInputs,
  until: Until,
): Promise<Outcome<TunnelOutputs>> {
  const subject = tunnelSubject(service, id, olds);
  const { replaces } = changedInputs(olds, news);
  if (replaces.length > 0) throw failed(replacementNeeded(subject.label, replaces));
  if (await isAnothers(subject.kind, { ...olds, id }, rules.required, until))
    throw failed(anothersInState(subject.label));
  subject.kind.ledger.record("acquired", id);
  subject.kind.records.remove(olds.name, id);
  reportStaleRecords(subject.kind, service, subject.label, { name: news.name, id });
  if (await find(subject, until)) return deployedTunnel(service, id, news, olds, until);
  return unfinishedTunnel(id, { ...olds, status: "DELETED" }, "failed", "it no longer exists");
}
