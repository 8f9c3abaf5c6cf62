import { isAbsent } from "../api/lists";
import type { Named } from "../api/wire";
import { backoff, persist, type Until } from "../time";
import { failed } from "../errors";
import { consistencyMs } from "../waiting/acceptors";
import { notProvenGone } from "../messages";
import type { Kind } from "./service";

/** The resource that a write is for. */
export interface WriteTarget<Wire extends Named> {
  kind: Kind<Wire>;
  /** Undefined for a create. */
  id?: string | undefined;
  /** The tunnels that a share is on now and will be on: a tunnel may accept one change at a time. */
  tunnelIds?: string[];
  /** For the create of a tunnel: reads if its location is free, and true if this run has freed it in the last 30 s. */
  isFreedNow?: () => Promise<boolean>;
}

/** The resource of an operation. */
export interface Subject<Wire extends Named> extends WriteTarget<Wire> {
  id: string;
  /** Names the resource in messages. */
  label: string;
  /** The status in the state; empty for an import. */
  status: string;
}

/** The pause between two proofs. Replicas lag behind by two seconds, so one stale replica cannot give both. */
const apartMs = 6_000;

/**
 * Returns the resource as the service shows it now. Returns undefined only if the service says DELETED, or with enough proofs that it is
 * gone. A proof is a not-found of the service together with a list that lacks the id. Two proofs are enough. A NEW resource may not show
 * for 30 s, so it needs six, which take 30 s. An import needs one, because no state is lost. A deadline that is too short for the proofs
 * is extended.
 * @throws FrontdoorError `failed` if not-found and list keep disagreeing.
 */
export async function find<Wire extends Named>(
  { kind, id, label, status }: Subject<Wire>,
  requested: Until,
): Promise<Wire | undefined> {
  const { clock, calls } = kind;
  const isImport = status === "";
  const proofsNeeded = isImport ? 1 : status === "NEW" ? 6 : 2;
  const until = { ...requested, deadlineMs: Math.max(requested.deadlineMs, clock.now() + proofsNeeded * apartMs) };
  let proofs = 0;
  const found = await persist(
    clock,
    until,
    ({ error, waitedMs }) => {
      if (error || (proofs === 0 && waitedMs > consistencyMs)) return undefined;
      return proofs > 0 ? apartMs : backoff(waitedMs, clock.random());
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
