import { mayHaveRun } from "../api/collection";
import type { Named } from "../api/types";
import { type Evidence, acceptWritten } from "../inventory/acceptors";
import { isOver, type Until } from "../time/clock";
import { type Subject } from "./find";
import { retryWhileBusy } from "./retry-while-busy";

const mostTries = 5;

/** A write can take effect this long after its request has ended. */
export const lateEffectMs = 12_000;

/**
 * Sends a PUT or PATCH so that it happens once, because each accepted one recreates the share. After a lost answer, such as a 503, the
 * provider polls for 12 s. It sends the write again only if the evidence has not shown by then, at most five times in all.
 * @throws FrontdoorError of the last try.
 */
export async function writeOnce<Wire extends Named>(
  subject: Subject<Wire>,
  send: () => Promise<void>,
  evidence: Evidence<Wire>,
  until: Until,
): Promise<void> {
  const { kind, id } = subject;
  const { clock, inventory } = kind;
  for (let tries = 1; ; tries++) {
    try {
      await retryWhileBusy(subject, send, until);
      return;
    } catch (error) {
      if (!mayHaveRun(error) || tries >= mostTries) throw error;
      const deadlineMs = Math.min(until.deadlineMs, clock.now() + lateEffectMs);
      const ended = await inventory.wait(id, acceptWritten(evidence), { ...until, deadlineMs });
      if (ended.now === "done") return;
      if (isOver(clock, until)) throw error;
    }
  }
}
