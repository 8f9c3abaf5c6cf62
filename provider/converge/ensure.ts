import { isAbsent } from "../api/collection";
import { isPresent, type Named } from "../api/wire";
import { lagMs, lastPollMs } from "../consistency";
import { failed, FrontdoorError, isConflict } from "../errors";
import { deadline, notDeleted, notProvenGone, seenElsewhere } from "../messages";
import type { Context } from "../run/service";
import { backoff, type Clock, isOver, pauseSince, persist, type Until } from "../time";
import type { Waited } from "../view/waits";
import { acceptanceOf, type Goal, type LastWrite, type Progress, progressSince } from "./progress";
import type { WriteTarget } from "./refusal";
import { type Answer, type Last, Sender } from "./send";

// The core of the provider, in the order in which it happens: first the truth, then what differs, then the wait.

/** The resource of an operation. */
export interface Subject<Wire extends Named> extends WriteTarget<Wire> {
  id: string;
  /** The status in the state; empty for an import. */
  status: string;
  /** The last write of the state. */
  lastWrite: LastWrite;
}

/** A PUT or PATCH. Its goal is its body. */
export interface Write extends Goal {
  method: "PUT" | "PATCH";
  want: object;
  before: object;
  /** For a PUT: what Frontdoor shows and no table has, such as a setting of the console. A PUT without it would reset it. */
  kept?: object;
}

/** What an operation brings about. */
export interface Plan<Wire extends Named> {
  /** What the resource has to show if nothing is sent. */
  want: Goal["want"];
  /** What the last write has sent, as the state says. Undefined if nobody knows: then only a settled reading is the truth. */
  lastSent?: object | undefined;
  /** Returns the write that the resource needs, as a reading shows it. Undefined if nothing differs. @throws FrontdoorError. */
  writeFor?: (seen: Wire) => Promise<Write | undefined>;
  /** Sends the write, or the DELETE. Calls `onSend` just before. @throws FrontdoorError. */
  send?: (onSend: () => void, write: Write | undefined) => Promise<Answer>;
  /** Set for a create, whose POST Frontdoor has accepted. */
  after?: "POST";
}

/**
 * The end of an operation, with the last write that it sent. `done`: a reading has ended it. After an accepted write, that reading can show
 * other values, which Frontdoor has chosen: `asShown` compares them.
 */
export type Ended<Wire> = Waited<Wire, Wire | undefined> & {
  write?: Write | undefined;
  /** True if the truth before any write is that the resource is gone, or being deleted. */
  isGone?: true;
};

/** Returns what the last reading of an operation has shown. */
export const seenIn = <Wire>(ended: Ended<Wire>): Wire | undefined => (ended.now === "done" ? ended.value : ended.last);

/** Returns why an operation has not reached its goal. */
export const whyOf = <Wire>(ended: Ended<Wire>): { why: "failed" | "timed-out"; reason: string } =>
  ended.now === "done" ? { why: "failed", reason: "Frontdoor no longer shows it" } : ended;

/** What a reading shows. `goal`: all that is wanted. `other`: something differs. `unread`: the reading failed. */
type Shows = "goal" | "other" | "work" | "gone" | "failure" | "unread" | "deadline";

type Step = "end" | "send" | "wait" | "fail";

/** The next step of every operation: one row for what came of the last write, one column for what a reading shows. */
const nextStep: Record<Last, Record<Shows, Step>> = {
  none: { goal: "end", other: "send", work: "wait", failure: "end", unread: "end", gone: "end", deadline: "end" },
  // Other values than those sent are Frontdoor's choice, so it is not asked again.
  accepted: { goal: "end", other: "end", work: "wait", failure: "end", unread: "end", gone: "end", deadline: "end" },
  // Nobody knows what the write has done.
  lost: { goal: "end", other: "send", work: "wait", failure: "end", unread: "wait", gone: "fail", deadline: "fail" },
  unsent: { goal: "end", other: "send", work: "wait", failure: "end", unread: "wait", gone: "fail", deadline: "fail" },
  absent: { goal: "end", other: "send", work: "wait", failure: "end", unread: "wait", gone: "fail", deadline: "fail" },
};

/** A reading, and the write that the resource needs because of it. */
interface Reading<Wire> {
  shows: Shows;
  ended: Ended<Wire>;
}

/**
 * Brings the resource to its goal: reads until a reading is the truth, sends what differs, and waits until that shows. A write whose answer was
 * lost is sent again only if a reading that is the truth does not show it: each accepted one recreates the share. The readings before the write
 * take no time from it. @throws FrontdoorError of the last write; `sender` tells if a write can have taken effect.
 */
