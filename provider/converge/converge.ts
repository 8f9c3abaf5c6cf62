import { isAbsent } from "../api/collection";
import { isFailed, type Named } from "../api/wire";
import { lagMs, lastPollMs } from "../consistency";
import { asReason, failed, FrontdoorError, isConflict, isRefused, isUnsent, mayHaveRun, troubleOf } from "../errors";
import { deadline, notDeleted, notProvenGone, seenElsewhere } from "../messages";
import type { Context } from "../run/service";
import { backoff, isOver, persist, retryPause, type Until } from "../time";
import type { Waited } from "../view/waits";
import {
  acceptedNow,
  type Goal,
  isAsSent,
  judgeOf,
  judgeOfGone,
  lacking,
  type LastWrite,
  neverWritten,
  sentNow,
} from "./progress";
import { Refusals, saysOf, type WriteTarget } from "./refusal";

/** What an operation brings about by one write, which can have to be sent again. */
export interface Operation<Wire extends Named, Done extends object> extends WriteTarget<Wire> {
  /** The status before the write, as state or reading shows it. */
  status?: string;
  /**
   * Reads, and returns the end, or "write" if the write has to be sent, or "wait" if an earlier one may still take effect. After a write
   * that was accepted, it waits until the goal is reached. @throws FrontdoorError if neither helps.
   */
  look: () => Promise<Done | "write" | "wait">;
  /** Sends the write, and calls `onSend` just before. @throws FrontdoorError. */
  send: (onSend: () => void) => Promise<void>;
  isDelete?: true;
  /** Called before the refusal of a write is thrown if no write of this operation can have taken effect. */
  onRefused?: () => void;
}

/** A write whose answer was lost or limited, or that the service says it does not know, is sent so often. */
const mostTries = 10;

/** A server error that comes so often with the same words will come again. */
const mostEqualErrors = 3;

/** Returns what went wrong with a request, without its path, and without the trace id that each answer has. */
const problemOf = (error: Error | undefined): string =>
  asReason(error?.message ?? "").replace(/^[A-Z]+ \/\S+: | \(trace [^)]*\)/g, "");

const isServerError = (error: Error): boolean => {
  const trouble = troubleOf(error);
  return trouble?.kind === "unreachable" && trouble.status !== undefined;
};

/** What is known of the writes of one operation. */
export class Facts {
  /** What came of the last write. `none`: there was none, or it was refused. `unclear`: its answer was lost or limited. */
  last: "none" | "unclear" | "accepted" = "none";
  /** The error of the last write whose answer was lost or limited. */
  error: Error | undefined;
  tries = 0;
  /** How often the last server error has come with the same words. */
  private equal = 0;
  /** Lists can lack until then what a POST before its 429 has created, and the service can refuse another POST because of that. */
  unlistedUntilMs = -Infinity;

  /** `write` is the last write that was not clearly refused, at first that of the state. */
  constructor(public write: LastWrite = neverWritten) {}

  /** True if the last write can have taken effect, and no reading has told. */
  get isOpen(): boolean {
    return this.last === "unclear";
  }

  /** True if another try is of no use. */
  get isHopeless(): boolean {
    return this.tries >= mostTries || this.equal >= mostEqualErrors;
  }

  /** Notes a write that can have taken effect. */
  failed(error: Error): void {
    this.unsent(error);
    this.last = "unclear";
  }

  /** Notes a write that was not sent, or that has changed nothing. */
  unsent(error: Error): void {
    const isEqual = isServerError(error) && problemOf(error) === problemOf(this.error);
    this.equal = isServerError(error) ? (isEqual ? this.equal + 1 : 1) : 0;
    this.error = error;
    this.tries += 1;
  }
}

/**
 * The loop of every POST, PUT, PATCH and DELETE: looks, sends, and looks again until the goal is reached or the deadline has passed. No write
 * that can have been done is sent again without a look: a clear refusal is explained by readings of its own (`Refusals`). The HTTP client repeats
 * no write. @throws FrontdoorError of the last write.
 */
