import { isPresent, type WireShare } from "../api/wire";
import { failed, FrontdoorError, isSeenElsewhere, mayHaveRun, troubleOf } from "../errors";
import { acceptedNow, sentNow, settlesAtOf } from "../converge/progress";
import { UNKNOWN } from "../fields/field";
import { rules, type ShareOutputs } from "../fields/share";
import type { Outcome } from "../lifecycle/contract";
import { keyed } from "../lifecycle/differences";
import { isNameDerived, notesOf, withFrontdoorName } from "../lifecycle/lifecycle";
import { firstOf, staysAtService } from "../messages";
import { nameOfKey, portCycle, portOfKey, setUnfinished } from "../share-set-messages";
import type { Context, Kind } from "../run/service";
import { compareShare, deleteShare, shares as single } from "./share";
import * as set from "./share-set-inputs";
import type { DeclaredShare, StateShare } from "./share-set-inputs";

type InState = ReadonlyMap<string, StateShare>;

/** The next state of a key's share, and the reason if the share is not as declared. */
interface KeyOutcome {
  share?: StateShare | undefined;
  error?: Error | undefined;
}

/**
 * Creates or updates a set. The shares are written at the same time, but a share that needs the port of another waits for that share.
 * If one fails, the others continue. Shares of removed keys are deleted last, or before the share that needs their port or name.
 * @throws FrontdoorError `failed` if ports change places in a cycle.
 */
export async function updateSet(
  context: Context,
  before: InState,
  inputs: set.ShareSetInputs,
): Promise<Omit<Outcome<set.ShareSetOutputs>, "id">> {
  const label = set.setLabel(inputs);
  const ends = await new SetUpdate(context, before, inputs).run();
  const shares = ends.flatMap(([key, { share }]) => (share ? [[key, share] as const] : []));
  const outputs = set.setOutputs(inputs, new Map(shares));
  const errors = ends.flatMap(([key, { error }]) => (error ? [[keyed("shares", key), error] as const] : []));
  // An error hook can make Pulumi repeat a write that was unfinished.
  context.service.register.made(inputs.name, errors.length > 0);
  if (errors.length === 0) return { outputs };
  // The error has the first reasons in short. The log has ten of them in full.
  const reasons = errors.map(([path, { message }]) => `${path}: ${message}`);
  for (const reason of firstOf(reasons)) context.service.say(`${label}: ${reason}`);
  const elsewhere = errors.map(([, error]) => error).find(isSeenElsewhere);
  if (elsewhere) return { outputs, unfinished: elsewhere };
  const isLate = errors.some(([, error]) => troubleOf(error)?.kind === "timed-out");
  const codes = new Set(errors.map(([, error]) => (error as Partial<FrontdoorError>).code ?? ""));
  const count = Math.max(Object.keys(inputs.shares).length, errors.length);
  const message = setUnfinished(label, errors.length, count, reasons, codes);
  return { outputs, unfinished: new FrontdoorError(message, { kind: isLate ? "timed-out" : "failed" }) };
}

/** True if Frontdoor has accepted the delete that ended in this error, or if the answer was lost. */
const canHaveDeleted = (error: unknown): boolean =>
  (error as Partial<FrontdoorError>).code === "not-deleted" || mayHaveRun(error);

/**
 * The work of one create or update of a set. All keys of the program are worked on at once: each is compared with the state, waits for the key
 * that has its port or name, and is written as a single share is. The removed keys follow.
 */
class SetUpdate {
  private readonly context: Context;
  private readonly declared: ReadonlyMap<string, DeclaredShare>;
  private readonly keys: readonly string[];
  private readonly kind: Kind<WireShare>;
  private readonly outcomes = new Map<string, Promise<KeyOutcome>>();
  /** The keys that wait: each with the key whose share has to free the port first. */
  private holders: ReadonlyMap<string, string> = new Map();
  /** The removed keys, by the name of their share. */
  private namesakes: ReadonlyMap<string, string> = new Map();
  private done = 0;

  constructor(
    private readonly asked: Context,
    private readonly before: InState,
    private readonly inputs: set.ShareSetInputs,
  ) {
    // The progress of a set is the number of its shares that are done.
    this.context = { ...asked, report: undefined };
    // Nothing is unknown any more.
    this.declared = set.declaredShares(inputs) as ReadonlyMap<string, DeclaredShare>;
    this.keys = [...new Set([...this.declared.keys(), ...before.keys()])];
    this.kind = asked.service.frontDoor(inputs.frontdoorId).shares;
  }

