import { mayHaveRun } from "../api/collection";
import type { Named } from "../api/types";
import { failed } from "../errors";
import type { Rules } from "../fields/rules";
import type { Waited } from "../inventory/poller";
import { canHaveCreated, type CreationRecord, hashOf } from "../ledger/creation-records";
import { answeredAnother } from "../messages/answers";
import type { Kind, Service } from "../service";
import { isOver, type Until } from "../time/clock";
import { pauseAfter } from "../time/ticks";
import { awaitAnswered } from "./answered-id";
import { saysOf, sharePlace, tunnelPlace } from "./refused-step";
import { retryWhileBusy, type WriteTarget } from "./retry-while-busy";
import { lateEffectMs } from "./write";

export interface Creation<Wire extends Named> {
  kind: Kind<Wire>;
  /** Names the resource in messages. */
  label: string;
  body: { name: string };
  isNameDerived: boolean;
  /** The tunnel that a share will be on. */
  tunnelIds?: string[];
  isFreedNow?: WriteTarget<Wire>["isFreedNow"];
  /** True if the entry equals the body in every argument. */
  isIdentical: (entry: Wire) => boolean;
  rules: Pick<Rules<never>, "required" | "shown">;
  /** Called when the service refuses the POST. Returns once the holder of the place is gone, else throws the error with its cause. */
  onRefusal: (error: unknown) => Promise<void>;
}

/** A resource that was found, or one that was created, with the wait until it is DEPLOYED. */
export type Created<Wire> =
  | {
      id: string;
      /** The resource as a list showed it. */
      found: Wire;
      /** True if a creation record named the id, so that this stack certainly created the resource. */
      isNamedByRecord: boolean;
    }
  | { id: string; found?: undefined; waited: Waited<Wire, Wire> };

const mostPosts = 3;

/** The POSTs of one create, and the creation record that each writes before it is sent. */
export class Post<Wire extends Named> {
  /** The number of POSTs since the start or the last refusal. */
  count = 0;
  /** The error of the last lost answer. */
  lastError: Error | undefined;
  /** The answered id if no read has shown it for 30 s. A list can show that the resource has another one. */
  unshown: Created<Wire> | undefined;
  /** True if the service has accepted a POST without returning the id. Then no other POST is sent. */
  private isAccepted = false;
  /** The time of this create's last POST. */
  private sentMs: number | undefined;
  private readonly name;
  private readonly origin;
  private readonly startedMs;

  constructor(
    private readonly creation: Creation<Wire>,
    private readonly service: Service,
    private readonly until: Until,
  ) {
    this.name = creation.body.name;
    this.startedMs = service.clock.now();
    this.origin = creation.kind.declarations.named(this.name)?.origin ?? "";
  }

  /** Returns the creation record under the name, if this resource wrote it. */
  record(): CreationRecord | undefined {
    const record = this.creation.kind.records.under(this.name);
    return record?.origin === this.origin ? record : undefined;
  }

  /**
   * True if the POST of the record may still take effect. A POST of an earlier run was sent before this run began, whatever the wall clock
   * says: that clock can have been set back.
   */
  canTakeEffect(record: CreationRecord | undefined): boolean {
    if (this.isAccepted) return true;
    if (record === undefined) return false;
    const { clock, config, startedMs } = this.service;
    const windowMs = (record.requestTimeoutMs ?? config.requestTimeoutMs) + lateEffectMs;
    if (this.sentMs !== undefined) return clock.now() <= this.sentMs + windowMs;
    return clock.wall() <= record.postedAtMs + windowMs && clock.now() <= startedMs + windowMs;
  }

  /** True if the POST of the record can have created the entry. */
  isMatch(record: CreationRecord, entry: Wire): boolean {
    const hasRequired = record.id !== undefined || hashOf(this.creation.rules.required(entry)) === record.required;
    return hasRequired && canHaveCreated(record, entry.id);
  }