export async function converge<Wire extends Named, Done extends object>(
  operation: Operation<Wire, Done>,
  facts: Facts,
  context: Context,
): Promise<Done> {
  const { clock } = operation.kind;
  const startedMs = clock.now();
  let refusals: Refusals<Wire> | undefined;
  for (;;) {
    // After a refusal, `Refusals` has read.
    const step = refusals ? "write" : await operation.look();
    if (typeof step === "object") return step;
    if (step === "wait") {
      const pauseMs = backoff(clock.now() - startedMs, clock.random());
      await clock.sleep(Math.min(pauseMs, context.deadlineMs - clock.now()), context.signal);
      continue;
    }
    if (facts.error && (facts.isHopeless || isOver(clock, context))) throw facts.error;
    const sentMs = clock.now();
    const refusal = await sendOnce(operation, facts, context);
    if (refusal === undefined) {
      refusals = undefined;
      continue;
    }
    refusals ??= new Refusals(operation, sentMs, context);
    await refusals.pause(refusal).catch((explained: unknown) => {
      const isClear = troubleOf(refusal)?.kind === "refused" && clock.now() >= facts.unlistedUntilMs;
      if (isClear) operation.onRefused?.();
      throw explained;
    });
  }
}

/** Sends the write, and notes what came of it. Returns the refusal if there is one. @throws the error if no other write can follow. */
async function sendOnce<Wire extends Named>(
  operation: Operation<Wire, object>,
  facts: Facts,
  context: Context,
): Promise<unknown> {
  const { kind, id, status, isDelete, tunnelIds = [] } = operation;
  const before = facts.write;
  try {
    await operation.send(() => {
      facts.write = sentNow(kind.clock, context.service.config.requestTimeoutMs, status);
      // Sent twice, a DELETE does no harm, so it does not matter how late the first one takes effect.
      if (isDelete) facts.write.settlesAtMs = facts.write.atMs + lagMs;
    });
  } catch (error) {
    if (isRefused(error, 429) || isUnsent(error)) {
      // The service says that it has done nothing, so it settles at once, or with the write before. As after a lost answer, a minute would pass.
      facts.write = { ...facts.write, settlesAtMs: Math.max(kind.clock.now(), before.settlesAtMs) };
      await afterLimited(operation, error as Error, facts, context);
    } else if (mayHaveRun(error)) afterLost(operation, error as Error, facts, context);
    else {
      facts.last = "none";
      facts.write = before;
      return (await awaitUnlisted(operation, error, facts, context)) ? undefined : error;
    }
    return undefined;
  }
  facts.last = "accepted";
  facts.error = undefined;
  facts.write = acceptedNow(kind.clock, status);
  if (id !== undefined) kind.register.wrote(id, tunnelIds);
  return undefined;
}

/** Pauses until the service takes requests again, or is reached. @throws the error if no other write can follow. */
async function afterLimited<Wire extends Named>(
  { id, kind: { clock, pauseMs: remainingMs } }: Operation<Wire, object>,
  error: Error,
  facts: Facts,
  { deadlineMs, signal }: Context,
): Promise<void> {
  if (isUnsent(error)) facts.unsent(error);
  else facts.failed(error);
  if (id === undefined && isRefused(error, 429)) facts.unlistedUntilMs = clock.now() + lagMs;
  const pauseMs = Math.max(remainingMs(), retryPause(facts.tries, clock.random()));
  if (facts.isHopeless || clock.now() + pauseMs >= deadlineMs) throw error;
  await clock.sleep(pauseMs, signal);
}

/** Notes a write that can still take effect, and says so. @throws the error if no other write can follow. */
function afterLost<Wire extends Named>(
  { kind: { clock, pauseMs: remainingMs } }: Operation<Wire, object>,
  error: Error,
  facts: Facts,
  { deadlineMs, reportPause }: Context,
): void {
  facts.failed(error);
  if (clock.now() + remainingMs() >= deadlineMs) throw error;
  reportPause?.(`${problemOf(error)}: waits until Frontdoor shows if the request took effect`);
}

