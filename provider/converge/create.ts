import { isPresent, type Named } from "../api/wire";
import { lagMs, recordLastsMs, settlesAfterMs } from "../consistency";
import { failed, FrontdoorError, isHidden, isPassing } from "../errors";
import {
  adopted,
  identicalExists,
  mayTakeEffect,
  notShown,
  replacedUnasked,
  resumed,
  resumeRefused,
} from "../messages";
import type { Context } from "../run/service";
import { canHaveCreated, type CreationRecord } from "../run/creation-records";
import { derivedName } from "../origin";
import { isOver, pauseSince } from "../time";
import type { Judge } from "../view/waits";
import { type Ended, ensure } from "./ensure";
import { acceptedNow, type LastWrite, neverWritten, notYetShown } from "./progress";
import type { WriteTarget } from "./refusal";
import { Sender } from "./send";

/**
 * Finds the id of exactly one resource, and ensures that id: from a record, from an earlier call of this run, or from the answer to its POST. Lists
 * the resources of its name before each POST, and after a lost answer until a list is the truth. The rules are in `createStep`.
 * @throws FrontdoorError.
 */
export async function createOnce<Wire extends Named>(
  creation: Creation<Wire>,
  context: Context,
): Promise<Created<Wire>> {
  const create = new Create(creation, context);
  const { clock } = creation.kind;
  const startedMs = clock.now();
  for (;;) {
    const step = await create.next();
    if (typeof step === "object") return step;
    if (step === "post") await create.post();
    else await pauseSince(startedMs, clock, context);
  }
}

/** The facts that decide what a create does next. */
interface Sighting {
  /** True if this resource wrote a creation record. */
  hasRecord: boolean;
  /**
   * A match is a resource that the POST of the record can have created. Without a record, it is an identical one. A namesake is another one
   * that this stack can have created under the derived name, for a program that has changed since.
   */
  shows: "nothing" | "a match" | "a namesake";
  /** True while the POST of the record may still take effect. */
  canTakeEffect: boolean;
  /** True if the record is older than a day: another stack may have adopted the resource. */
  isOld: boolean;
  /** True if this create adopts an exact likeness (`FRONTDOOR_TAKE_OVER=alike`, and the name is derived). */
  isAlikeAdopted: boolean;
}

type CreateStep = "post" | "poll" | "resume" | "adopt" | "refuse" | "refuse to resume";

/** Decides what a create does next: the section "A create" of docs/how-it-works.md. */
function createStep({ hasRecord, shows, canTakeEffect, isOld, isAlikeAdopted }: Sighting): CreateStep {
  if (!hasRecord && shows === "nothing") return "post";
  if (!hasRecord) return shows === "a match" && isAlikeAdopted ? "adopt" : "refuse";
  if (shows !== "nothing") return isOld ? "refuse to resume" : "resume";
  return canTakeEffect ? "poll" : "post";
}

interface Creation<Wire extends Named> extends WriteTarget<Wire> {
  body: { name: string };
  isNameDerived: boolean;
  /** True if the entry equals the body in every argument. */
  isIdentical: (entry: Wire) => boolean;
}

/** A resource that was found, or one that was created, with the wait until it is DEPLOYED. */
type Created<Wire> = {
  id: string;
  /** The POST of this create, if it has sent one. */
  write: LastWrite;
} & (
  | {
      /** The resource as a list showed it. */
      found: Wire;
      /** True if a creation record named the id, so that this stack certainly created the resource. */
      isNamedByRecord: boolean;
      /** True if a POST of this run has created the resource. */
      isOfThisRun: boolean;
      waited?: undefined;
    }
  | { found?: undefined; waited: Ended<Wire> }
);

/** What a create does next: it ends with a resource, sends a POST, or waits for another list. */
type Next<Wire extends Named> = Created<Wire> | "post" | "wait";

/** One create: its POSTs, and the creation record that each writes before it is sent. */
class Create<Wire extends Named> {
  private readonly sender: Sender<Wire>;
  /** The id that a POST was answered with, of this create or of an earlier one of this resource in this run. Then nothing is searched. */
  private answeredId: string | undefined;
  /** The resources of the name that the last look has shown, without those that other resources of the program have. */
  private listed: Wire[] = [];
  /** The ids of all resources of the name that the last look has shown: the next POST creates none of them. */
  private listedIds: string[] | undefined;
  /** The time at which a read first said that there is no such id, although a list shows it. */
  private readonly missingFromMs = new Map<string, number>();
  private readonly name;
  private readonly origin;