  /**
   * Sends one POST. Returns its id, or undefined if the caller has to list again: the answer is lost, lacks the id or describes another
   * resource, or the cause of a refusal is gone. @throws the refusal with its cause, or the error of the last POST that is allowed.
   */
  async send(listed: Wire[]): Promise<string | undefined> {
    const { kind, label, body, rules, tunnelIds = [], isFreedNow } = this.creation;
    const isEnough = this.count >= mostPosts || (this.count > 0 && isOver(kind.clock, this.until));
    if (isEnough && this.lastError !== undefined) throw this.lastError;
    this.count += 1;
    const before = [
      ...new Set([...(this.record()?.before ?? []), ...listed.map(({ id }) => id), ...this.previousIds()]),
    ];
    const send = () =>
      kind.calls.create(body, this.until, () => {
        this.sentMs = kind.clock.now();
        this.write({ before });
      });
    try {
      // After a lost answer, the caller lists before each POST.
      const target = { kind, tunnelIds, ...(isFreedNow && { isFreedNow }) };
      const { id, shown } = await (this.count === 1 ? retryWhileBusy(target, send, this.until) : send());
      if (rules.shown(shown, body) === "others") {
        this.lastError = failed(answeredAnother(label, id));
        return undefined;
      }
      this.isAccepted = id === undefined;
      return id;
    } catch (error) {
      return this.afterFailure(error);
    }
  }

  /** Returns if the caller has to list again: the answer is lost, or the cause of the refusal is gone. @throws the refusal with its cause. */
  private async afterFailure(error: unknown): Promise<undefined> {
    const { kind, onRefusal } = this.creation;
    // A refusal of a later POST can mean that an earlier one has taken effect.
    const isFinal = saysOf(error, kind.tunnels ? sharePlace : tunnelPlace) === "for good";
    if (mayHaveRun(error) || (this.lastError !== undefined && !isFinal)) {
      this.lastError = error as Error;
      return;
    }
    // The record of a POST that may have taken effect stays for the next run.
    if (this.lastError !== undefined) throw error;
    kind.records.remove(this.name);
    await onRefusal(error);
    if (isOver(kind.clock, this.until)) throw error;
    await kind.clock.sleep(pauseAfter(kind.clock.now() - this.startedMs, kind.clock.random()), this.until.signal);
    this.count = 0;
  }

  /**
   * Waits until the answered id is DEPLOYED. The id counts only once a read shows the required values that were sent. Returns undefined if
   * the caller has to list again: a read shows others, or no read shows the id for 30 s.
   */
  async awaitDeployed(id: string): Promise<Created<Wire> | undefined> {
    const { kind, label, body, rules, tunnelIds = [] } = this.creation;
    kind.inventory.noteWrite(id, tunnelIds);
    const { proof, waited } = await awaitAnswered(
      kind,
      id,
      (seen) => rules.shown(seen, body),
      () => this.recordId(id),
      this.until,
    );
    if (proof === "another's") {
      this.lastError = failed(answeredAnother(label, id));
      return undefined;
    }
    if (proof === "own") return { id, waited };
    // Nothing contradicts the id, so the state gets it. The record says that a later run has to look at the resource first.
    kind.ledger.record("acquired", id);
    this.write({ before: this.record()?.before ?? [], answered: id });
    if (proof === "none") return { id, waited };
    this.isAccepted = true;
    this.unshown = { id, waited: { ...waited, why: "timed-out" } as Waited<Wire, Wire> };
    return undefined;
  }

  /** Records the id of this resource, and returns the id. */
  recordId(id: string): string {
    const { kind, tunnelIds = [] } = this.creation;
    kind.ledger.record("acquired", id);
    kind.inventory.noteWrite(id, tunnelIds);
    this.write({ before: [], id });
    return id;
  }

  private write(of: Pick<CreationRecord, "before" | "id" | "answered">): void {
    const { kind, rules, body, isNameDerived } = this.creation;
    const { name, origin } = this;
    const { requestTimeoutMs } = this.service.config;
    const required = hashOf(rules.required(body));
    const record = { origin, required, postedAtMs: kind.clock.wall(), requestTimeoutMs, ...of };
    kind.records.write(name, isNameDerived ? { ...record, name } : record);
  }

  /** Returns the ids that had the name in this run. A stale list can still show a deleted one, or lack one that exists. */
  private previousIds(): string[] {
    const { declarations, ledger } = this.creation.kind;
    return [...declarations.idsOf(this.origin), ...ledger.pendingAt({ name: this.name })];
  }
}