  /** Writes the declared shares, then deletes those of removed keys. */
  async run(): Promise<[key: string, outcome: KeyOutcome][]> {
    const { before, declared, kind } = this;
    const listed = await this.listed();
    this.holders = portHolders(before, declared, listed);
    refuseCycle(set.setLabel(this.inputs), this.holders);
    const kept = [...declared.keys()];
    const removed = [...before.keys()].filter((key) => !declared.has(key));
    this.namesakes = new Map(removed.map((key) => [before.get(key)?.outputs.name ?? "", key]));
    const hasFailed = (await this.work(kept)).some(({ error }) => error !== undefined);
    // After a failed write, the share of a removed key stays, unless another resource owns it.
    const isOwned = (key: string) => kind.register.fateOf(before.get(key)?.id ?? "") === "stays";
    await this.work(hasFailed ? removed.filter(isOwned) : removed);
    const unchanged = (key: string): KeyOutcome => ({ share: before.get(key) });
    return Promise.all(this.keys.map(async (key) => [key, (await this.outcomes.get(key)) ?? unchanged(key)]));
  }

  /** Returns the shares on the tunnel if a key adopts one. */
  private async listed(): Promise<WireShare[]> {
    const { calls, register } = this.kind;
    const { ipsecTunnelId } = this.inputs;
    const adopted = [...this.declared].flatMap(([key, { adopt }]) => (this.before.has(key) ? [] : (adopt ?? [])));
    // The program has these ids, even if their adoption fails: with --continue-on-error, Pulumi still deletes what the program removed.
    // An id that this run has deleted with its tunnel is made anew, as that of a single share.
    for (const id of adopted) if (register.fateOf(id) !== "goes") register.keeps(id);
    if (adopted.length === 0) return [];
    const { entries } = await calls
      .list([["ipsecTunnelId", ipsecTunnelId]], this.context)
      .catch(() => ({ entries: [] }));
    return entries.filter((share) => share.ipsecTunnelId === ipsecTunnelId && isPresent(share));
  }

  private work = (keys: string[]): Promise<KeyOutcome[]> => Promise.all(keys.map((key) => this.outcomeOf(key)));

  /** Does the work of one key once: a second call gets the same outcome. Never rejects. */
  private outcomeOf(key: string): Promise<KeyOutcome> {
    const share = this.before.get(key);
    const outcome =
      this.outcomes.get(key) ?? this.doKey(key, share).catch((error: unknown) => ({ share, error: error as Error }));
    this.outcomes.set(key, outcome);
    return outcome;
  }

  /** Waits for the port and the name of a key, and writes. @throws FrontdoorError if the share stays as it is in the state. */
  private async doKey(key: string, share: StateShare | undefined): Promise<KeyOutcome> {
    const declared = this.declared.get(key);
    const write = declared ? await this.writeOf(key, share, declared) : () => this.remove(key, share);
    if (declared) {
      const { ingressPort, name } = declared;
      await this.awaitFreed(this.holders.get(key), (holder) => portOfKey(ingressPort, holder));
      if (share?.outputs.name !== name) await this.awaitFreed(this.namesakes.get(name), nameOfKey);
    }
    return write().finally(() => this.asked.report?.(`${(this.done += 1)}/${this.keys.length} shares done`));
  }

  /** Waits for the work of the key whose share has what another one needs. @throws FrontdoorError `failed` if that share still has it. */
  private async awaitFreed(holder: string | undefined, messageOf: (path: string) => string): Promise<void> {
    if (holder === undefined) return;
    const { error, share } = await this.outcomeOf(holder);
    if (error && share && share.outputs.status !== "DELETED") throw failed(messageOf(keyed("shares", holder)));
  }

