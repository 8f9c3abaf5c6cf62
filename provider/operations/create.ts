import { mayHaveRun } from "../api/collection";
import type { Named } from "../api/types";
import type { Config } from "../config";
import { failed, FrontdoorError } from "../errors";
import { canHaveCreated, type CreationRecord, hashOf } from "../ledger/creation-records";
import { adopted, identicalExists, notShown, resumed, resumeRefused } from "../messages/messages";
import type { Kind, Service } from "../service";
import { isOver, type Until } from "../time/clock";
import { pauseAfter } from "../time/ticks";
import { createStep } from "./create-step";
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
  /** Returns the required fields in canonical form. */
  required: (from: object) => unknown[];
  /** Called when the service refuses the POST. Returns once the holder of the place is gone, else throws the error with its cause. */
  onRefusal: (error: unknown) => Promise<void>;
}

/** A resource that was created or found. */
export interface Created<Wire> {
  id: string;
  /** The resource as a list showed it. Undefined if the answer to the POST had the id. */
  found?: Wire;
  /** True if a creation record named the id, so that this stack certainly created the resource. */
  isNamedByRecord?: boolean;
}

const mostPosts = 3;

/**
 * Creates exactly one resource. Lists the resources of its name before each POST, and after a lost answer until that POST can no longer
 * take effect. The decisions are in create-step.ts. @throws FrontdoorError.
 */
export async function createOnce<Wire extends Named>(
  creation: Creation<Wire>,
  service: Service,
  until: Until,
): Promise<Created<Wire>> {
  const { kind, label, body, isNameDerived } = creation;
  const takeOver = takeOverFor(service.config, isNameDerived);
  const startedMs = kind.clock.now();
  const post = new Post(creation, service, until);
  for (;;) {
    const record = post.record();
    // Decided before the list: the POST may take effect after the service has made the list.
    const canTakeEffect = post.canTakeEffect(record);
    // An id that this run owns belongs to another resource of the program.
    const listed = (await kind.inventory.named(body.name, until)).filter(
      ({ id }) => kind.ledger.stateOf(id) !== "owned",
    );
    const found = listed.find((entry) => (record ? post.isMatch(record, entry) : creation.isIdentical(entry)));
    const step = createStep({
      record: record === undefined ? "none" : record.id === undefined ? "without id" : "with id",
      shows: found ? "a match" : "nothing",
      canTakeEffect,
      // The setting is about POSTs of earlier runs. A POST of this run is always resumed.
      takeOver: post.count > 0 ? "interrupted" : takeOver,
    });
    if (found) {
      if (step === "refuse") throw failed(identicalExists(label, found.id));
      if (step === "refuse to resume") throw failed(resumeRefused(label, found.id));
      if (post.count === 0) service.say((step === "resume" ? resumed : adopted)(label, found.id));
      return { id: post.recordId(found.id), found, isNamedByRecord: record?.id === found.id };
    }
    if (step === "post") {
      const id = await post.send(listed);
      if (id !== undefined) return { id: post.recordId(id) };
      continue;
    }
    if (isOver(kind.clock, until)) throw post.lastError ?? new FrontdoorError(notShown(label), { kind: "timed-out" });
    await kind.clock.sleep(pauseAfter(kind.clock.now() - startedMs, kind.clock.random()), until.signal);
  }
}

/** Returns the setting for one create: `alike` applies only to a derived name. */
const takeOverFor = ({ takeOver }: Config, isNameDerived: boolean) =>
  takeOver === "alike" && !isNameDerived ? "interrupted" : takeOver;

/** The POSTs of one create, and the creation record that each writes before it is sent. */
class Post<Wire extends Named> {
  /** The number of POSTs since the start or the last refusal. */
  count = 0;
  /** The error of the last lost answer. */
  lastError: Error | undefined;
  /** True if the service has accepted a POST without returning the id. Then no other POST is sent. */
  private isAccepted = false;
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

  /** True if the POST of the record may still take effect. */
  canTakeEffect(record: CreationRecord | undefined): boolean {
    if (this.isAccepted) return true;
    const { clock, config } = this.service;
    return record !== undefined && clock.wall() <= record.postedAtMs + config.requestTimeoutMs + lateEffectMs;
  }

  /** True if the POST of the record can have created the entry. */
  isMatch(record: CreationRecord, entry: Wire): boolean {
    const hasRequired = record.id !== undefined || hashOf(this.creation.required(entry)) === record.required;
    return hasRequired && canHaveCreated(record, entry.id);
  }

  /**
   * Sends one POST. Returns its id, or undefined if the caller has to list again: the answer is lost or lacks the id, or the cause of a
   * refusal is gone. @throws the refusal with its cause, or the error of the last POST that is allowed.
   */
  async send(listed: Wire[]): Promise<string | undefined> {
    const { kind, body, tunnelIds = [], isFreedNow, onRefusal } = this.creation;
    const { until } = this;
    const isEnough = this.count >= mostPosts || (this.count > 0 && isOver(kind.clock, this.until));
    if (isEnough && this.lastError !== undefined) throw this.lastError;
    this.count += 1;
    const before = [
      ...new Set([...(this.record()?.before ?? []), ...listed.map(({ id }) => id), ...this.previousIds()]),
    ];
    const send = () =>
      kind.calls.create(body, this.until, () => {
        this.write({ before });
      });
    try {
      // After a lost answer, the caller lists before each POST.
      const target = { kind, tunnelIds, ...(isFreedNow && { isFreedNow }) };
      const id = await (this.count === 1 ? retryWhileBusy(target, send, until) : send());
      this.isAccepted = id === undefined;
      return id;
    } catch (error) {
      // A refusal of a later POST can mean that an earlier one has taken effect.
      const isFinal = saysOf(error, kind.tunnels ? sharePlace : tunnelPlace) === "for good";
      if (mayHaveRun(error) || (this.lastError !== undefined && !isFinal)) {
        this.lastError = error as Error;
        return undefined;
      }
      // The record of a POST that may have taken effect stays for the next run.
      if (this.lastError !== undefined) throw error;
      kind.records.remove(this.name);
      await onRefusal(error);
      if (isOver(kind.clock, until)) throw error;
      await kind.clock.sleep(pauseAfter(kind.clock.now() - this.startedMs, kind.clock.random()), until.signal);
      this.count = 0;
      return undefined;
    }
  }

  /** Records the id of this resource, and returns the id. */
  recordId(id: string): string {
    const { kind, tunnelIds = [] } = this.creation;
    kind.ledger.record("acquired", id);
    kind.inventory.noteWrite(id, tunnelIds);
    this.write({ before: [], id });
    return id;
  }

  private write(of: Pick<CreationRecord, "before" | "id">): void {
    const { kind, required, body, isNameDerived } = this.creation;
    const { name, origin } = this;
    const record = { origin, required: hashOf(required(body)), postedAtMs: kind.clock.wall(), ...of };
    kind.records.write(name, isNameDerived ? { ...record, name } : record);
  }

  /** Returns the ids that had the name in this run. A stale list can still show a deleted one, or lack one that exists. */
  private previousIds(): string[] {
    const { declarations, ledger } = this.creation.kind;
    return [...declarations.idsOf(this.origin), ...ledger.pendingAt({ name: this.name })];
  }
}