/** True if a POST may be refused because of what an earlier one has created, and that lists can still lack: then waits until they show it. */
async function awaitUnlisted<Wire extends Named>(
  { kind: { clock, destination } }: Operation<Wire, object>,
  error: unknown,
  facts: Facts,
  { deadlineMs, signal }: Context,
): Promise<boolean> {
  const isLate = clock.now() < facts.unlistedUntilMs && saysOf(error, destination) !== undefined;
  if (!isLate) return false;
  await clock.sleep(Math.min(facts.unlistedUntilMs, deadlineMs) - clock.now(), signal);
  return true;
}

/** The resource of an operation. */
export interface Subject<Wire extends Named> extends WriteTarget<Wire> {
  id: string;
  /** The status in the state; empty for an import. */
  status: string;
  /** The last write of the state. */
  lastWrite: LastWrite;
}

/** The pause between two readings that prove nothing yet. */
const unsettledPauseMs = 3_000;

/**
 * Returns the resource as a reading shows it that can be believed: it is from `settlesAt` on, or it shows what is known to have been sent
 * (`sent`). Returns undefined only if the service says DELETED, or if it is absent from `settlesAt` on: absent means a not-found of the service
 * together with a list that lacks the id. A deadline that is too short is extended: the truth must not use up the time of a write.
 * @throws FrontdoorError `timed-out` if the run was stopped before; `failed` if not-found and list keep disagreeing, or if the state has seen the resource at another address.
 */
export async function find<Wire extends Named>(
  { kind, id, label, lastWrite: { settlesAtMs } }: Subject<Wire>,
  requested: Context,
  sent?: object,
): Promise<Wire | undefined> {
  const { clock, calls } = kind;
  const startedMs = clock.now();
  const patienceMs = Math.max(0, settlesAtMs - startedMs) + lagMs;
  const until = { ...requested, deadlineMs: Math.max(requested.deadlineMs, settlesAtMs + lastPollMs) };
  const last = { isTruth: false };
  const found = await persist(
    clock,
    until,
    ({ error, waitedMs }) => {
      if (error || (last.isTruth && waitedMs > patienceMs)) return undefined;
      const restMs = settlesAtMs - clock.now();
      return restMs > 0 ? Math.min(restMs, unsettledPauseMs) : backoff(waitedMs, clock.random());
    },
    async () => {
      // Read before: what is asked for after that time is the truth.
      last.isTruth = clock.now() >= settlesAtMs;
      const wire = await calls.get(id, until);
      if (wire?.status === "DELETED") return "gone";
      if (wire && (last.isTruth || (sent && isAsSent(wire, sent)))) return wire;
      return !wire && last.isTruth && (await isAbsent(calls, id, until)) ? "gone" : undefined;
    },
  );
  if (!found && !last.isTruth)
    throw new FrontdoorError(deadline(label, "its last write can still take effect"), { kind: "timed-out" });
  if (!found) throw failed(notProvenGone(label));
  if (found !== "gone") return found;
  const { service, seenElsewhere: there } = requested;
  if (there !== undefined) throw failed(seenElsewhere(label, service.config.baseUrl, there));
  return undefined;
}

/** A PUT or PATCH. `isById`: a list entry can leave out what it changes. */
interface Update {
  goal: Goal & { want: object };
  send: (onSend: () => void) => Promise<void>;
  isById?: boolean;
}

/**
 * Sends a PUT or PATCH so that it happens once, because each accepted one recreates the share, and waits for its goal. After a lost answer,
 * the provider waits until a reading is the truth, and sends the write again only if that does not show it. @throws FrontdoorError; `facts` tells
 * if a write can have taken effect.
 */
