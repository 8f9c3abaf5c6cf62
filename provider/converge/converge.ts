import { isAbsent } from "../api/collection";
import type { Named } from "../api/wire";
import { effectMs, lagMs } from "../consistency";
import { failed, FrontdoorError, isConflict, isRefused, isUnsent, mayHaveRun, troubleOf } from "../errors";
import { notDeleted, notProvenGone, seenElsewhere } from "../messages";
import type { Context } from "../run/service";
import { backoff, isOver, persist, retryPause, type Until } from "../time";
import { acceptDeleted, acceptWritten, type Evidence } from "../view/acceptors";
import { Refusals, saysOf, type WriteTarget } from "./refusal";

/** What an operation brings about by one write. */
export interface Goal<Wire extends Named, Done extends object> extends WriteTarget<Wire> {
  /**
   * Reads, and returns the end, or "write" if the write has to be sent, or "wait" if an earlier one may still take effect.
   * @throws FrontdoorError if neither helps.
   */
  look: () => Promise<Done | "write" | "wait">;
  /**
   * Sends the write, and calls `onSend` just before. Returns the end, or undefined if a look has to tell it. A create also waits until the
   * id of the answer is DEPLOYED. @throws FrontdoorError.
   */
  send: (onSend: () => void) => Promise<Done | undefined>;
  /** After so many lost answers, no other write is sent. */
  mostLost: number;
  /** Called before the refusal of a write is thrown if no write of this goal can have taken effect. */
  onRefused?: () => void;
}

/** A request may be carried out before its 429, but never after it: one look decides whether to send again. */
const mostLimited = 10;
/** A PUT or PATCH whose answer is lost, or a DELETE that the service answers with not-found, is sent so often. */
const mostSends = 5;

/** The writes of one goal. */
export class Writes {
  /** The error of the last write, if that write or an earlier one may have taken effect. */
  lastError: Error | undefined;
  /**
   * No write of this goal takes effect after this time. -Infinity: there was none, or each was clearly refused. Infinity: the service has
   * accepted one, and no other is sent.
   */
  quietFromMs = -Infinity;
  /** The numbers of lost answers, and of 429s and unsent POSTs. */
  lostCount = 0;
  limitedCount = 0;

  /** True once a write was sent that was not clearly refused. A 429 is no clear refusal. */
  get isSent(): boolean {
    return this.quietFromMs > -Infinity;
  }

  /** Records that the answer to the last write says nothing about it. */
  noteLost(error: unknown, nowMs: number): void {
    this.quietFromMs = Math.max(this.quietFromMs, nowMs + lagMs);
    this.lostCount += 1;
    this.lastError = error as Error;
  }
}

/**
 * The loop of every POST, PUT, PATCH and DELETE: looks, sends, and looks again until the goal is reached or the deadline has passed. No write
 * is sent again without a look: a clear refusal is explained by readings of its own (`Refusals`). Only the HTTP client itself repeats a DELETE,
 * and a PUT or PATCH that reached nothing. @throws FrontdoorError of the last write.
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
    // `Refusals` has read after the last write. A look is needed only if an earlier write may have taken effect.
    const hasRead = refusals !== undefined && !writes.lastError;
    const step = hasRead ? "write" : await goal.look();
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
  const { quietFromMs } = writes;
  // For 30 s, lists can lack what an earlier POST has created, and the service can refuse this POST because of that.
  const unlistedUntilMs = id === undefined ? quietFromMs + lagMs : -Infinity;
  const mayBeUnlisted = clock.now() < unlistedUntilMs;
  try {
    const done = await goal.send(() => {
      writes.quietFromMs = clock.now() + effectMs(context.service.config.requestTimeoutMs);
    });
    if (id !== undefined) kind.view.noteWrite(id, tunnelIds);
    return { done };
  } catch (error) {
    if (isRefused(error, 429) || (id === undefined && isUnsent(error)))
      await afterLimited(goal, error, writes, context);
    else if (mayHaveRun(error)) {
      writes.noteLost(error, clock.now() + kind.pauseMs());
      // The client has repeated a DELETE.
      if (goal.mostLost === 0 || clock.now() + kind.pauseMs() >= context.deadlineMs) throw error;
    } else {
      writes.quietFromMs = quietFromMs;
      if (!mayBeUnlisted || saysOf(error, kind.destination) === "for good") return { refusal: error };
      writes.lastError = error as Error;
      await clock.sleep(Math.min(unlistedUntilMs, context.deadlineMs) - clock.now(), context.signal);
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
  writes.quietFromMs = clock.now();
  writes.lastError = error as Error;
  const pauseMs = Math.max(kind.pauseMs(), retryPause(writes.limitedCount, clock.random()));
  if (writes.limitedCount >= mostLimited || clock.now() + pauseMs >= deadlineMs) throw error;
  await clock.sleep(pauseMs, signal);
}

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
 * @throws FrontdoorError `failed` if not-found and list keep disagreeing, or if the state has seen the resource at another address.
 */
