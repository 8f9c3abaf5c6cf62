import { isPresent, type Named } from "../api/wire";
import type { Config } from "../config";
import { effectMs, lagMs, recordLastsMs } from "../consistency";
import { retryRefused, saysOf, type WriteTarget } from "../converge/refusal";
import { failed, FrontdoorError, isRefused, isUnsent, mayHaveRun } from "../errors";
import { canHaveCreated, type CreationRecord } from "../run/creation-records";
import { adopted, identicalExists, mayTakeEffect, notShown, resumed, resumeRefused } from "../messages";
import { backoff, isOver, persist, retryPause } from "../time";
import { acceptDeployed, type Acceptor } from "../view/acceptors";
import type { Waited } from "../view/waits";
import type { Context } from "./service";
import { mostLimitedTries } from "./write";

/**
 * Creates exactly one resource, and waits until it is DEPLOYED if the POST has told its id. Lists the resources of its name before each
 * POST, and after a lost answer until that POST can no longer take effect. The rules are in `createStep`. @throws FrontdoorError.
 */
export async function createOnce<Wire extends Named>(
  creation: Creation<Wire>,
  context: Context,
): Promise<Created<Wire>> {
  const { clock } = creation.kind;
  const post = new Post(creation, context);
  try {
    const created = await persist(
      clock,
      context,
      ({ error, waitedMs }) => (error ? undefined : backoff(waitedMs, clock.random())),
      () => postOrFind(creation, post, context),
    );
    if (created) return created;
    throw post.lastError ?? overdue(post.isSent, creation.label);
  } catch (error) {
    // The id must reach the state, whatever the search for another one has met.
    if (post.late) return post.late;
    throw error;
  }
}

/** Lists, and sends or resumes a POST. Returns undefined if an earlier POST may still take effect. @throws FrontdoorError. */
async function postOrFind<Wire extends Named>(
  creation: Creation<Wire>,
  post: Post<Wire>,
  context: Context,
): Promise<Created<Wire> | undefined> {
  const { kind, label, body, isNameDerived, isIdentical } = creation;
  // What this create replaces only seems identical: a list can leave out the argument that differs.
  const isAlike = (entry: Wire) => isIdentical(entry) && kind.ledger.stateOf(entry.id) !== "leaving";
  // The setting is about POSTs of earlier runs: one of this run is always resumed. An old record allows less than `alike` without one.
  const takeOver = post.isSent ? "interrupted" : takeOverFor(context.service.config, isNameDerived);
  const isOld = kind.clock.wall() - (post.record()?.postedAtMs ?? Infinity) >= recordLastsMs;
  const record = isOld && takeOver === "alike" ? undefined : post.record();
  // Decided before the list: the POST may take effect after the service has made the list.
  const quietFromMs = post.quietFromMs(record);
  const canTakeEffect = kind.clock.now() <= quietFromMs;
  const wholeListFromMs = record && !canTakeEffect ? quietFromMs : undefined;
  // An id that this run owns belongs to another resource of the program.
  const listed = (await kind.view.named(body.name, context, wholeListFromMs)).filter(
    ({ id }) => id === post.late?.id || kind.ledger.stateOf(id) !== "owned",
  );
  const found = [...listed, ...(await post.readKnown(record, listed))].find((entry) =>
    record ? canHaveCreated(record, entry.id) : isAlike(entry),
  );
  const step = createStep({
    record: record === undefined ? "none" : record.id === undefined ? "without id" : "with id",
    shows: found ? "a match" : "nothing",
    canTakeEffect,
    takeOver: record && isOld ? "never" : takeOver,
  });
  if (found) {
    if (step === "refuse") throw failed(identicalExists(label, found.id));
    if (step === "refuse to resume") throw failed(resumeRefused(label, found.id, isOld));
    if (!post.isSent) context.service.say((step === "resume" ? resumed : adopted)(label, found.id));
    return { id: post.recordId(found.id), found, isNamedByRecord: record?.id === found.id };
  }
  if (step === "poll") return undefined;
  const id = await post.sendPost(listed);
  // After a lost answer the create lists again, even at its deadline. `sendPost` bounds the number of POSTs.
  return (id === undefined ? id : await post.awaitDeployed(id)) ?? postOrFind(creation, post, context);
}

/** Returns the error of a create at its deadline, if a POST without a lost answer does not show. */
const overdue = (isOfThisRun: boolean, label: string): FrontdoorError =>
  new FrontdoorError(isOfThisRun ? notShown(label) : mayTakeEffect(label), { kind: "timed-out" });

/** Returns the setting for one create: `alike` applies only to a derived name. */
const takeOverFor = ({ takeOver }: Config, isNameDerived: boolean) =>
  takeOver === "alike" && !isNameDerived ? "interrupted" : takeOver;