export async function ensure<Wire extends Named>(
  subject: Subject<Wire>,
  plan: Plan<Wire>,
  sender: Sender<Wire>,
  asked: Context,
): Promise<Ended<Wire>> {
  const { clock } = subject.kind;
  const startedMs = clock.now();
  let reading = await firstReading(subject, plan, sender, asked);
  const readyMs = clock.now();
  const context = { ...asked, deadlineMs: asked.deadlineMs + (readyMs - startedMs) };
  for (;;) {
    const { shows, ended } = reading;
    const step = nextStep[sender.last][shows];
    const { write } = ended;
    if (step === "end") return ended;
    if (step === "fail") throw sender.error ?? failed(ended.now === "done" ? shows : ended.reason);
    if (step === "send") {
      const request = async (onSend: () => void) => (await plan.send?.(onSend, write)) ?? "accepted";
      await sender.send(request, context, seenIn(ended)?.status);
    } else if (shows === "unread") await pauseSince(readyMs, clock, context);
    reading = await nextReading(subject, plan, sender, write, context);
  }
}

/** Returns the truth before any write. A DELETE needs none: it is right whatever shows. @throws FrontdoorError. */
async function firstReading<Wire extends Named>(
  subject: Subject<Wire>,
  plan: Plan<Wire>,
  sender: Sender<Wire>,
  context: Context,
): Promise<Reading<Wire>> {
  if (sender.last === "accepted") return nextReading(subject, plan, sender, undefined, context);
  if (plan.want === "gone") return { shows: "other", ended: { ...noReading, last: undefined } };
  return compared(plan, await listedOrRead(subject, context, plan.lastSent));
}

const noReading = { now: "unfinished", why: "failed", reason: "", askedMs: -Infinity } as const;

/** Compares what is the truth with what is wanted. @throws FrontdoorError. */
async function compared<Wire extends Named>(
  { writeFor }: Plan<Wire>,
  seen: Wire | undefined,
  askedMs = -Infinity,
): Promise<Reading<Wire>> {
  const unfinished = { ...noReading, last: seen };
  if (!seen || !isPresent(seen))
    return { shows: "gone", ended: { ...unfinished, reason: "Frontdoor no longer shows it", isGone: true } };
  const write = await writeFor?.(seen);
  if (write) return { shows: "other", ended: { ...unfinished, write } };
  if (seen.status !== "DEPLOYED") return { shows: "work", ended: unfinished };
  return { shows: "goal", ended: { now: "done", value: seen, askedMs } };
}

/** Waits until a reading shows what came of the last write, or of the work under way. @throws FrontdoorError. */
async function nextReading<Wire extends Named>(
  subject: Subject<Wire>,
  plan: Plan<Wire>,
  sender: Sender<Wire>,
  write: Write | undefined,
  context: Context,
): Promise<Reading<Wire>> {
  const { kind, id } = subject;
  const proved = sender.last === "absent" ? await provedGone(subject, sender, context) : undefined;
  if (proved) return proved;
  const isAccepted = sender.last === "accepted";
  const after = plan.after ?? (isAccepted && plan.want === "gone" ? "DELETE" : undefined);
  // A list entry can lack a field that the resource has. So only a read by id shows that a PUT has cleared one, or that a write whose answer
  // was lost took effect as a whole.
  const canClear = write?.method === "PUT";
  const hasToShowAll = write !== undefined && !isAccepted;
  const goal = write ?? { want: plan.want };
  // The last judgement: a wait that is done can have ended with a reading that differs.
  let now: Progress["now"] = "wait";
  const ended: Waited<Wire, Wire | undefined> = await kind.view.wait(
    id,
    (seen: Wire | undefined, statuses, askedMs) => {
      const progress = progressSince(goal, sender.write, seen, statuses, askedMs);
      now = progress.now;
      return acceptanceOf(goal, progress, seen, statuses);
    },
    sender.saying(sender.last === "unsent" ? atMost(kind.clock, unreachedMs, context) : context),
    { isById: canClear || hasToShowAll, ...(after && { after }) },
  );
  if (ended.now === "done" && sender.last === "none") return compared(plan, ended.value, ended.askedMs);
  if (ended.now === "done" && !ended.value && !isAccepted)
    return (await provedGone(subject, sender, context)) ?? nextReading(subject, plan, sender, write, context);
  return { shows: shownBy(ended, now, isOver(kind.clock, context)), ended: { ...ended, write } };
}

/** For so long, readings are tried after a write that has reached nothing. */
const unreachedMs = 15_000;

const atMost = (clock: Clock, ms: number, context: Context): Context => ({
  ...context,
  deadlineMs: Math.min(context.deadlineMs, clock.now() + ms),
});

/** After a DELETE that was not accepted, the truth has to tell. Returns undefined if the resource is being deleted. @throws FrontdoorError. */
async function provedGone<Wire extends Named>(
  subject: Subject<Wire>,
  sender: Sender<Wire>,
  context: Context,
): Promise<Reading<Wire> | undefined> {
  const seen = await truth(subject, context);
  if (!seen) return { shows: "goal", ended: { now: "done", value: undefined, askedMs: subject.kind.clock.now() } };
  if (seen.status !== "DELETING") return { shows: "other", ended: { ...noReading, last: seen } };
  sender.hasTakenEffect(seen.status);
  return undefined;
}

