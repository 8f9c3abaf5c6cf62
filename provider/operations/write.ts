import { mayHaveRun } from "../api/collection";
import type { Named } from "../api/wire";
import { isRefused } from "../errors";
import { persist, type Until } from "../time";
import { acceptWritten, consistencyMs, type Evidence } from "../waiting/acceptors";
import type { Subject } from "./find";
import { retryWhileBusy } from "./refusals";

const mostTries = 5;
/** A 429 says that nothing has happened. */
const mostLimitedTries = 10;

/** A POST can take effect this long after its request has ended. */
export const lateEffectMs = 12_000;

/** The error of a write that the service has not accepted. */
interface WriteFailure {
  error: unknown;
  /** True if a send can have taken effect: then the state must not say that nothing happened. */
  canHaveEffect: boolean;
}

/**
 * Sends a PUT or PATCH so that it happens once, because each accepted one recreates the share. After a lost answer, such as a 503, the
 * provider polls for 30 s, because reads can lag behind, and longer by a pause that the service asks for. It sends the write again only after a read that does not show
 * the evidence. A pause that outlasts the deadline ends the write. Returns undefined if the service has accepted the write.
 */
export async function writeOnce<Wire extends Named>(
  subject: Subject<Wire>,
  send: () => Promise<void>,
  evidence: Evidence<Wire>,
  until: Until,
): Promise<WriteFailure | undefined> {
  const { kind, id } = subject;
  const { clock, inventory } = kind;
  const { isById } = evidence;
  const write = new Write(subject, send, evidence, until);
  let tries = 0;
  let pauseMs = 0;
  let failure: WriteFailure | undefined;
  /** Returns the end, or undefined if the write may be sent again. */
  const attempt = async (): Promise<{ failure?: WriteFailure } | undefined> => {
    tries += 1;
    pauseMs = 0;
    try {
      await retryWhileBusy(subject, () => write.sendAfterRead(), until);
      return {};
    } catch (error) {
      failure = { error, canHaveEffect: write.canHaveEffect };
      const isLimited = isRefused(error, 429);
      const isRepeated = isLimited ? tries < mostLimitedTries : mayHaveRun(error) && tries < mostTries;
      const pauseEndsMs = clock.now() + kind.pauseMs();
      if (!isRepeated || pauseEndsMs >= until.deadlineMs) return { failure };
      if (isLimited) {
        pauseMs = Math.max(kind.pauseMs(), 500 * tries * (0.5 + clock.random() / 2));
        return undefined;
      }
      const deadlineMs = Math.min(until.deadlineMs, pauseEndsMs + consistencyMs);
      const ended = await inventory.wait(id, acceptWritten(evidence), { ...until, deadlineMs }, undefined, isById);
      return ended.now === "done" ? {} : undefined;
    }
  };
  const end = (await persist(clock, until, () => pauseMs, attempt)) ?? { failure };
  return end.failure;
}

/** A write of which each send but the first follows a read that succeeded. */
class Write<Wire extends Named> {
  canHaveEffect = false;
  private last: { error: unknown } | undefined;

  constructor(
    private readonly subject: Subject<Wire>,
    private readonly send: () => Promise<void>,
    private readonly evidence: Evidence<Wire>,
    private readonly until: Until,
  ) {}

  /** Returns without a send if the read proves an earlier one. @throws the error of the last send, also if the read fails. */
  async sendAfterRead(): Promise<void> {
    if (this.last && (await this.isProved(this.last.error))) return;
    try {
      await this.send();
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
