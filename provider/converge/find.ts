import { isAbsent } from "../api/collection";
import type { Named } from "../api/wire";
import { lagMs } from "../consistency";
import type { WriteTarget } from "./refusal";
import { backoff, persist, type Until } from "../time";
import { failed } from "../errors";
import { notProvenGone } from "../messages";

/** The resource of an operation. */
export interface Subject<Wire extends Named> extends WriteTarget<Wire> {
  id: string;
  /** The status in the state; empty for an import. */
  status: string;
}

/**
 * Returns the resource as the service shows it now. Returns undefined only if the service says DELETED, or if it is absent twice, 30 s
 * apart: absent means a not-found of the service together with a list that lacks the id. One stale replica cannot give both, because it
 * lags by at most 30 s. An import needs one absence, because no state is lost. A deadline that is too short for the second is extended.
 * @throws FrontdoorError `failed` if not-found and list keep disagreeing.
 */
export async function find<Wire extends Named>(
  { kind, id, label, status }: Subject<Wire>,
  requested: Until,
): Promise<Wire | undefined> {
  const { clock, calls } = kind;
  const isImport = status === "";
  const until = { ...requested };
  let isAbsentOnce = false;
  const found = await persist(
    clock,
    until,
    ({ error, waitedMs }) => {
      if (error || (!isAbsentOnce && waitedMs > lagMs)) return undefined;
      return isAbsentOnce ? lagMs : backoff(waitedMs, clock.random());
    },
    async () => {
      const wire = await calls.get(id, until);
      if (wire) return wire.status === "DELETED" ? "gone" : wire;
      const isAbsentNow = await isAbsent(calls, id, until);
      if (isAbsentNow && (isAbsentOnce || isImport)) return "gone";
      isAbsentOnce = isAbsentNow;
      if (isAbsentNow) until.deadlineMs = Math.max(until.deadlineMs, clock.now() + lagMs);
      return undefined;
    },
  );
  if (!found) throw failed(notProvenGone(label));
  return found === "gone" ? undefined : found;
}