/** The facts that decide what a create does next. */
export interface Sighting {
  /** The creation record that this resource wrote. */
  record: "none" | "with id" | "without id";
  /** A match is a resource that the POST of the record can have created. Without a record, it is an identical one. */
  shows: "nothing" | "a match";
  /** True while the POST of the record may still take effect. */
  canTakeEffect: boolean;
  /** The setting `frontdoor:takeOver`, as far as it applies to this create. */
  takeOver: "interrupted" | "alike" | "never";
}

export type CreateStep = "post" | "poll" | "resume" | "adopt" | "refuse" | "refuse to resume";

/** Decides what a create does next: the table "Creates" of docs/how-it-works.md. */
export function createStep({ record, shows, canTakeEffect, takeOver }: Sighting): CreateStep {
  switch (record) {
    case "none":
      if (shows === "nothing") return "post";
      return takeOver === "alike" ? "adopt" : "refuse";
    case "with id":
    case "without id":
      if (shows === "a match") return takeOver === "never" ? "refuse to resume" : "resume";
      return canTakeEffect ? "poll" : "post";
  }
}

interface Creation<Wire extends Named> extends WriteTarget<Wire> {
  body: { name: string };
  isNameDerived: boolean;
  /** True if the entry equals the body in every argument. */
  isIdentical: (entry: Wire) => boolean;
}

/** A resource that was found, or one that was created, with the wait until it is DEPLOYED. */
type Created<Wire> =
  | {
      id: string;
      /** The resource as a list showed it. */
      found: Wire;
      /** True if a creation record named the id, so that this stack certainly created the resource. */
      isNamedByRecord: boolean;
      waited?: undefined;
    }
  | { id: string; found?: undefined; waited: Waited<Wire, Wire> };

const mostPosts = 3;

/** The POSTs of one create, and the creation record that each writes before it is sent. */
class Post<Wire extends Named> {
  /** The error of the last POST, if that POST or an earlier one may have taken effect. */
  lastError: Error | undefined;
  /** The answered id if no read has shown it for 30 s. It can still show, or a list can show that the resource has another one. */
  late: Created<Wire> | undefined;
  /**
   * The time from which no POST of this create can take effect. -Infinity: none has been sent, or a refusal proves that none took effect.
   * Infinity: the service has accepted one without an id that shows, so no other is sent.
   */
  private settledFromMs = -Infinity;
  /** The numbers of lost answers, and of 429s and unsent POSTs, since the start or such a refusal. */
  private lostCount = 0;
  private limitedCount = 0;
  private readonly name;
  private readonly origin;

  constructor(
    private readonly creation: Creation<Wire>,
    private readonly context: Context,
  ) {
    this.name = creation.body.name;
    this.origin = creation.kind.declarations.named(this.name)?.origin ?? "";
  }

  /** True if a POST of this create may take effect or has done so. */
  get isSent(): boolean {
    return this.settledFromMs > -Infinity;
  }

  /** Returns the creation record under the name, if this resource wrote it. */
  record(): CreationRecord | undefined {
    const record = this.creation.kind.records.under(this.name);
    return record?.origin === this.origin ? record : undefined;
  }

  /**
   * Returns the time from which the POST of the record can no longer take effect, on the monotonic clock. A POST of an earlier run was sent
   * before this run began, whatever the wall clock says: that clock can have been set back.
   */
  quietFromMs(record: CreationRecord | undefined): number {
    if (this.isSent || record === undefined) return this.settledFromMs;
    const { clock, config, startedMs: runStartedMs } = this.context.service;
    const sentMs = Math.min(clock.now() - clock.wall() + record.postedAtMs, runStartedMs);
    return sentMs + effectMs(record.requestTimeoutMs ?? config.requestTimeoutMs);
  }

  /**
   * Sends one POST. Returns its id, or undefined if the caller has to list again: the answer is lost, lacks the id or has that of another
   * resource of the program. @throws the refusal with its cause, or the error of the last POST that is allowed.
   */
  async sendPost(listed: Wire[]): Promise<string | undefined> {
    const { kind, label, body } = this.creation;
    const { clock } = kind;
    if (this.lastError && (this.lostCount >= mostPosts || isOver(clock, this.context))) throw this.lastError;
    // For 30 s, lists can lack what an earlier POST has created, and the service can refuse this POST because of that.
    const shownMs = this.settledFromMs + lagMs;
    const hiddenUntilMs = clock.now() < shownMs ? shownMs : undefined;
    const before = [
      ...new Set([...(this.record()?.before ?? []), ...listed.map(({ id }) => id), ...this.previousIds()]),
    ];
    const send = () =>
      kind.calls.create(body, this.context, () => {
        this.settledFromMs = clock.now() + effectMs(this.context.service.config.requestTimeoutMs);
        this.write({ before });
      });
    try {
      // While lists can lack it, the caller lists before each POST.
      const id = await (hiddenUntilMs === undefined ? retryRefused(this.creation, send, this.context) : send());
      if (id === undefined) this.settledFromMs = Infinity;
      // Another resource of the program has the id.
      else if (kind.ledger.stateOf(id) === "owned") this.noteLost(failed(notShown(label)));
      else return id;
      return undefined;
    } catch (error) {
      return this.afterFailure(error, hiddenUntilMs);
    }
  }

