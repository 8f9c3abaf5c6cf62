import type { Collection } from "../api/collection";
import type { Named } from "../api/types";
import type { Until } from "../time/clock";
import { failed } from "../errors";
import { consistencyMs } from "../inventory/acceptors";
import { notProvenGone } from "../messages/messages";
import { persist } from "../time/persist";
import { pauseAfter } from "../time/ticks";
import type { Written } from "./retry-while-busy";

/** The resource of an operation, with its status in the state. */
export interface Subject<Wire extends Named> extends Written<Wire> {
  id: string;
  /** Names the resource in messages. */
  label: string;
  /** The status in the state. */
  status: string;
}

/** A replica was seen to lag behind for two seconds. Waiting three times as long rules out a stale replica. */
const apartMs = 6_000;

/**
 * Returns the resource as the service shows it now. Returns undefined only with proof that it is gone: the service's DELETED, or its own
 * not-found together with a list that lacks the id, both twice, six seconds apart. For a NEW resource, which may not show yet, six times.
 * For an import, once: no state is lost.
 * A deadline that is too short for the proof is extended. @throws FrontdoorError `failed` if not-found and list keep disagreeing.
 */
export async function find<Wire extends Named>(
  { kind, id, label, status }: Subject<Wire>,
  requested: Until,
): Promise<Wire | undefined> {
  const { clock, calls } = kind;
  const isImport = status === "";
  const proofsNeeded = isImport ? 1 : 1 + (status === "NEW" ? consistencyMs : apartMs) / apartMs;
  const until = { ...requested, deadlineMs: Math.max(requested.deadlineMs, clock.now() + proofsNeeded * apartMs) };
  let proofs = 0;
  const found = await persist(
    clock,
    until,
    ({ error, waitedMs }) => {
      if (error || (proofs === 0 && waitedMs > consistencyMs)) return undefined;
      return proofs > 0 ? apartMs : pauseAfter(waitedMs, clock.random());
    },
    async () => {
      const wire = await calls.get(id, until);
      if (wire) return wire.status === "DELETED" ? "gone" : wire;
      proofs = (await isAbsent(calls, id, until)) ? proofs + 1 : 0;
      return proofs >= proofsNeeded ? "gone" : undefined;
    },
  );
  if (!found) throw failed(notProvenGone(label));
  return found === "gone" ? undefined : found;
}

/** True if a whole list lacks the id, or shows it as DELETED. A list that may lack entries proves nothing. @throws FrontdoorError. */
export async function isAbsent<Wire extends Named>(
  calls: Collection<Wire>,
  id: string,
  until: Until,
): Promise<boolean> {
  const { entries, ids, isWhole } = await calls.listWhole([["id", id]], until);
  return (isWhole && !ids.has(id)) || entries.some((entry) => entry.id === id && entry.status === "DELETED");
}