  constructor(
    private readonly creation: Creation<Wire>,
    private readonly context: Context,
  ) {
    this.sender = new Sender(creation);
    this.name = creation.body.name;
    this.origin = creation.kind.register.named(this.name)?.origin ?? "";
    this.answeredId = this.origin === "" ? undefined : creation.kind.register.createdFor(this.origin);
  }

  /** True if a POST of this run was accepted: then no other one is sent. */
  private get isAccepted(): boolean {
    return this.sender.last === "accepted";
  }

  /** True if a POST of this run can have taken effect. */
  private get isSent(): boolean {
    return this.isAccepted || this.sender.write.settlesAtMs > -Infinity;
  }

  /** The POST of this create, or else that of the record. */
  get write(): LastWrite {
    return { ...this.sender.write, settlesAtMs: this.settlesAtMs() };
  }

  /** True if the POST, or that of the record, is of this run. */
  private get isOfThisRun(): boolean {
    return this.isSent || this.creation.kind.records.isOfThisRun(this.name);
  }

  /** Ensures the answered id. Without one, lists the name, and does what `createStep` says. @throws FrontdoorError. */
  async next(): Promise<Next<Wire>> {
    const { answeredId, sender, creation } = this;
    if (answeredId === undefined) return this.nextByName();
    if (!this.isAccepted) return this.awaitShown(answeredId);
    if (creation.kind.register.fateOf(answeredId) !== "stays") return this.awaitDeployed(answeredId);
    // It is the id of another resource of the program.
    this.answeredId = undefined;
    sender.answerProvesNothing(failed(notShown(creation.label)), this.context.service.config.requestTimeoutMs);
    return this.nextByName();
  }

  /** Lists the name, and gathers the facts for `createStep`. @throws FrontdoorError. */
  private async nextByName(): Promise<Next<Wire>> {
    const { kind, isNameDerived } = this.creation;
    const { isOfThisRun } = this;
    const isTaken = (entry: Wire) => this.isAlike(entry) || this.isNamesake(entry);
    // Both are about POSTs of earlier runs: one of this run is always resumed. With `alike`, a record older than a day is ignored.
    const isAlikeAdopted = !isOfThisRun && isNameDerived && this.context.service.config.takeOver === "alike";
    const written = this.record();
    const isOld = kind.clock.wall() - (written?.postedAtMs ?? Infinity) >= recordLastsMs;
    const record = isOld && isAlikeAdopted ? undefined : written;
    // Decided before the list: the POST may take effect after the service has made the list.
    const settlesAtMs = this.settlesAtMs(record);
    const canTakeEffect = this.isAccepted || kind.clock.now() <= settlesAtMs;
    const wholeListFromMs = record && !canTakeEffect ? settlesAtMs : undefined;
    const question = { isFirst: this.listedIds === undefined && !isOfThisRun, wholeListFromMs };
    const named = await kind.view.named(this.name, this.context, question).catch((error: unknown) => {
      // After a POST, transient trouble ends no wait.
      if (!this.isSent || !isPassing(error)) throw error;
    });
    if (!named) return this.waitOn();
    // Any other id that this run owns belongs to another resource of the program, or an earlier replacement of this one is unfinished.
    const ownIds = kind.register.idsOf(this.origin);
    this.listedIds = named.map(({ id }) => id);
    this.listed = named.filter(({ id }) => ownIds.includes(id) || kind.register.fateOf(id) !== "stays");
    const matches = [...this.listed, ...(await this.readKnown(record))].filter((entry) =>
      record ? canHaveCreated(record, entry.id) : isTaken(entry),
    );
    const found = await this.firstPresent(matches, record ? () => true : isTaken);
    if (found === "contradicted") return this.waitOn();
    return this.nextByTable(record, found, { canTakeEffect, isOld, isAlikeAdopted });
  }