  /**
   * Returns if the caller has to list again: the answer is lost, or an earlier POST can explain the refusal. @throws the refusal.
   */
  private async afterFailure(error: unknown, hiddenUntilMs: number | undefined): Promise<undefined> {
    const { kind } = this.creation;
    const { clock } = kind;
    const { deadlineMs, signal } = this.context;
    if (isRefused(error, 429) || isUnsent(error)) {
      this.limitedCount += 1;
      this.settledFromMs = clock.now();
      const pauseMs = Math.max(kind.pauseMs(), retryPause(this.limitedCount, clock.random()));
      if (this.limitedCount >= mostLimitedTries || clock.now() + pauseMs >= deadlineMs) throw error;
      this.lastError = error as Error;
      await clock.sleep(pauseMs, signal);
      return;
    }
    if (mayHaveRun(error)) {
      this.noteLost(error);
      return;
    }
    if (hiddenUntilMs !== undefined) {
      // The record of a POST that may have taken effect stays for the next run.
      if (saysOf(error, kind.destination) === "for good") throw error;
      this.lastError = error as Error;
      this.settledFromMs = hiddenUntilMs - lagMs;
      await clock.sleep(Math.min(hiddenUntilMs, deadlineMs) - clock.now(), signal);
      return;
    }
    kind.records.remove(this.name);
    throw error;
  }

  /** Waits until the answered id is DEPLOYED. Returns undefined if the caller has to list again, because no read shows the id for 30 s. */
  async awaitDeployed(id: string): Promise<Created<Wire> | undefined> {
    const { kind, tunnelIds = [] } = this.creation;
    kind.view.noteWrite(id, tunnelIds);
    const reads = { isShown: false, isLate: false };
    const accept: Acceptor<Wire, Wire> = (seen, { waitedMs }) => {
      if (seen && !reads.isShown) this.recordId(id);
      reads.isShown ||= seen !== undefined;
      reads.isLate = !reads.isShown && waitedMs > lagMs;
      return reads.isLate ? { now: "failed", reason: "not shown by the service" } : acceptDeployed(seen);
    };
    const waited = await kind.view.wait(id, accept, this.context, { isNew: true });
    // Nothing contradicts the id, so the state gets it.
    kind.ledger.record("acquired", id);
    if (!reads.isLate) return { id, waited };
    this.settledFromMs = Infinity;
    this.late = { id, waited: { ...waited, why: "timed-out" } as Waited<Wire, Wire> };
    return undefined;
  }

  /**
   * Reads by id what a list can miss: the record's resource, which may have been renamed, or this run's, which no read has shown for
   * 30 s.
   */
  async readKnown(record: CreationRecord | undefined, listed: Wire[]): Promise<Wire[]> {
    const { calls, ledger } = this.creation.kind;
    const id = this.isSent ? this.late?.id : record?.id;
    if (id === undefined || listed.some((each) => each.id === id)) return [];
    if (!this.isSent && ledger.stateOf(id) === "owned") return [];
    const live = await calls.get(id, this.context).catch((error: unknown) => {
      if (!this.late) throw error;
      return undefined;
    });
    return live && isPresent(live) ? [live] : [];
  }

  /** Records that the answer to the last POST says nothing about it. Lists can lack for 30 s what it has created. */
  private noteLost(error: unknown): void {
    this.settledFromMs = Math.max(this.settledFromMs, this.creation.kind.clock.now() + lagMs);
    this.lostCount += 1;
    this.lastError = error as Error;
  }

  /** Records the id of this resource, and returns the id. */
  recordId(id: string): string {
    const { kind, tunnelIds = [] } = this.creation;
    kind.ledger.record("acquired", id);
    kind.view.noteWrite(id, tunnelIds);
    this.write({ before: [], id });
    return id;
  }

  private write(of: Pick<CreationRecord, "before" | "id">): void {
    const { kind, isNameDerived } = this.creation;
    const { name, origin } = this;
    const { requestTimeoutMs } = this.context.service.config;
    const record = { origin, postedAtMs: kind.clock.wall(), requestTimeoutMs, ...of };
    kind.records.write(name, isNameDerived ? { ...record, name } : record);
  }

  /** Returns the ids that had the name in this run. A stale list can still show a deleted one, or lack one that exists. */
  private previousIds(): string[] {
    const { declarations, ledger } = this.creation.kind;
    return [...declarations.idsOf(this.origin), ...ledger.pendingAt({ name: this.name })];
  }
}
