import type { Named } from "../api/wire";
import { lagMs } from "../consistency";
import { asReason, failed, isRefused, isUnsent, mayHaveRun, troubleOf } from "../errors";
import { notDeleted } from "../messages";
import type { Context } from "../run/service";
import { backoff, isOver, retryPause } from "../time";
import { acceptedNow, type LastWrite, neverWritten, sentNow } from "./progress";
import { isDelete, Refusals, saysOf, type WriteTarget } from "./refusal";

/** What Frontdoor answers to a write that it has not refused. `absent`: it knows nothing to delete. */
export type Answer = "accepted" | "absent";

/** What came of the last write of an operation. `lost`: it can have taken effect. `unsent`: it has not. */
export type Last = "none" | "accepted" | "lost" | "unsent" | "absent";

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

/** Sends the writes of one operation, and knows what came of them. Every POST, PUT, PATCH and DELETE goes through it. */
export class Sender<Wire extends Named> {
  /** The last write that was not clearly refused, at first that of the state. */
  write: LastWrite;
  /** What came of it. */
  last: Last = "none";
  /** The error of the last write that was not accepted, unless it was refused. */
  error: Error | undefined;
  private refusal: unknown;
  /** The tries that were not accepted. */
  private tries = 0;
  /** Those of them, at the end, that have come to the same server error. */
  private equalErrors = 0;
  /** Lists can lack until then what a POST before its 429 has created, and the service can refuse another POST because of that. */
  private unlistedUntilMs = -Infinity;

  constructor(
    private readonly target: WriteTarget<Wire> & { status?: string },
    private readonly before: LastWrite = neverWritten,
  ) {
    this.write = before;
  }

  /** Returns a sender with nothing left to send: this write was accepted, in this run or in an earlier one. */
  static afterAccepted<Wire extends Named>(target: WriteTarget<Wire>, write: LastWrite): Sender<Wire> {
    const sender = new Sender(target, write);
    sender.last = "accepted";
    return sender;
  }

  /** True if the last write can have taken effect, and no reading has told. */
  get isOpen(): boolean {
    return this.last === "lost";
  }

  /** True if the last write was clearly refused, and no earlier one can have taken effect. */
  get isRefused(): boolean {
    return troubleOf(this.refusal)?.kind === "refused" && this.target.kind.clock.now() >= this.unlistedUntilMs;
  }

  /**
   * Sends a write. It is accepted, or lost, or limited, which ends in a pause. If it is refused, the cause is looked for, and either the write is
   * sent again or @throws the FrontdoorError with its cause. @throws that of the last try if no other one can help.
   */
  async send(
    request: (onSend: () => void) => Promise<Answer>,
    context: Context,
    status = this.target.status,
  ): Promise<void> {
    const { clock } = this.target.kind;
    let refusals: Refusals<Wire> | undefined;
    for (;;) {
      if (this.error && (this.isHopeless || isOver(clock, context))) throw this.error;
      const sentMs = clock.now();
      this.refusal = undefined;
      this.refusal = await this.once(request, context, status);
      if (this.refusal === undefined) return;
      refusals ??= new Refusals(this.target, sentMs, context);
      await refusals.pause(this.refusal);
    }
  }

  /** Returns the context of a wait whose progress also tells what went wrong with the last write. */
  saying(context: Context): Context {
    const { error } = this;
    const { report } = context;
    if (error === undefined || !report) return context;
    const told = (line: string) => {
      report(`${problemOf(error)}: ${line}`);
    };
    return { ...context, report: told };
  }

  /** The answer, or a reading, says that the last write took effect. */
  hasTakenEffect(statusBefore: string | undefined): void {
    this.last = "accepted";
    this.error = undefined;
    this.write = acceptedNow(this.target.kind.clock, statusBefore);
  }

  /** The answer proves nothing about the last write, such as one with the id of another resource: it counts as lost. */
  answerProvesNothing(error: Error, requestTimeoutMs: number): void {
    this.note(error, "lost");
    this.write = sentNow(this.target.kind.clock, requestTimeoutMs);
  }

