import type { Named } from "../api/types";
import { isBare } from "../api/wire";
import type { Shown } from "../fields/rules";
import { acceptDeployed, consistencyMs } from "../inventory/acceptors";
import type { Acceptor, Waited } from "../inventory/poller";
import { hashOf } from "../ledger/creation-records";
import type { Kind } from "../service";
import type { Until } from "../time/clock";

// A service or a gateway can mix up two answers. So the id in an answer to a create counts only once a read shows the required values
// that were sent, in whatever spelling.

/** The result of the reads of an answered id. `late`: they have shown nothing for 30 s. `none`: nothing, and the wait ended earlier. */
type Proof = "own" | "another's" | "late" | "none";

/** Waits until an answered id is DEPLOYED, or is another resource's, or does not show. Calls `onOwn` with the first read that proves it. */
export async function awaitAnswered<Wire extends Named>(
  { inventory }: Kind<Wire>,
  id: string,
  shownIn: (seen: Wire) => Shown,
  onOwn: () => void,
  until: Until,
): Promise<{ proof: Proof; waited: Waited<Wire, Wire> }> {
  const found: { proof: Proof } = { proof: "none" };
  const accept: Acceptor<Wire, Wire> = (seen, { waitedMs }) => {
    if (found.proof === "own") return acceptDeployed(seen);
    const shown = seen && shownIn(seen);
    if (shown === "all") {
      found.proof = "own";
      onOwn();
    } else if (shown === "others") found.proof = "another's";
    else if (!seen && waitedMs > consistencyMs) found.proof = "late";
    const isLookedFor = found.proof === "another's" || found.proof === "late";
    return isLookedFor ? { now: "failed", reason: "not shown by the service" } : acceptDeployed(seen);
  };
  const waited = await inventory.wait(id, accept, until, "create");
  return { ...found, waited };
}

/**
 * True if the state has the id only because an answer to a create named it, and a read shows that it is another resource. If the read shows
 * the resource that was sent, the record names its id from then on. @throws FrontdoorError.
 */
export async function isAnothers<Wire extends Named>(
  { records, calls }: Kind<Wire>,
  { id, name }: Pick<Named, "id" | "name">,
  required: (from: object) => unknown[],
  until: Until,
): Promise<boolean> {
  const record = records.under(name);
  if (record?.answered !== id) return false;
  const live = await calls.get(id, until);
  // A resource that is being deleted need not show its fields.
  if (!live || isBare(live)) return false;
  if (hashOf(required(live)) !== record.required) return true;
  records.prove(name);
  return false;
}