  /** Does what `createStep` says: posts, waits, resumes or adopts what is found, or refuses. @throws FrontdoorError. */
  private nextByTable(
    record: CreationRecord | undefined,
    found: Wire | undefined,
    facts: Pick<Sighting, "canTakeEffect" | "isOld" | "isAlikeAdopted">,
  ): Next<Wire> {
    const { kind, label, isNameDerived } = this.creation;
    const { isOfThisRun } = this;
    const isNamesake = found !== undefined && !this.isAlike(found);
    const step = createStep({
      hasRecord: record !== undefined,
      shows: found ? (isNamesake ? "a namesake" : "a match") : "nothing",
      ...facts,
    });
    if (!found) return step === "poll" || this.isAccepted ? this.waitOn() : "post";
    if (record === undefined && this.isReplacement()) throw failed(replacedUnasked(label, found.id));
    if (step === "refuse") throw failed(identicalExists(label, found.id, !isNamesake, isNameDerived));
    if (step === "refuse to resume") throw failed(resumeRefused(label, found.id));
    if (step === "adopt") kind.register.adoptedAlike(found.id);
    if (!isOfThisRun) this.context.service.say((step === "resume" ? resumed : adopted)(label, found.id));
    return {
      id: this.recordId(found.id),
      found,
      write: this.write,
      isNamedByRecord: record?.id === found.id,
      isOfThisRun,
    };
  }

  /** A resource is never identical to what it replaces, which a list can still show after its delete. */
  private isAlike(entry: Wire): boolean {
    const { kind, isIdentical } = this.creation;
    return isIdentical(entry) && kind.register.fateOf(entry.id) !== "goes" && !kind.register.isFreed(entry.id);
  }

  /**
   * True if a run of this stack can have created it, when the program gave other arguments: it has the derived name. What the state has can be the rest of a replacement, and a name that `pulumi:autonaming` proposes need not tell the stack.
   */
  private isNamesake(entry: Wire): boolean {
    const { isNameDerived, kind } = this.creation;
    const isNew = kind.register.named(this.name)?.isInState === false;
    const isOfStack = isNameDerived && this.name === derivedName(this.origin);
    return isNew && isOfStack && kind.register.fateOf(entry.id) === "unknown";
  }

  /** True if the state has the resource, and Pulumi replaces it without a diff (`replacementTrigger`). */
  private isReplacement(): boolean {
    const { register } = this.creation.kind;
    const declared = register.named(this.name);
    return declared?.isInState === true && register.idsOf(declared.origin).length === 0;
  }

  /**
   * Returns the first that a read does not show otherwise: a list can lack arguments. "contradicted": for less than 30 s, a list shows one
   * that a read does not find. Then the list may still show a deleted one, or the read may lag behind.
   */
  private async firstPresent(
    entries: Wire[],
    isMatch: (entry: Wire) => boolean,
  ): Promise<Wire | "contradicted" | undefined> {
    const { calls, clock } = this.creation.kind;
    for (const entry of entries) {
      const fromMs = this.missingFromMs.get(entry.id) ?? clock.now();
      const mayLag = clock.now() - fromMs < lagMs;
      const seen = await calls.get(entry.id, this.context).catch((error: unknown) => {
        // With a 403 instead of a 404, only the list can prove anything.
        return mayLag && isHidden(error) ? undefined : entry;
      });
      if (seen && isPresent(seen) && isMatch(seen)) return seen;
      if (!seen) this.missingFromMs.set(entry.id, fromMs);
      if (!seen && mayLag) return "contradicted";
    }
    return undefined;
  }

  /** @throws FrontdoorError of a create at its deadline, if a POST without a lost answer does not show. */
  private waitOn(): "wait" {
    const { kind, label } = this.creation;
    if (!isOver(kind.clock, this.context)) return "wait";
    throw (
      this.sender.error ??
      new FrontdoorError(this.isSent ? notShown(label) : mayTakeEffect(label), { kind: "timed-out" })
    );
  }

  /** Returns the creation record under the name, if this resource wrote it. */
  private record(): CreationRecord | undefined {
    const record = this.creation.kind.records.under(this.name);
    return record?.origin === this.origin ? record : undefined;
  }

