import type { Named } from "../api/wire";
import type { Context } from "../run/service";
import { isOver } from "../time";
import { acceptWritten, type Evidence } from "../view/acceptors";
import { converge, Writes } from "./converge";
import type { Subject } from "./find";

const mostWrites = 5;

/** The error of a write that the service has not accepted. */
interface WriteFailure {
  error: unknown;
  /** True if a send can have taken effect: then the state must not say that nothing happened. */
  canHaveEffect: boolean;
}

/** A PUT or PATCH, and the evidence that it has taken effect. */
interface Update<Wire> {
  send: (onSend: () => void) => Promise<void>;
  evidence: Evidence<Wire>;
}

/**
 * Sends a PUT or PATCH so that it happens once, because each accepted one recreates the share. After a lost answer, such as a 503, the
 * provider polls until the write can no longer take effect, for at least 30 s, because reads can lag behind, and longer by a pause that the
 * service asks for. It sends the write again only after a read that does not show the evidence. A pause that outlasts the deadline ends the
 * write. Returns undefined if the service has accepted the write.
 */
export async function writeOnce<Wire extends Named>(
  subject: Subject<Wire>,
  { send, evidence }: Update<Wire>,
  context: Context,
): Promise<WriteFailure | undefined> {
  const { kind, id } = subject;
  const accept = acceptWritten(evidence);
  const writes = new Writes();
  const accepted = {};
  const look = async () => {
    const { lastError, settledFromMs } = writes;
    if (!lastError) return "write";
    if (kind.clock.now() < settledFromMs) {
      const until = { ...context, deadlineMs: Math.min(context.deadlineMs, settledFromMs) };
      const ended = await kind.view.wait(id, accept, until, { isById: evidence.isById });
      if (ended.now === "done") return accepted;
      // An error has ended the wait.
      if (!isOver(kind.clock, until)) return "wait";
    }
    const seen = await kind.calls.get(id, context).catch(() => {
      throw lastError;
    });
    const history = { waitedMs: 0, statuses: new Set(seen && [seen.status]) };
    if (accept(seen, history).now === "done") return accepted;
    // A write that was limited has done nothing.
    if (writes.lostCount === 0) writes.lastError = undefined;
    return "write";
  };
  const goal = {
    ...subject,
    mostLost: mostWrites,
    look,
    send: (onSend: () => void) => send(onSend).then(() => accepted),
  };
  return converge(goal, writes, context).then(
    () => undefined,
    (error: unknown) => ({ error, canHaveEffect: writes.lastError !== undefined }),
  );
}