  /** Compares a key with the state, and returns the work that it needs, which the functions of a single share do. */
  private async writeOf(
    key: string,
    share: StateShare | undefined,
    declared: DeclaredShare,
  ): Promise<() => Promise<KeyOutcome>> {
    const context = { ...this.context, secrets: set.secretsOfKey(this.asked.secrets, key) };
    const outcomeWith = ({ id, outputs, unfinished }: Outcome<ShareOutputs>): KeyOutcome => {
      const { __set = rules.setBy(declared) } = outputs;
      const __retain = declared.retain ? true : undefined;
      return {
        share: { id, outputs: { ...outputs, ...notesOf(outputs, declared), __set, __retain } },
        error: unfinished,
      };
    };
    const create = async () => outcomeWith(await single.create(context, declared, isNameDerived(declared)));
    if (!share) return create;
    const { id, outputs } = share;
    const inputs = withFrontdoorName(outputs, declared);
    const { changes, replaces } = await compareShare(context, id, outputs, inputs);
    // The share is gone, or an update cannot help: its front door or tunnel changes.
    if (replaces.length > 0)
      return async () => {
        const deleted = await this.delete(share);
        // Once the old share is gone, it leaves the state, whatever comes of the new one.
        return deleted.error ? deleted : create().catch((error: unknown) => ({ error: error as Error }));
      };
    // The set owns a share whose key stays, even if its update fails.
    this.kind.register.keeps(id);
    return async () => outcomeWith(changes ? await single.update(context, id, outputs, inputs) : share);
  }

  /** Deletes the share of a removed key, unless the state says to retain it. */
  private async remove(key: string, share: StateShare | undefined): Promise<KeyOutcome> {
    if (!share) return {};
    const { id, outputs } = share;
    const { service } = this.context;
    if (!outputs.__retain) return this.delete(share);
    service.say(staysAtService(`${set.setLabel(this.inputs)}: ${keyed("shares", key)} (${id})`));
    return {};
  }

  /**
   * Deletes a share. If Frontdoor can have accepted a delete that has not ended, the state says DELETING: the program may give the key
   * again, and the next run must not take the share for one that stays. @throws FrontdoorError if nothing was deleted.
   */
  private async delete({ id, outputs }: StateShare): Promise<KeyOutcome> {
    try {
      await deleteShare(this.context, id, outputs);
      return {};
    } catch (error) {
      if (!canHaveDeleted(error)) throw error;
      const { clock } = this.kind;
      const { requestTimeoutMs } = this.context.service.config;
      const write = mayHaveRun(error) ? sentNow(clock, requestTimeoutMs) : acceptedNow(clock);
      const __settlesAt = settlesAtOf(clock, write);
      return {
        share: { id, outputs: { ...outputs, status: "DELETING", __settlesAt } },
        error: error as Error,
      };
    }
  }
}

/**
 * Returns, for each key that needs the port of another key, that other key. The other share has to leave the port first. A share that a
 * new key adopts counts as the share of that key.
 */
export function portHolders(
  inState: InState,
  declared: set.DeclaredShares = new Map(),
  listed: readonly WireShare[] = [],
): Map<string, string> {
  const portOf = (share: { ipsecTunnelId: unknown; ingressPort: unknown }) =>
    `${String(share.ipsecTunnelId)} ${String(share.ingressPort)}`;
  const known = [...declared].flatMap(([key, share]) => (share === UNKNOWN ? [] : [[key, share] as const]));
  const keyOf = new Map<unknown, string>([
    ...[...inState].map(([key, { id }]) => [id, key] as const),
    ...known.flatMap(([key, { adopt }]) => (adopt === undefined || inState.has(key) ? [] : [[adopt, key] as const])),
  ]);
  const present = [...[...inState.values()].map(({ id, outputs }) => ({ ...outputs, id })), ...listed].filter(
    isPresent,
  );
  const keyOn = new Map(present.map((share) => [portOf(share), keyOf.get(share.id)]));
  return new Map(
    known.flatMap(([key, share]) => {
      const holder = keyOn.get(portOf(share));
      return holder === undefined || holder === key ? [] : [[key, holder]];
    }),
  );
}

/** Refuses shares that wait for one another's ports in a cycle. @throws FrontdoorError `failed` that names the keys. */
export function refuseCycle(label: string, holders: ReadonlyMap<string, string>): void {
  // A cycle is found in the same order, however a program orders its keys.
  for (const first of [...holders.keys()].sort()) {
    const path = [keyed("shares", first)];
    for (let key = holders.get(first); key !== undefined && path.length <= holders.size; key = holders.get(key)) {
      if (key === first) throw failed(portCycle(label, path));
      path.push(keyed("shares", key));
    }
  }
}
