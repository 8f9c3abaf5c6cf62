import type { Named } from "../api/wire";
import { effectMs, lagMs } from "../consistency";
import { retryRefused } from "../converge/refusal";
import { isRefused, mayHaveRun } from "../errors";
import { persist, retryPause } from "../time";
import { acceptWritten, type Evidence } from "../view/acceptors";
import type { Subject } from "./find";
import type { Context } from "./service";

const mostTries = 5;
/** A 429 can come after the work, but nothing takes effect after a 429. So one read decides whether to send again. */
export const mostLimitedTries = 10;

/** The error of a write that the service has not accepted. */
interface WriteFailure {
  error: unknown;
  /** True if a send can have taken effect: then the state must not say that nothing happened. */
  canHaveEffect: boolean;
}

/**
 * Sends a PUT or PATCH so that it happens once, because each accepted one recreates the share. After a lost answer, such as a 503, the
 * provider polls until the write can no longer take effect, for at least 30 s, because reads can lag behind, and longer by a pause that the
 * service asks for. It sends the write again only after a read that does not show the evidence. A pause that outlasts the deadline ends the
 * write. Returns undefined if the service has accepted the write.
 */
export async function writeOnce<Wire extends Named>(
  subject: Subject<Wire>,
  send: (onSend: () => void) => Promise<void>,
  evidence: Evidence<Wire>,
  until: Context,
): Promise<WriteFailure | undefined> {
  const { kind, id } = subject;
  const { clock, view } = kind;
  const { isById } = evidence;
  const write = new GuardedWrite(subject, send, evidence, until);
  let tries = 0;
  let pauseMs = 0;
  let failure: WriteFailure | undefined;
  /** Returns the end, or undefined if the write may be sent again. */
  const attempt = async (): Promise<{ failure?: WriteFailure } | undefined> => {
    tries += 1;
    pauseMs = 0;
    try {
      await retryRefused(subject, () => write.sendAfterRead(), until);
      return {};
    } catch (error) {
      failure = { error, canHaveEffect: write.canHaveEffect };
      const isLimited = isRefused(error, 429);
      const isRepeated = isLimited ? tries < mostLimitedTries : mayHaveRun(error) && tries < mostTries;
      const pauseEndsMs = clock.now() + kind.pauseMs();
      if (!isRepeated || pauseEndsMs >= until.deadlineMs) return { failure };
      if (isLimited) {
        pauseMs = Math.max(kind.pauseMs(), retryPause(tries, clock.random()));
        return undefined;
      }
      const deadlineMs = Math.min(until.deadlineMs, Math.max(pauseEndsMs + lagMs, write.settledFromMs));
      const ended = await view.wait(id, acceptWritten(evidence), { ...until, deadlineMs }, { isById });
      return ended.now === "done" ? {} : undefined;
    }
  };
  const end = (await persist(clock, until, () => pauseMs, attempt)) ?? { failure };
  return end.failure;
}

/** A write of which each send but the first follows a read that succeeded. */
class GuardedWrite<Wire extends Named> {
  canHaveEffect = false;
  /** The time from which no send can take effect any more. */
  settledFromMs = -Infinity;
  private last: { error: unknown } | undefined;

  constructor(
    private readonly subject: Subject<Wire>,
    private readonly send: (onSend: () => void) => Promise<void>,
    private readonly evidence: Evidence<Wire>,
    private readonly until: Context,
  ) {}

  /** Returns without a send if the read proves an earlier one. @throws the error of the last send, also if the read fails. */
  async sendAfterRead(): Promise<void> {
    if (this.last && (await this.isProved(this.last.error))) return;
    try {
      await this.send(() => {
        this.settledFromMs = this.subject.kind.clock.now() + effectMs(this.until.service.config.requestTimeoutMs);
      });
    } catch (error) {
      this.last = { error };
      this.canHaveEffect ||= mayHaveRun(error) || isRefused(error, 429);
      throw error;
    }
  }

  private async isProved(last: unknown): Promise<boolean> {
    const { kind, id } = this.subject;
    const seen = await kind.calls.get(id, this.until).catch(() => {
      throw last;
    });
    const history = { waitedMs: 0, statuses: new Set(seen && [seen.status]) };
    return this.canHaveEffect && acceptWritten(this.evidence)(seen, history).now === "done";
  }
}