function shownBy(ended: Waited<unknown, unknown>, now: Progress["now"], isLate: boolean): Shows {
  if (ended.now === "done") return now === "differs" ? "other" : "goal";
  if (ended.why === "timed-out" || (ended.isUnread && isLate)) return "deadline";
  if (ended.isUnread) return "unread";
  return now === "gone" ? "gone" : "failure";
}

/** The pause between two readings that prove nothing yet. */
const unsettledPauseMs = 3_000;

/** True if a reading shows all that the last write has sent, DEPLOYED. A list entry that lacks an argument does not. */
function showsLast<Wire extends Named>({ lastWrite }: Subject<Wire>, lastSent: object, seen: Wire, askedMs: number) {
  const write = { ...lastWrite, statusBefore: "DEPLOYED", isLost: true };
  return progressSince({ want: lastSent }, write, seen, new Set([seen.status]), askedMs).now === "done";
}

/**
 * Returns the resource as a reading shows it that can be believed: it is from `settlesAt` on, or it shows what the last write has sent. Returns
 * undefined only if the service says DELETED, or if it is absent from `settlesAt` on: absent means a not-found of the service together with a
 * list that lacks the id. A deadline that is too short is extended: the truth must not use up the time of a write.
 * @throws FrontdoorError `timed-out` if the run was stopped before; `failed` if not-found and list keep disagreeing, or if the state has seen the resource at another address.
 */
export async function truth<Wire extends Named>(
  subject: Subject<Wire>,
  requested: Context,
  lastSent?: object,
): Promise<Wire | undefined> {
  const { settlesAtMs } = subject.lastWrite;
  const { kind, id, label } = subject;
  const { clock, calls } = kind;
  const patienceMs = Math.max(0, settlesAtMs - clock.now()) + lagMs;
  const until = { ...requested, deadlineMs: Math.max(requested.deadlineMs, settlesAtMs + lastPollMs) };
  // Of the last reading: true if it was the truth, whatever it showed.
  const last = { isSettled: false };
  const pauseAfter = ({ error, waitedMs }: { error: unknown; waitedMs: number }) => {
    if (error || (last.isSettled && waitedMs > patienceMs)) return undefined;
    const restMs = settlesAtMs - clock.now();
    if (restMs <= 0) return backoff(waitedMs, clock.random());
    requested.report?.(`the last write does not show yet, waits at most ${Math.ceil(restMs / 1000)} s`);
    return Math.min(restMs, unsettledPauseMs);
  };
  const found = await persist(clock, until, pauseAfter, async () => {
    // Decided before the reading: what is asked for from then on is the truth.
    const askedMs = clock.now();
    const isSettled = (last.isSettled = askedMs >= settlesAtMs);
    const seen = await calls.get(id, until);
    if (seen?.status === "DELETED") return "gone";
    if (seen && (isSettled || (lastSent && showsLast(subject, lastSent, seen, askedMs)))) return seen;
    return !seen && isSettled && (await isAbsent(calls, id, until)) ? "gone" : undefined;
  });
  if (!found && !last.isSettled)
    throw new FrontdoorError(deadline(label, "its last write can still take effect"), { kind: "timed-out" });
  if (!found) throw failed(notProvenGone(label));
  if (found !== "gone") return found;
  const { service, seenElsewhere: there } = requested;
  if (there !== undefined) throw failed(seenElsewhere(label, service.config.baseUrl, there));
  return undefined;
}

/**
 * Returns the truth, from the shared list if its entry shows what the last write has sent. An entry that does not proves nothing, because a list
 * can lag behind reads by id. @throws FrontdoorError as `truth` does.
 */
export async function listedOrRead<Wire extends Named>(
  subject: Subject<Wire>,
  context: Context,
  lastSent: object | undefined,
): Promise<Wire | undefined> {
  const { clock, view } = subject.kind;
  const askedMs = clock.now();
  const entry = lastSent && (await view.entry(subject.id, context));
  const isShown = entry && showsLast(subject, lastSent, entry, askedMs);
  return isShown ? entry : truth(subject, context, lastSent);
}

/** Deletes the resource and waits until it is gone. Succeeds if it is gone already. @throws FrontdoorError. */
export async function ensureGone<Wire extends Named>(subject: Subject<Wire>, context: Context): Promise<void> {
  const { kind, id, label, status } = subject;
  const { calls } = kind;
  let isAgain = status === "DELETING";
  const send = async (onSend: () => void): Promise<Answer> => {
    const answer = await calls
      .remove(id, context, onSend)
      .catch((error: unknown) => whyNotDeleted(subject, error, context));
    if (answer === "deleting") isAgain = true;
    return answer === true ? "absent" : "accepted";
  };
  const ended = await ensure(subject, { want: "gone", send }, new Sender(subject), context);
  // A list from before the end of the delete may be stale.
  calls.changeCount += 1;
  if (ended.now !== "done") throw new FrontdoorError(notDeleted(label, ended.reason, id, isAgain), { kind: ended.why });
}

/**
 * Returns true if the service has refused the delete because the resource is gone, "deleting" if it is being deleted: then it is busy too, and a
 * second DELETE would be of no use. @throws any other error.
 */
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
