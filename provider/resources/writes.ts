import { mayHaveRun } from "../api/collection";
import type { Named } from "../api/types";
import { isOver, type Until } from "../time/clock";
import { failed, FrontdoorError, isConflict } from "../errors";
import { persist } from "../time/persist";
import { pauseAfter } from "../time/ticks";
import type { Acceptor as Judge } from "../inventory/poller";
import { whenAccepted, type Written } from "./accepted";
import { lostAnswerMs } from "./create";
import { judgeDeleted, consistencyMs } from "./judge";

const mostTries = 5;
/** A replica that lags behind was seen to do so for two seconds: three times as long tells it from what is gone. */
const apartMs = 6_000;

/** Whether a delete is of what this run holds: the engine asks for it under an older URN. It is told and not done. */
export function skipsDelete<Wire extends Named>(
  { kind, id, label }: Subject<Wire>,
  { say }: { say: (line: string) => void },
): boolean {
  const isHeld = kind.claims.isHeldInRun(id);
  if (isHeld) say(`${label}: not deleted: it belongs to another resource of the program now`);
  return isHeld;
}

/** Which resource a step is about, and what is known of it. */
export interface Subject<Wire extends Named> extends Written<Wire> {
  id: string;
  /** How messages call it. */
  label: string;
  /** Status in the state: a NEW one may not be shown yet, so its absence has to last before it counts. */
  status: string;
}

/**
 * The resource as the service shows it now; undefined only when it is proven to be gone: the service's own DELETED, or its own
 * not-found together with a list of a front door that answers and does not hold it either, both once more six seconds later, and
 * five times for a NEW one, which may not be shown yet. A deadline that is too short for this proof is stretched: else what is gone
 * could never be deleted under it.
 * @throws FrontdoorError `failed` when the two keep disagreeing.
 */
export async function find<Wire extends Named>(
  { kind, id, label, status }: Subject<Wire>,
  asked: Until,
): Promise<Wire | undefined> {
  const { clock } = kind;
  const looksWanted = 1 + (status === "NEW" ? consistencyMs : apartMs) / apartMs;
  const until = { ...asked, deadlineMs: Math.max(asked.deadlineMs, clock.now() + looksWanted * apartMs) };
  let absent = 0;
  const found = await persist(
    clock,
    until,
    ({ error, waitedMs }) => {
      if (error || (absent === 0 && waitedMs > consistencyMs)) return undefined;
      return absent > 0 ? apartMs : pauseAfter(waitedMs, clock.random());
    },
    async () => {
      const wire = await kind.calls.get(id, until);
      if (wire) return wire.status === "DELETED" ? "gone" : wire;
      absent = (await kind.calls.isGone(id, until)) ? absent + 1 : 0;
      return absent >= looksWanted ? "gone" : undefined;
    },
  );
  if (found) return found === "gone" ? undefined : found;
  const what = "the service does not show it, but has not proven that it is gone";
  throw failed(`${label}: ${what}; nothing was changed, try again later`);
}

/**
 * Sends a PUT or PATCH so that it happens once: where its answer was lost, it is sent again only after a while in which
 * nothing shows that it has happened (each one accepted recreates the share, which is an outage).
 * @throws FrontdoorError.
 */
export async function writeOnce<Wire extends Named>(
  subject: Subject<Wire>,
  send: () => Promise<void>,
  hasHappened: Judge<Wire, unknown>,
  until: Until,
): Promise<void> {
  const { kind, id } = subject;
  const { clock } = kind;
  for (let tries = 1; ; tries++) {
    try {
      await whenAccepted(subject, send, until);
      return;
    } catch (error) {
      if (!mayHaveRun(error) || tries >= mostTries) throw error;
      const deadlineMs = Math.min(until.deadlineMs, clock.now() + lostAnswerMs);
      const ended = await kind.inventory.wait(id, hasHappened, { ...until, deadlineMs });
      if (ended.now === "done") return;
      if (isOver(clock, until)) throw error;
    }
  }
}

/** Deletes and waits until it is gone; already gone is success. A record of it stays until the engine has been told. @throws FrontdoorError. */
export async function remove<Wire extends Named>(subject: Subject<Wire>, until: Until): Promise<void> {
  const { kind, id, label } = subject;
  const { clock } = kind;
  let isRepeated = false;
  const send = () => {
    let isFirst = true;
    return kind.calls.remove(id, until, () => {
      isRepeated ||= !isFirst;
      isFirst = false;
      kind.deletes.note(id);
    });
  };
  for (let tries = 1; ; tries++) {
    const isNotFound = await whenAccepted(subject, send, until)
      .catch((error: unknown) => isGone(subject, error, until))
      .catch((error: unknown) => {
        // If an answer was lost before, the refusal can come from the delete that it was the answer to.
        if (!mayHaveRun(error) && !isRepeated) kind.deletes.forget(id);
        throw error;
      });
    if (!isNotFound) break;
    const seen = await find(subject, until);
    if (!seen) return;
    if (seen.status === "DELETING" || tries >= mostTries || isOver(clock, until)) break;
    // Not found for the delete, but there: a replica that lags behind, or a gateway.
    await clock.sleep(pauseAfter(0, clock.random()), until.signal);
  }
  const ended = await kind.inventory.wait(id, judgeDeleted, until, "delete");
  kind.calls.changed();
  if (ended.now === "done") return;
  const next =
    'it stays in the state; run "pulumi up" or "pulumi destroy" again (a delete takes the customTimeouts of the last create or update)';
  throw new FrontdoorError(`${label}: delete: ${ended.reason}; ${next}`, { kind: ended.why });
}

/** A delete that is refused since it has happened already is none: true where it is gone, false where it is going. */
async function isGone<Wire extends Named>({ kind, id }: Subject<Wire>, error: unknown, until: Until): Promise<boolean> {
  if (!isConflict(error)) throw error;
  const seen = await kind.calls.get(id, until);
  if (!seen || seen.status === "DELETED") return true;
  if (seen.status === "DELETING") return false;
  throw error;
}