  /** Sends once, and notes what came of it. Returns the refusal if there is one. @throws the error if no other write can follow. */
  private async once(
    request: (onSend: () => void) => Promise<Answer>,
    context: Context,
    status: string | undefined,
  ): Promise<unknown> {
    const { kind, id, tunnelIds = [] } = this.target;
    const before = this.write;
    const onSend = () => {
      this.write = {
        ...sentNow(kind.clock, context.service.config.requestTimeoutMs, status),
        provesFromMs: this.before.settlesAtMs,
      };
      // Sent twice, a DELETE does no harm, so it does not matter how late the first one takes effect.
      if (isDelete(this.target)) this.write.settlesAtMs = this.write.atMs + lagMs;
    };
    let answer: Answer;
    try {
      answer = await request(onSend);
    } catch (error) {
      return this.afterError(error, { before, status }, context);
    }
    if (answer === "absent") await this.afterAbsent(context);
    else {
      this.hasTakenEffect(status);
      if (id !== undefined) kind.register.wrote(id, tunnelIds);
    }
    return undefined;
  }

  /** Notes what an error says about the last write. Returns the refusal if it is one. @throws the error if no other write can follow. */
  private async afterError(
    error: unknown,
    { before, status }: { before: LastWrite; status: string | undefined },
    context: Context,
  ): Promise<unknown> {
    if (isRefused(error, 429) || isUnsent(error)) {
      // The service says that it has done nothing, so it settles at once, or with the write before. As after a lost answer, a minute would pass.
      const settlesAtMs = Math.max(this.target.kind.clock.now(), before.settlesAtMs);
      this.write = { ...this.write, statusBefore: status, isLost: true, settlesAtMs };
      await this.afterLimited(error as Error, context);
      return undefined;
    }
    if (mayHaveRun(error)) {
      this.afterLost(error as Error, context);
      return undefined;
    }
    this.last = "none";
    this.write = before;
    return (await this.awaitUnlisted(error, context)) ? undefined : error;
  }

  /** True if the last write has failed so often that another try would also fail. */
  private get isHopeless(): boolean {
    return this.tries >= mostTries || this.equalErrors >= mostEqualErrors;
  }

  private note(error: Error, last: Last): void {
    const isEqual = problemOf(error) === problemOf(this.error);
    this.equalErrors = !isServerError(error) ? 0 : isEqual ? this.equalErrors + 1 : 1;
    this.error = error;
    this.tries += 1;
    // What an earlier write can have done is still open.
    if (last !== "unsent" || this.last !== "lost") this.last = last;
  }

  /** Notes that the service knows nothing to delete. A stale replica or a gateway can say so, so the truth has to tell. */
  private async afterAbsent(context: Context): Promise<void> {
    const { kind, label, id = "" } = this.target;
    const { clock } = kind;
    const reason = "Frontdoor answers that the resource does not exist, but still shows it";
    if (this.last === "absent") await clock.sleep(backoff(0, clock.random()), context.signal);
    this.note(failed(notDeleted(label, reason, id)), "absent");
  }

  /** Pauses until the service takes requests again, or is reached. @throws the error if no other write can follow. */
  private async afterLimited(error: Error, { deadlineMs, signal }: Context): Promise<void> {
    const { id, kind } = this.target;
    const { clock } = kind;
    this.note(error, isUnsent(error) ? "unsent" : "lost");
    if (id === undefined && isRefused(error, 429)) this.unlistedUntilMs = clock.now() + lagMs;
    const pauseMs = Math.max(kind.pauseMs(), retryPause(this.tries, clock.random()));
    if (this.tries >= mostTries || clock.now() + pauseMs >= deadlineMs) throw error;
    await clock.sleep(pauseMs, signal);
  }

  /** Notes a write that can still take effect, and says so. @throws the error if no other write can follow. */
  private afterLost(error: Error, { deadlineMs, reportPause }: Context): void {
    const { clock, pauseMs } = this.target.kind;
    this.note(error, "lost");
    if (clock.now() + pauseMs() >= deadlineMs) throw error;
    reportPause?.(`${problemOf(error)}: waits until Frontdoor shows if the request took effect`);
  }

  /** True if a POST may be refused because of what an earlier one has created, and that lists can still lack: then waits until they show it. */
  private async awaitUnlisted(error: unknown, { deadlineMs, signal }: Context): Promise<boolean> {
    const { clock, destination } = this.target.kind;
    const isLate = clock.now() < this.unlistedUntilMs && saysOf(error, destination) !== undefined;
    if (!isLate) return false;
    await clock.sleep(Math.min(this.unlistedUntilMs, deadlineMs) - clock.now(), signal);
    return true;
  }
}