export async function updateOnce<Wire extends Named>(
  subject: Subject<Wire>,
  { goal, send, isById = false }: Update,
  facts: Facts,
  context: Context,
): Promise<Waited<Wire, Wire>> {
  const { kind, id, status, lastWrite } = subject;
  /** Returns the entry if it shows what was sent. A list entry can lack fields, so a read by id decides. */
  const proofOf = async (seen: Wire): Promise<Wire | undefined> => {
    const whole = lacking(seen, goal).length === 0 ? seen : await kind.calls.get(id, context);
    return whole && lacking(whole, goal).length === 0 ? whole : undefined;
  };
  const look = async (): Promise<Waited<Wire, Wire> | "write" | "wait"> => {
    if (facts.last === "none") return "write";
    const ended = await kind.view.wait(id, judgeOf<Wire>(goal, facts.write), saying(facts.error, context), { isById });
    // A reading that is the truth also ends the wait with other values: the resource compares.
    if (facts.last === "accepted") return ended;
    const isTruth = ended.askedMs >= facts.write.settlesAtMs;
    if (ended.now === "done") {
      // Earlier, a reading can be from before the write before this one, and show the same values.
      const proof = ended.askedMs >= lastWrite.settlesAtMs ? await proofOf(ended.value) : undefined;
      if (proof) return { ...ended, value: proof };
      return isTruth || isOver(kind.clock, context) ? "write" : "wait";
    }
    if (ended.isUnread && !isOver(kind.clock, context)) return "wait";
    if (!ended.last || ended.why === "timed-out") throw facts.error ?? failed(ended.reason);
    // An ERROR that still shows as before a write that was lost needs that write.
    return isTruth && isFailed(ended.last) && ended.last.status === status ? "write" : ended;
  };
  return converge({ ...subject, look, send }, facts, context);
}

/** Returns the context of a wait whose progress also tells the error of the last write. */
function saying(error: Error | undefined, context: Context): Context {
  const { report } = context;
  if (error === undefined || !report) return context;
  const told = (line: string) => {
    report(`${problemOf(error)}: ${line}`);
  };
  return { ...context, report: told };
}

/** Deletes the resource and waits until it is gone. Succeeds if it is gone already. @throws FrontdoorError. */
export async function deleteOnce<Wire extends Named>(subject: Subject<Wire>, context: Context): Promise<void> {
  const { kind, id, label, status } = subject;
  const { clock, calls, view } = kind;
  const facts = new Facts();
  let isAgain = status === "DELETING";
  /** True if the service says that there is nothing to delete. A stale replica or a gateway can say so. */
  let isReportedGone = false;
  const look = async (): Promise<Waited<Wire, "gone" | "still there"> | "write" | "wait"> => {
    if (facts.last === "none") return "write";
    if (isReportedGone) {
      const seen = await find(subject, context);
      if (!seen) return { now: "done", value: "gone", askedMs: clock.now() } as const;
      if (seen.status !== "DELETING") {
        // No delete has been accepted, so a wait could only end with a stale read.
        if (++facts.tries >= mostTries || isOver(clock, context))
          throw failed(notDeleted(label, "Frontdoor answers that the resource does not exist, but still shows it", id));
        await clock.sleep(backoff(0, clock.random()), context.signal);
        return "write";
      }
    }
    if (facts.last === "accepted") return view.wait(id, judgeOfGone(facts.write), context, { after: "DELETE" });
    const ended = await view.wait(id, judgeOfGone(facts.write), saying(facts.error, context));
    if (ended.now === "done") return ended.value === "gone" ? ended : "write";
    if (ended.isUnread && !isOver(clock, context)) return "wait";
    if (ended.why === "timed-out" && facts.error) throw facts.error;
    return ended;
  };
  const send = async (onSend: () => void) => {
    // A resource that is being deleted is busy too, and a second DELETE would be of no use.
    const sent = calls.remove(id, context, onSend);
    const answer = await sent.catch((error: unknown) => whyNotDeleted(subject, error, context));
    isReportedGone = answer === true;
    if (answer === "deleting") isAgain = true;
  };
  const ended = await converge({ ...subject, isDelete: true, look, send }, facts, context);
  // A list from before the end of the delete may be stale.
  calls.changeCount += 1;
  if (ended.now !== "done") throw new FrontdoorError(notDeleted(label, ended.reason, id, isAgain), { kind: ended.why });
}

/** Returns true if the service has refused the delete because the resource is gone, "deleting" if it is being deleted. @throws any other error. */
async function whyNotDeleted<Wire extends Named>(
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
