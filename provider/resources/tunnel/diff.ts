import { isAnothers } from "../../operations/answered-id";
import { hasEnded } from "../../api/status";
import { type Planned, UNKNOWN, valueOf } from "../../fields/field";
import { failed } from "../../errors";
import { tunnelRetained } from "../../messages/declared-twice";
import { find } from "../../operations/find";
import type { Service } from "../../service";
import type { Until } from "../../time/clock";
import { claimIdInState } from "../owner";
import type { Diff } from "../lifecycle";
import { isHalfReplaced, reportStaleRecords } from "../stale-records";
import { changedInputs, isStoringChanged, rules, type TunnelInputs, type TunnelOutputs } from "./inputs";
import { tunnelSubject } from "./outputs";
import { refuseIfOccupied } from "./location";

/** Compares a tunnel with the program. Every change replaces it, except that of `storeSampleConfig`. @throws FrontdoorError. */
export async function diffTunnel(
  service: Service,
  id: string,
  olds: TunnelOutputs,
  news: Planned<TunnelInputs>,
  until: Until,
  checkedName: unknown = news.name,
): Promise<Diff> {
  const subject = tunnelSubject(service, id, olds);
  const { ledger, records, declarations } = subject.kind;
  const hasAnothersId = await isAnothers(subject.kind, { ...olds, id }, rules.required, until);
  records.remove(olds.name, id);
  const declared = declarations.named(checkedName);
  if (declared) claimIdInState(subject.kind, id, declared.origin);
  const { updates, moves, replaces } = changedInputs(olds, news);
  if (hasAnothersId) replaces.push("status");
  let isThere = true;
  if (replaces.length === 0 && hasEnded(olds)) {
    const live = await find(subject, until);
    isThere = live !== undefined && live.status !== "DELETED";
    if (!live || hasEnded(live)) replaces.push("status");
  }
  const isFinished = olds.status === "DEPLOYED" && olds.tunnelConfig !== undefined;
  const changes = [...updates, ...replaces].length > 0 || !isFinished;
  const isCreatedFirst = moves.some((key) => valueOf(news, key) !== UNKNOWN);
  if (isCreatedFirst) await refuseIfOccupied(service, { id, olds, news, checkedName, origin: declared?.origin }, until);
  if (declared?.isRetained && replaces.length > 0 && !isCreatedFirst && isThere)
    throw failed(tunnelRetained(subject.label));
  const order = isCreatedFirst ? "create first" : "delete first";
  if (replaces.length > 0) ledger.record("replaced", id, { name: olds.name }, order);
  if (!changes && declared && !(await isHalfReplaced(subject, String(checkedName), until))) {
    ledger.record("confirmed", id);
    reportStaleRecords(subject.kind, service, subject.label, { name: String(checkedName), id });
  }
  const isOfInputs = isFinished && replaces.length === 0 && isStoringChanged(olds, news);
  return { changes, isOfInputs, replaces, deleteBeforeReplace: !isCreatedFirst };
}
