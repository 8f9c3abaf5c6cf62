import type { Named } from "../api/wire";
import { effectMs, lagMs } from "../consistency";
import { isRefused, isUnsent, mayHaveRun, troubleOf } from "../errors";
import type { Context } from "../run/service";
import { backoff, isOver, retryPause } from "../time";
import { Refusals, saysOf, type WriteTarget } from "./refusal";

/** What an operation brings about by one write. */
export interface Goal<Wire extends Named, Done extends object> extends WriteTarget<Wire> {
  /**
   * Reads, and returns the end, or "write" if the write has to be sent, or "wait" if an earlier one may still take effect.
   * @throws FrontdoorError if neither helps.
   */
  look: () => Promise<Done | "write" | "wait">;
  /** Sends the write, and calls `onSend` just before. Returns the end, or undefined if a look has to tell it. @throws FrontdoorError. */
  send: (onSend: () => void) => Promise<Done | undefined>;
  /** After so many lost answers, no other write is sent. */
  mostLost: number;
  /** Called before the refusal of a write is thrown if no write of this goal can have taken effect. */
  onRefused?: () => void;
}

/** A 429 can come after the work, but nothing takes effect after a 429. So one look decides whether to send again. */
const mostLimited = 10;

/** The writes of one goal. */
export class Writes {
  /** The error of the last write, if that write or an earlier one may have taken effect. */
  lastError: Error | undefined;
  /**
   * The time from which no write of this goal can take effect, and from which readings show what they did. -Infinity: none has been sent,
   * or a refusal proves that none took effect. Infinity: the service has accepted one, and no other is sent.
   */
  settledFromMs = -Infinity;
  /** The numbers of lost answers, and of 429s and unsent POSTs. */
  lostCount = 0;
  limitedCount = 0;

  /** True if a write may take effect or has done so. */
  get isSent(): boolean {
    return this.settledFromMs > -Infinity;
  }

  /** Records that the answer to the last write says nothing about it. */
  noteLost(error: unknown, nowMs: number): void {
    this.settledFromMs = Math.max(this.settledFromMs, nowMs + lagMs);
    this.lostCount += 1;
    this.lastError = error as Error;
  }
}

/**
 * The loop of every POST, PUT, PATCH and DELETE: looks, sends, and looks again until the goal is reached or the deadline has passed. No write
 * is sent again without a look: a clear refusal is explained by readings of its own (`Refusals`). @throws FrontdoorError of the last write.
 */
export async function converge<Wire extends Named, Done extends object>(
  goal: Goal<Wire, Done>,
  writes: Writes,
  context: Context,
): Promise<Done> {
  const { clock } = goal.kind;
  const startedMs = clock.now();
  let refusals: Refusals<Wire> | undefined;
  for (;;) {
    // `Refusals` has read after a clear refusal. If an earlier write can have taken effect, only a look can tell.
    const step = refusals && !writes.lastError ? "write" : await goal.look();
    if (typeof step === "object") return step;
    if (step === "wait") {
      const pauseMs = backoff(clock.now() - startedMs, clock.random());
      await clock.sleep(Math.min(pauseMs, context.deadlineMs - clock.now()), context.signal);
      continue;
    }
    if (writes.lastError && (writes.lostCount >= goal.mostLost || isOver(clock, context))) throw writes.lastError;
    const sentMs = clock.now();
    const { done, refusal } = await sendOnce(goal, writes, context);
    if (done) return done;
    if (refusal === undefined) {
      refusals = undefined;
      continue;
    }
    refusals ??= new Refusals(goal, sentMs, context);
    await refusals.pause(refusal).catch((explained: unknown) => {
      if (!writes.lastError && troubleOf(refusal)?.kind === "refused") goal.onRefused?.();
      throw explained;
    });
  }
}

/** Sends the write. Returns the end, or the refusal, or nothing if a look has to tell. @throws the error if no other write can follow. */
async function sendOnce<Wire extends Named, Done extends object>(
  goal: Goal<Wire, Done>,
  writes: Writes,
  context: Context,
): Promise<{ done?: Done | undefined; refusal?: unknown }> {
  const { kind, id, tunnelIds = [] } = goal;
  const { clock } = kind;
  const { settledFromMs } = writes;
  // For 30 s, lists can lack what an earlier POST has created, and the service can refuse this POST because of that.
  const hiddenUntilMs = id === undefined ? settledFromMs + lagMs : -Infinity;
  const isHidden = clock.now() < hiddenUntilMs;
  try {
    const done = await goal.send(() => {
      writes.settledFromMs = clock.now() + effectMs(context.service.config.requestTimeoutMs);
    });
    if (id !== undefined) kind.view.noteWrite(id, tunnelIds);
    return { done };
  } catch (error) {
    if (isRefused(error, 429) || (id === undefined && isUnsent(error)))
      await afterLimited(goal, error, writes, context);
    else if (mayHaveRun(error)) {
      writes.noteLost(error, clock.now() + kind.pauseMs());
      if (writes.lostCount > goal.mostLost || clock.now() + kind.pauseMs() >= context.deadlineMs) throw error;
    } else {
      writes.settledFromMs = settledFromMs;
      if (!isHidden || saysOf(error, kind.destination) === "for good") return { refusal: error };
      writes.lastError = error as Error;
      await clock.sleep(Math.min(hiddenUntilMs, context.deadlineMs) - clock.now(), context.signal);
    }
    return {};
  }
}

/** Pauses after a 429, or a POST that was not sent. @throws the error if no other write can follow. */
async function afterLimited<Wire extends Named>(
  { kind, mostLost }: Goal<Wire, object>,
  error: unknown,
  writes: Writes,
  { deadlineMs, signal }: Context,
): Promise<void> {
  // The client has repeated a DELETE.
  if (mostLost === 0) throw error;
  const { clock } = kind;
  writes.limitedCount += 1;
  writes.settledFromMs = clock.now();
  writes.lastError = error as Error;
  const pauseMs = Math.max(kind.pauseMs(), retryPause(writes.limitedCount, clock.random()));
  if (writes.limitedCount >= mostLimited || clock.now() + pauseMs >= deadlineMs) throw error;
  await clock.sleep(pauseMs, signal);
}
