import { isPresent, type WireShare } from "../api/wire";
import { failed, FrontdoorError, troubleOf } from "../errors";
import { UNKNOWN } from "../fields/field";
import type { ShareOutputs } from "../fields/share";
import { isNameDerived, keyed, type Notes, notesOf, type Outcome, withServiceName } from "../lifecycle/lifecycle";
import { firstOf, portCycle, portOfKey, setUnfinished, staysAtService } from "../messages";
import type { Context, FrontDoor } from "../operations/service";
import { canBeDerivedInStackOf } from "./names";
import { compareShare, createShare, deleteShare } from "./share";
import * as set from "./share-set-inputs";
import { updateShare } from "./share-update";

type InState = ReadonlyMap<string, set.StateShare>;

/** The checked inputs of a key. */
type Wanted = set.KeyInputs & Notes;

/** The next state of a key's share, and the reason if the share is not as declared. */
interface KeyOutcome {
  share?: set.StateShare | undefined;
  error?: Error | undefined;
}

/**
 * Creates or updates a set. The shares are written at the same time, but a share that needs the port of another waits for that share.
 * If one fails, the others continue. Shares of removed keys are deleted last, or before the share that needs their port.
 * @throws FrontdoorError `failed` if ports change places in a cycle.
 */
export async function updateSet(
  context: Context,
  before: InState,
  inputs: set.ShareSetInputs,
): Promise<Omit<Outcome<set.ShareSetOutputs>, "id">> {
  const update = new SetUpdate(context, before, inputs);
  const ends = await update.run(inputs.ipsecTunnelId);
  const shares = ends.flatMap(([key, { share }]) => (share ? [[key, share] as const] : []));
  const outputs = set.setOutputs(inputs, new Map(shares));
  const wrong = ends.flatMap(([key, { error }]) => (error ? [[keyed("shares", key), error] as const] : []));
  if (wrong.length === 0) return { outputs };
  // The error has the first reasons in short. The log has ten of them in full.
  const reasons = wrong.map(([path, { message }]) => `${path}: ${message}`);
  for (const reason of firstOf(reasons)) context.service.say(`${update.label}: ${reason}`);
  const isLate = wrong.some(([, error]) => troubleOf(error)?.kind === "timed-out");
  const codes = new Set(wrong.map(([, error]) => (error as Partial<FrontdoorError>).code ?? ""));
  const count = Math.max(update.wanted.size, wrong.length);
  const message = setUnfinished(update.label, wrong.length, count, reasons, codes);
  const notesSent = shares.some(([, share]) => share.outputs.__sent !== undefined);
  return { outputs, notesSent, unfinished: new FrontdoorError(message, { kind: isLate ? "timed-out" : "failed" }) };
}

/** The number of keys that a set works on at once. Each of them waits until its share is ready. */
export const mostAtOnce = 1_000;

/** The work of one create or update of a set. */
class SetUpdate {
  readonly label: string;
  readonly wanted: ReadonlyMap<string, Wanted>;
  private readonly keys: readonly string[];
  private readonly frontDoor: FrontDoor;
  private readonly outcomes = new Map<string, Promise<KeyOutcome>>();
  /** The keys that wait: each with the key whose share has to free the port first. */
  private holders: ReadonlyMap<string, string> = new Map();
  private readonly turns: (() => void)[] = [];
  private atOnce = 0;
  private done = 0;

  constructor(
    private readonly context: Context,
    private readonly before: InState,
    inputs: set.ShareSetInputs,
  ) {
    this.label = set.setLabel(inputs);
    // Nothing is unknown any more.
    this.wanted = set.plannedShares(inputs) as ReadonlyMap<string, Wanted>;
    this.keys = [...new Set([...this.wanted.keys(), ...before.keys()])];
    this.frontDoor = context.service.frontDoor(inputs.frontdoorId);
  }

  /** Writes the wanted shares, then deletes those of removed keys. */
  async run(tunnelId: string): Promise<[key: string, outcome: KeyOutcome][]> {
    const { before, wanted } = this;
    const listed = await this.listed(tunnelId);
    this.holders = portHolders(before, wanted, listed);
    refuseCycle(this.label, this.holders);
    // With `--replace`, Pulumi creates the new set before it deletes the old one. So the port of some keys may still be the old set's.
    // Their creates would fail with `port-in-use`. They go first so that then no other share is created.
    const first = before.size === 0 ? await this.work(this.keysOnOwnPorts(listed)) : [];
    if (first.every(({ share }) => share !== undefined)) {
      const hasFailed = (await this.work([...wanted.keys()])).some(({ error }) => error !== undefined);
      // After a failed write, the share of a removed key stays, unless another resource owns it.
      const isStaying = ({ id }: set.StateShare) => hasFailed && this.frontDoor.shares.ledger.stateOf(id) !== "owned";
      await this.work([...before].flatMap(([key, share]) => (wanted.has(key) || isStaying(share) ? [] : [key])));
    }
    return Promise.all(
      this.keys.map(async (key) => [key, (await this.outcomes.get(key)) ?? { share: before.get(key) }]),
    );
  }