export async function find<Wire extends Named>(
  { kind, id, label, status }: Subject<Wire>,
  requested: Context,
): Promise<Wire | undefined> {
  const { clock, calls } = kind;
  const isImport = status === "";
  // `persist` reads the deadline before each pause, so the wait can be extended below.
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
  if (found !== "gone") return found;
  const { service, seenElsewhere: there } = requested;
  if (there !== undefined) throw failed(seenElsewhere(label, service.config.baseUrl, there));
  return undefined;
}

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
    const { lastError, quietFromMs } = writes;
    if (!lastError) return "write";
    if (kind.clock.now() < quietFromMs) {
      const until = { ...context, deadlineMs: Math.min(context.deadlineMs, quietFromMs) };
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
    mostLost: mostSends,
    look,
    send: (onSend: () => void) => send(onSend).then(() => accepted),
  };
  return converge(goal, writes, context).then(
    () => undefined,
    (error: unknown) => ({ error, canHaveEffect: writes.lastError !== undefined }),
  );
}

/** Deletes the resource and waits until it is gone. Succeeds if it is gone already. @throws FrontdoorError. */
export async function deleteOnce<Wire extends Named>(subject: Subject<Wire>, context: Context): Promise<void> {
  const { kind, id, label } = subject;
  const { clock, calls, view } = kind;
  /** How often the service has said that there is nothing to delete. A stale replica or a gateway can say so. */
  let reports = 0;
  let isAgain = subject.status === "DELETING";
  const look = async () => {
    if (reports === 0) return "write";
    const seen = await find(subject, context);
    if (!seen || seen.status === "DELETING") return { isGone: !seen };
    // No delete has been accepted, so a wait could only end with a stale read.
    if (reports >= mostSends || isOver(clock, context))
      throw failed(notDeleted(label, "Frontdoor answers that the resource does not exist, but still shows it", id));
    await clock.sleep(backoff(0, clock.random()), context.signal);
    return "write";
  };
  const send = async () => {
    // A resource that is being deleted is busy too, and a second DELETE would be of no use.
    const isReportedGone = await calls
      .remove(id, context)
      .catch((error: unknown) => isAlreadyGone(subject, error, context));
    if (isReportedGone === "deleting") isAgain = true;
    if (isReportedGone !== true) return { isGone: false };
    reports += 1;
    return undefined;
  };
  const end = await converge({ ...subject, mostLost: 0, look, send }, new Writes(), context);
  if (end.isGone) return;
  const ended = await view.wait(id, acceptDeleted, context);
  // A list from before the end of the delete may be stale.
  calls.changeCount += 1;
  if (ended.now !== "done") throw new FrontdoorError(notDeleted(label, ended.reason, id, isAgain), { kind: ended.why });
}

/** Returns true if the service has refused the delete because the resource is gone. @throws any other error. */
async function isAlreadyGone<Wire extends Named>(
  { kind, id }: Subject<Wire>,
  error: unknown,
  until: Until,
): Promise<true | "deleting"> {
  if (!isConflict(error)) throw error;
  const seen = await kind.calls.get(id, until).catch(() => {
    throw error;
  });
  if (!seen || seen.status === "DELETED") return true;
  if (seen.status === "DELETING") return "deleting";
  throw error;
}