  /**
   * Returns the time from which a list is the truth about the POST of the record, on the monotonic clock. A POST of an earlier run was sent
   * before this run began, whatever the wall clock says: that clock can have been set back.
   */
  private settlesAtMs(record = this.record()): number {
    if (this.sender.write !== neverWritten || record === undefined) return this.sender.write.settlesAtMs;
    const { clock, config, startedMs } = this.context.service;
    const runStartedMs = this.isOfThisRun ? Infinity : startedMs;
    const sentMs = Math.min(clock.now() - clock.wall() + record.postedAtMs, runStartedMs);
    return sentMs + settlesAfterMs(record.requestTimeoutMs ?? config.requestTimeoutMs);
  }

  /**
   * Sends one POST, which is recorded before. If its answer lacks the id, or has that of another resource of the program, a list has to tell what
   * it has done. @throws FrontdoorError.
   */
  async post(): Promise<void> {
    const { sender, context } = this;
    const { kind, body } = this.creation;
    const before = [...new Set([...(this.record()?.before ?? []), ...(this.listedIds ?? []), ...this.previousIds()])];
    const send = async (onSend: () => void) => {
      const recorded = () => {
        onSend();
        this.writeRecord({ before });
      };
      this.answeredId = await kind.calls.create(body, context, recorded);
      return "accepted" as const;
    };
    await sender.send(send, context).catch((error: unknown) => {
      if (sender.isRefused) kind.records.remove(this.name);
      throw error;
    });
  }

  /** Records the answered id, and ensures it. */
  private async awaitDeployed(id: string): Promise<Created<Wire>> {
    const { sender, context } = this;
    const { write } = sender;
    // Nothing contradicts the id. A run that is killed from here on is resumed by it.
    this.recordId(id);
    const subject = { ...this.creation, id, status: "NEW", lastWrite: write };
    const waited = await ensure(subject, { want: this.creation.body, after: "POST" }, sender, context);
    return { id, waited, write };
  }

  /** Waits for 30 s until Frontdoor shows the id that an earlier create of this run was answered with. */
  private async awaitShown(id: string): Promise<Created<Wire>> {
    const { kind } = this.creation;
    const { settlesAtMs } = acceptedNow(kind.clock);
    const judge: Judge<Wire, Wire> = (seen, _statuses, askedMs) => {
      if (seen) return { now: "done", value: seen };
      return askedMs < settlesAtMs ? { now: "waiting", seen: notYetShown } : { now: "failed", reason: notYetShown };
    };
    const waited = await kind.view.wait(id, judge, this.context, { after: "POST" });
    const made = { id: this.recordId(id), write: this.write };
    return waited.now === "done"
      ? { ...made, found: waited.value, isNamedByRecord: true, isOfThisRun: true }
      : { ...made, waited };
  }

  /** Reads the resource of the record by its id: it may have been renamed. */
  private async readKnown(record: CreationRecord | undefined): Promise<Wire[]> {
    const { calls, register } = this.creation.kind;
    const id = record?.id;
    if (id === undefined || this.isSent || this.listed.some((each) => each.id === id)) return [];
    if (register.fateOf(id) === "stays") return [];
    const seen = await calls.get(id, this.context);
    return seen && isPresent(seen) ? [seen] : [];
  }

  /** Records the id of this resource, and returns the id. */
  private recordId(id: string): string {
    const { kind, tunnelIds = [] } = this.creation;
    kind.register.created(this.origin, id);
    kind.register.wrote(id, tunnelIds);
    this.writeRecord({ before: [], id });
    return id;
  }

  private writeRecord(of: Pick<CreationRecord, "before" | "id">): void {
    const { kind, isNameDerived } = this.creation;
    const { name, origin } = this;
    const { requestTimeoutMs } = this.context.service.config;
    // A record gets its id after the POST, maybe in a later run.
    const postedAtMs = (of.id === undefined ? undefined : this.record()?.postedAtMs) ?? kind.clock.wall();
    const record = { origin, postedAtMs, requestTimeoutMs, ...of };
    kind.records.write(name, isNameDerived ? { ...record, name } : record);
  }

  /** Returns the ids that had the name in this run. A stale list can still show a deleted one, or lack one that exists. */
  private previousIds(): string[] {
    const { register } = this.creation.kind;
    return [...register.idsOf(this.origin), ...register.pendingAt({ name: this.name })];
  }
}