  /** Returns the shares on the tunnel, if a key adopts one, or if the state has no share yet. */
  private async listed(ipsecTunnelId: string): Promise<WireShare[]> {
    const { calls, ledger } = this.frontDoor.shares;
    const adopted = [...this.wanted].flatMap(([key, { adopt }]) => (this.before.has(key) ? [] : (adopt ?? [])));
    // The program has these ids, even if their adoption fails: with --continue-on-error, Pulumi still deletes what the program removed.
    for (const id of adopted) ledger.own(id);
    if (adopted.length === 0 && (this.before.size > 0 || this.wanted.size === 0)) return [];
    const { entries } = await calls
      .list([["ipsecTunnelId", ipsecTunnelId]], this.context)
      .catch(() => ({ entries: [] }));
    return entries.filter((share) => share.ipsecTunnelId === ipsecTunnelId && isPresent(share));
  }

  /** Returns the keys whose port has a share of this stack, as far as the name of that share shows. Keys that adopt do not count. */
  private keysOnOwnPorts(listed: WireShare[]): string[] {
    const origin = this.frontDoor.shares.declarations.anyOrigin() ?? "";
    const nameOn = new Map(listed.map(({ ingressPort, name }) => [ingressPort, name]));
    return [...this.wanted].flatMap(([key, { name, ingressPort, adopt }]) => {
      const other = adopt === undefined ? nameOn.get(ingressPort) : undefined;
      return other !== undefined && (other === name || canBeDerivedInStackOf(origin, other)) ? [key] : [];
    });
  }

  private work = (keys: string[]): Promise<KeyOutcome[]> => Promise.all(keys.map((key) => this.outcomeOf(key)));

  /** Does the work of one key once: a second call gets the same outcome. Never rejects. */
  private outcomeOf(key: string): Promise<KeyOutcome> {
    const known =
      this.outcomes.get(key) ??
      this.doKey(key, this.before.get(key), this.wanted.get(key)).catch((error: unknown) => ({
        share: this.before.get(key),
        error: error as Error,
      }));
    this.outcomes.set(key, known);
    return known;
  }

  /** Waits for the port of a key, and for its turn, and writes. @throws FrontdoorError if the share stays as it is in the state. */
  private async doKey(key: string, share?: set.StateShare, wanted?: Wanted): Promise<KeyOutcome> {
    const write = await this.writeOf(key, share, wanted);
    const holder = this.holders.get(key);
    if (wanted && holder !== undefined && (await this.outcomeOf(holder)).error !== undefined)
      throw failed(portOfKey(wanted.ingressPort, keyed("shares", holder)));
    if (this.atOnce === mostAtOnce) await new Promise<void>((go) => this.turns.push(go));
    else this.atOnce += 1;
    return write().finally(() => {
      this.context.report?.(`${(this.done += 1)}/${this.keys.length} shares done`);
      const next = this.turns.shift();
      if (next) next();
      else this.atOnce -= 1;
    });
  }

  /** Compares a key with the state, and returns the work that it needs, which the functions of a single share do. */
  private async writeOf(key: string, share?: set.StateShare, wanted?: Wanted): Promise<() => Promise<KeyOutcome>> {
    // The progress of a set is the number of its shares that are done.
    const context = { ...this.context, report: undefined };
    if (!wanted) return () => this.remove(key, share, context);
    const kept = (made: Outcome<ShareOutputs>): KeyOutcome => {
      const { outputs, id, unfinished } = made;
      const __retain = wanted.retain === true ? (true as const) : undefined;
      return { share: { id, outputs: { ...outputs, ...notesOf(outputs, wanted), __retain } }, error: unfinished };
    };
    const create = async () => kept(await createShare(wanted, isNameDerived(wanted), context));
    if (!share) return create;
    const { id, outputs } = share;
    const news = withServiceName(outputs, wanted);
    const { changes, replaces } = await compareShare(context, id, outputs, news);
    // The share is gone, or an update cannot help: its front door or tunnel changes.
    if (replaces.length > 0)
      return async () => {
        await deleteShare(id, outputs, context);
        // The old share is gone, whatever comes of the new one.
        return create().catch((error: unknown) => ({ error: error as Error }));
      };
    // The set owns a share whose key stays, even if its update fails.
    this.frontDoor.shares.ledger.own(id);
    return async () => kept(changes ? await updateShare(id, outputs, news, context) : { id, outputs });
  }

  /** Deletes the share of a removed key, unless the state says to retain it. */
  private async remove(key: string, share: set.StateShare | undefined, context: Context): Promise<KeyOutcome> {
    if (!share) return {};
    const { id, outputs } = share;
    if (outputs.__retain) context.service.say(staysAtService(this.label, keyed("shares", key), id));
    else await deleteShare(id, outputs, context);
    return {};
  }
}

/**
 * Returns, for each key that needs the port of another key, that other key. The other share has to leave the port first. A share that a
 * new key adopts counts as the share of that key.
 */
export function portHolders(
  inState: InState,
  planned: set.PlannedShares = new Map(),
  listed: readonly WireShare[] = [],
): Map<string, string> {
  const portOf = (share: Pick<set.PlannedShare, "ipsecTunnelId" | "ingressPort">) =>
    `${String(share.ipsecTunnelId)} ${String(share.ingressPort)}`;
  const keyOf = new Map<unknown, string>([...inState].map(([key, { id }]) => [id, key]));
  for (const [key, share] of planned)
    if (share !== UNKNOWN && share.adopt !== undefined && !inState.has(key)) keyOf.set(share.adopt, key);
  const there = [...[...inState.values()].map(({ id, outputs }) => ({ ...outputs, id })), ...listed];
  const keyOn = new Map(there.filter(isPresent).map((share) => [portOf(share), keyOf.get(share.id)]));
  return new Map(
    [...planned].flatMap(([key, share]) => {
      const holder = share === UNKNOWN ? undefined : keyOn.get(portOf(share));
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
