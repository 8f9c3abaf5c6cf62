import { isFailed, isPresent, type Named, unknownIn } from "../api/wire";
import { createOnce } from "../converge/create";
import {
  type Ended,
  ensure,
  listedOrRead,
  type Plan,
  seenIn,
  type Subject,
  truth,
  whyOf,
  type Write,
} from "../converge/ensure";
import { lacking, lastWriteIn, settlesAtOf } from "../converge/progress";
import { Sender } from "../converge/send";
import { asReason, failed, FrontdoorError, isHidden, isRefused } from "../errors";
import { defined, has, pick, type Planned } from "../fields/field";
import type { StateBase } from "../fields/rules";
import type { Comparison, Diff, Lifecycle, Notes, Outcome } from "../lifecycle/contract";
import { checkedName } from "../lifecycle/lifecycle";
import { changedOutside, pendingDelete, replacementNeeded, resourceGone, settingsReset } from "../messages";
import { interrupted, replaceRequests, statusPrefix } from "../preview-lines";
import type { Context, FrontDoor, Kind, Service } from "../run/service";
import { type Adopting, deleteUnlessOwned, findExisting, noteVerdict, placeOf } from "./adopt";
import { labelled } from "./names";
import { asShown, failedBy, fromTable, notReady, type Type, type Unready } from "./resource";

/** The arguments that each of these resources has. */
interface Arguments extends Adopting {
  ipsecTunnelId?: string;
}

/** What each state has besides the arguments. */
type State = StateBase & Arguments & { status: string };

/** A resource that Frontdoor changes in place: by PATCH, and by PUT after a failure or to clear an argument. */
interface UpdatableType<Wire extends Named, Inputs, Outputs extends State> extends Type<Outputs> {
  kind: (frontDoor: FrontDoor) => Kind<Wire>;
  codes: { ended: string; incomplete: string; gone: string };
  /** Returns arguments that an update also changes, though the program does not give them. */
  alsoChanged?: (context: Context, id: string, state: Outputs, inputs: Inputs) => Promise<Partial<Inputs>>;
}

/** An update: from what the state has to what the program declares. */
interface Change<Wire extends Named, Inputs, Outputs> {
  subject: Subject<Wire>;
  state: Outputs;
  inputs: Inputs;
}

/** The lifecycle of a resource that Frontdoor changes in place, from its table. */
export class Updatable<Wire extends Named, Inputs extends Arguments, Outputs extends State> {
  private readonly label: (name: string, id?: string) => string;
  /** The word for one in messages, such as "share". */
  private readonly noun: string;

  constructor(private readonly type: UpdatableType<Wire, Inputs, Outputs>) {
    this.label = labelled(type.words);
    this.noun = type.words.replace("IPsec ", "");
  }

  lifecycle(service: Service): Lifecycle<Inputs, Outputs> {
    return {
      ...fromTable<Inputs, Outputs>(service, this.type),
      diff: (id, state, inputs, context) => this.compare(context, id, state, inputs),
      preview: (_id, state, inputs, diff) => Promise.resolve(this.preview(state, inputs, diff)),
      create: (inputs, isNameDerived, context) => this.create(context, inputs, isNameDerived),
      read: (id, state, context) => this.read(context, id, state),
      update: (id, state, inputs, context) => this.update(context, id, state, inputs),
      delete: (id, state, context) => this.delete(context, id, state),
    };
  }

  /**
   * Compares a resource with the program, and tells the register what comes of it. `replacing` are arguments that replace it besides those of the
   * table; `isMoved` is true if an update frees its place. Reads only if the state says that the resource is gone. @throws FrontdoorError.
   */
  async compare(
    context: Context,
    id: string,
    state: Outputs,
    inputs: Planned<Inputs> & Notes,
    { replacing = [], isMoved = false }: { replacing?: readonly string[]; isMoved?: boolean } = {},
  ): Promise<Comparison> {
    const { rules } = this.type;
    const kind = this.kindOf(context, state);
    const declared = kind.register.named(checkedName(inputs));
    const replaces = [...this.fixed(state, inputs), ...replacing];
    // If the state says that the resource is gone, a read decides.
    if (!isPresent(state) && !isPresent(await kind.calls.get(id, context))) replaces.push("status");
    const isDifferent = this.changed(state, inputs).length > 0 || rules.clearedFields(state, inputs).length > 0;
    const isReady = state.status === "DEPLOYED";
    const changes = isDifferent || replaces.length > 0 || rules.isNewlySet(state, inputs) || !isReady;
    const what = replaces.length > 0 ? "replace" : isMoved && declared ? "moves" : changes ? "update" : "same";
    const place = { ...placeOf(state), checkedName: String(checkedName(inputs)) };
    noteVerdict(kind, declared?.origin, id, { what, place, goesWithTunnel: replacing.includes("ipsecTunnelId") });
    return {
      changes,
      isOfInputs: isDifferent && replaces.length === 0 && isReady && state.__set !== undefined,
      replaces,
      deleteBeforeReplace: rules.changedFields(state, inputs, "create first").length === 0,
      isConfirmed: !changes && declared !== undefined,
    };
  }

  /** Returns the arguments that differ and that Frontdoor cannot change. */
  private fixed(state: Outputs, inputs: Planned<Inputs>): string[] {
    return this.type.rules.changedFields(state, inputs, "delete first", "create first");
  }

  private changed(state: Outputs, inputs: Planned<Inputs>): string[] {
    return this.type.rules.changedFields(state, inputs, "update");
  }

  /**
   * Plans the write from what state and program say, without a reading: the table "An update" of docs/how-it-works.md. Undefined:
   * no argument has changed. A preview can give inputs that are not known yet. `also` are arguments that change though the program does not
   * give them.
   */
  plan(state: Outputs, inputs: Planned<Inputs>, also: object = {}): Write | undefined {
    const { rules } = this.type;
    const cleared = rules.clearedFields(state, inputs);
    const changed = [...this.changed(state, inputs), ...Object.keys(also)];
    const before = pick(state, [...changed, ...cleared]);
    if (cleared.length > 0 || isFailed(state))
      return { method: "PUT", want: { ...rules.fullBody(inputs as Inputs), ...also }, before };
    return changed.length > 0 ? { method: "PATCH", want: pick({ ...inputs, ...also }, changed), before } : undefined;
  }

  /** Returns the requests that a preview shows. */
  preview(state: Outputs, inputs: Planned<Inputs>, diff: Diff, also: object = {}): string | undefined {
    if (diff.replaces.length > 0) return `${statusPrefix(diff, state)}${replaceRequests(diff)}`;
    const write = this.plan(state, inputs, also);
    if (!write) return undefined;
    const cleared = this.type.rules.clearedFields(state, inputs).filter((name) => !has(write.want, name));
    const without = cleared.length > 0 ? `PUT without ${cleared.join(", ")}` : "PUT";
    const requests = write.method === "PUT" ? without : `PATCH ${Object.keys(write.want).join(", ")}`;
    return `${statusPrefix(diff, state)}${interrupted(requests)}`;
  }

  /** Creates or adopts a resource and waits until it is DEPLOYED. @throws FrontdoorError if there is no resource to save. */
  async create(context: Context, inputs: Inputs, isNameDerived: boolean): Promise<Outcome<Outputs>> {
    const { rules } = this.type;
    const kind = this.kindOf(context, inputs);
    const creation = { kind, label: this.label(inputs.name), inputs, isNameDerived };
    const existing = await findExisting(creation, context);
    if (existing) {
      const { seen, inputs: adopted } = existing;
      return this.reconcile(context, seen.id, this.stateOf(seen, adopted), adopted);
    }
    await this.awaitPending(context, inputs);
    const sent = rules.fullBody(inputs);
    const isIdentical = (entry: Wire) =>
      rules.differingArguments(entry, inputs).length === 0 && !rules.isPartial(entry, inputs);
    const created = await createOnce({ ...creation, tunnelIds: tunnelsOf(inputs), body: sent, isIdentical }, context);
    const { id, found } = created;
    const __settlesAt = settlesAtOf(kind.clock, created.write);
    if (found && !(isIdentical(found) && ["NEW", "DEPLOYED"].includes(found.status))) {
      const state = { ...this.stateOf(found, inputs), __settlesAt };
      // The id must reach the state, whatever fails from here on.
      return this.reconcile(context, id, state, inputs).catch((error: unknown) =>
        this.unfinished(id, { ...state, status: "NEW" }, failedBy(error)),
      );
    }
    const subject = { ...creation, id, status: "NEW", lastWrite: created.write };
    const sender = Sender.afterAccepted(subject, { ...created.write, isLost: false });
    const waited = created.waited ?? (await ensure(subject, { want: sent }, sender, context));
    if (waited.now === "done" && waited.value)
      return this.deployed(context, waited.value, inputs, { sent, __settlesAt });
    const status = seenIn(waited)?.status ?? "NEW";
    return this.unfinished(id, { ...this.stateAt(status, inputs), __settlesAt }, whyOf(waited));
  }

  /** Returns the state of a resource that shows these values. Another spelling of an argument is as declared. */
  private stateOf(seen: { name: string; status: string }, inputs: Inputs): Outputs {
    return this.type.rules.outputsOf(seen, { ...inputs, __set: this.type.rules.setBy(inputs) });
  }

  /** Returns the state of a resource of this status that no reading has shown: it has what the program declares. */
  private stateAt(status: string, inputs: Inputs): Outputs {
    return this.stateOf({ ...inputs, status }, inputs);
  }

  /** Waits for the resources that leave the name or the port of a new one in this run. @throws FrontdoorError `failed` if one stays. */
  private async awaitPending(context: Context, inputs: Inputs): Promise<void> {
    const { register } = this.kindOf(context, inputs);
    for (const id of register.pendingAt(placeOf(inputs))) {
      const error = await register.awaitFreed(id, context);
      if (error) throw failed(pendingDelete(this.label(inputs.name), id, asReason(error.message)));
    }
  }

  /** Returns the resource as Frontdoor shows it, or undefined if Frontdoor has proved that it is gone. @throws FrontdoorError. */
  async read(context: Context, id: string, state: Outputs): Promise<Outputs | undefined> {
    const { rules } = this.type;
    const subject = this.subject(context, id, state);
    // Of an unfinished resource nobody knows what was sent.
    const lastSent = state.status === "DEPLOYED" ? rules.fullBody(state) : undefined;
    const wire = await listedOrRead(subject, context, lastSent);
    return wire && rules.outputsOf(wire, state);
  }

  /** Updates a resource in place and waits until it is DEPLOYED. @throws FrontdoorError of a refusal. */
  async update(context: Context, id: string, state: Outputs, inputs: Inputs): Promise<Outcome<Outputs>> {
    const { register } = this.kindOf(context, state);
    // A share that moves stays only after its move (`fateAfter`): its old tunnel waits for that.
    const work = register.begins(id, "update");
    try {
      const made = await this.reconcile(context, id, state, inputs);
      work.ends(made.unfinished);
      return made;
    } catch (error) {
      work.ends(error as Error);
      throw error;
    }
  }

  /** Brings a resource to what the program declares. @throws FrontdoorError of a refusal. */
  private async reconcile(context: Context, id: string, state: Outputs, inputs: Inputs): Promise<Outcome<Outputs>> {
    const subject = this.subject(context, id, state);
    const fixed = this.fixed(state, inputs);
    if (fixed.length > 0) throw failed(replacementNeeded(subject.label, fixed));
    const { kind, lastWrite } = subject;
    const change = { subject, state, inputs };
    const isReady = state.status === "DEPLOYED";
    const label = this.label(inputs.name, id);
    const tunnelIds = [...new Set([...tunnelsOf(state), ...tunnelsOf(inputs)])];
    const sender = new Sender({ ...subject, label, tunnelIds, inputs }, lastWrite);
    // The settings of others that the update has reset, because Frontdoor refuses a PUT with them.
    const reset: string[] = [];
    const plan: Plan<Wire> = {
      want: isReady ? {} : this.type.rules.fullBody(inputs),
      lastSent: isReady ? this.type.rules.fullBody(state) : undefined,
      writeFor: async (seen) => {
        const write = await this.writeFor(context, change, seen);
        if (write?.method !== "PUT") return write;
        return { ...write, kept: unknownIn(this.type.table, await kind.calls.shown(id, context)) };
      },
      send: (onSend, write) => sendOf(kind, id, write, reset, context, onSend),
    };
    const ended = await ensure(subject, plan, sender, context).catch((error: unknown) => error as Error);
    if (reset.length > 0 && !(ended instanceof Error)) context.service.say(settingsReset(label, reset));
    const __settlesAt = settlesAtOf(kind.clock, sender.write);
    if (ended instanceof Error)
      return this.afterError(context, change, ended, sender.isOpen ? { __settlesAt } : undefined);
    return this.outcomeOf(context, change, ended, __settlesAt);
  }

  /**
   * Returns the write that a resource needs, as a reading shows it: the table "An update" of docs/how-it-works.md. Of a ready resource, only what
   * the edit changes is sent: what somebody else has changed besides is told. Says whose values the write replaces.
   */
  private async writeFor(
    context: Context,
    change: Change<Wire, Inputs, Outputs>,
    seen: Wire,
  ): Promise<Write | undefined> {
    const { subject, state, inputs } = change;
    const isReady = state.status === "DEPLOYED";
    // An unfinished update, or somebody else, can have moved the resource.
    const from = isReady ? state : { ...state, ...seen };
    const also = await this.type.alsoChanged?.(context, subject.id, from, inputs);
    const planned = this.plan({ ...state, status: seen.status }, inputs, also);
    const missing = planned ? lacking(seen, planned) : [];
    if (planned?.method === "PUT" && (isFailed(seen) || missing.length > 0))
      return this.told(context, change, seen, planned);
    // What was written need not be all: somebody can have changed other arguments.
    const others = isReady ? [] : this.type.rules.differingArguments(seen, inputs);
    const names = [...new Set([...missing, ...others])];
    if (names.length === 0) return undefined;
    const want = pick({ ...inputs, ...also }, names);
    return this.told(context, change, seen, { method: "PATCH", want, before: pick(isReady ? state : seen, names) });
  }

  /** Returns the write, and says which values it replaces that somebody has changed outside Pulumi: the state of a ready resource has the last ones. */
  private told(
    { service, secrets }: Context,
    { subject, state, inputs }: Change<Wire, Inputs, Outputs>,
    seen: Wire,
    write: Write,
  ): Write {
    if (state.status !== "DEPLOYED") return write;
    const { differingArguments } = this.type.rules;
    const written = differingArguments(seen, inputs).filter((name) => name in write.want);
    const changed = differingArguments(seen, state).filter((name) => written.includes(name));
    if (changed.length > 0) service.say(changedOutside(this.label(inputs.name, subject.id), changed, seen, secrets));
    return write;
  }

  /** Returns what an update has come to. */
  private async outcomeOf(
    context: Context,
    { subject: { id }, state, inputs }: Change<Wire, Inputs, Outputs>,
    ended: Ended<Wire>,
    __settlesAt: number | undefined,
  ): Promise<Outcome<Outputs>> {
    const { rules } = this.type;
    const { write } = ended;
    const expected = this.expected(state, inputs, write);
    // Of an unfinished update nobody knows what it has sent.
    const sent = write?.want ?? (state.status === "DEPLOYED" ? {} : rules.fullBody(inputs));
    if (ended.now === "done" && ended.value)
      return this.deployed(context, ended.value, inputs, { sent, expected, __settlesAt });
    const last = seenIn(ended);
    if (ended.isGone) return this.gone(id, inputs, last?.status);
    const isAgain = !write && state.status === "NEW" && (last?.status ?? "NEW") === "NEW";
    const declared = this.stateAt(statusAfter(last), inputs);
    const outputs = { ...declared, ...defined(pick(expected, rules.mayLack)), __settlesAt };
    return this.unfinished(id, outputs, { ...whyOf(ended), isAgain });
  }

  /** Returns what is left of an update that has ended in an error. `open` is set if its write can have taken effect. @throws the error. */
  private async afterError(
    context: Context,
    { subject, state, inputs }: Change<Wire, Inputs, Outputs>,
    error: Error,
    open: { __settlesAt: number | undefined } | undefined,
  ): Promise<Outcome<Outputs>> {
    const { id } = subject;
    const isMissing = !open && (isRefused(error, 404, 410) || isHidden(error));
    if (isMissing && !(await truth(subject, context))) return this.gone(id, inputs);
    if (!open) throw error;
    // Nobody knows if the write will take effect: the state keeps what it had, so the next run compares again.
    return this.unfinished(id, { ...state, status: "NEW", ...open }, failedBy(error));
  }

  /** Returns what a resource is to show after a write: what the program gives, what was sent, and what the state has and lists can lack. */
  private expected(state: Outputs, inputs: Inputs, write: Write | undefined): object {
    const { mayLack, clearedFields } = this.type.rules;
    const cleared = clearedFields(state, inputs);
    const kept = defined(state, (name) => mayLack.includes(name) && !cleared.includes(name));
    return { ...kept, ...defined({ ...inputs, ...write?.want }) };
  }

  /** Deletes a resource and waits until it is gone. One that this run owns is skipped with a message. `before` is done first. @throws FrontdoorError. */
  delete(context: Context, id: string, state: Outputs, before?: () => Promise<unknown>): Promise<void> {
    return deleteUnlessOwned(context, this.subject(context, id, state), placeOf(state), before);
  }

  private kindOf({ service }: Context, { frontdoorId }: { frontdoorId: string }): Kind<Wire> {
    return this.type.kind(service.frontDoor(frontdoorId));
  }

  private subject(context: Context, id: string, state: Outputs): Subject<Wire> {
    const { clock, config } = context.service;
    return {
      ...{ kind: this.kindOf(context, state), id, label: this.label(state.name, id), status: state.status },
      lastWrite: lastWriteIn(clock, state, config.requestTimeoutMs),
      tunnelIds: tunnelsOf(state),
    };
  }

  /**
   * Returns a resource that is ready as Frontdoor shows it, or unfinished if a field that was sent shows another value. If a list entry
   * lacks an expected field, one GET completes it, or the expected value holds: that GET can also be early.
   */
  private async deployed(
    context: Context,
    seen: Wire,
    inputs: Inputs,
    { sent, expected = inputs, __settlesAt }: { sent: object; expected?: object; __settlesAt: number | undefined },
  ): Promise<Outcome<Outputs>> {
    const { rules } = this.type;
    const { id } = seen;
    const { calls } = this.kindOf(context, inputs);
    const whole = rules.isPartial(seen, expected) ? await calls.get(id, context).catch(() => undefined) : undefined;
    const isBelieved = whole && (__settlesAt === undefined || lacking(whole, { want: sent }).length === 0);
    const unseen = rules.mayLack.filter((name) => !has(seen, name));
    const shown = { ...seen, ...pick(isBelieved ? whole : expected, unseen) };
    const outputs = rules.outputsOf(shown, { ...inputs, __set: rules.setBy(inputs), __settlesAt });
    const fields = Object.keys(defined(sent));
    const differing = rules.differingArguments(outputs, expected);
    const others = differing.filter((name) => has(inputs, name) || fields.includes(name));
    const label = this.label(inputs.name, id);
    return asShown({ label, canUpdate: true, context, fields }, { id, outputs }, expected, others);
  }

  private gone(id: string, inputs: Inputs, status = "DELETED"): Outcome<Outputs> {
    const reason = `Frontdoor ${status === "DELETING" ? "is deleting" : "no longer shows"} the ${this.noun}`;
    return this.unfinished(id, this.stateAt(status, inputs), { why: "failed", reason });
  }

  /** Returns a resource that is not ready, with the reason. Its id and these outputs reach the state. */
  private unfinished(id: string, outputs: Outputs, ended: Unready): Outcome<Outputs> {
    const { codes } = this.type;
    const label = this.label(outputs.name, id);
    const unfinished = isPresent(outputs)
      ? notReady({ label, repair: `send the ${this.noun} again`, codes }, outputs.status, ended)
      : new FrontdoorError(resourceGone(label, ended.reason, this.noun, codes.gone), { kind: ended.why });
    return { id, outputs, unfinished };
  }
}

/**
 * Sends a PUT or PATCH. If Frontdoor refuses a PUT with the settings in `kept`, it goes without them, and `reset` gets their names: if that one
 * is refused too, its refusal is the error. @throws FrontdoorError.
 */
async function sendOf<Wire extends Named>(
  { calls }: Kind<Wire>,
  id: string,
  { method, want, kept = {} }: Write = { method: "PATCH", want: {}, before: {} },
  reset: string[],
  context: Context,
  onSend: () => void,
): Promise<"accepted"> {
  const names = reset.length === 0 ? Object.keys(kept) : [];
  try {
    await calls.write(method, id, { ...want, ...pick(kept, names) }, context, onSend);
  } catch (error) {
    if (names.length === 0 || !isRefused(error, 400, 422)) throw error;
    reset.push(...names);
    await calls.write(method, id, want, context, onSend);
  }
  return "accepted";
}

const tunnelsOf = ({ ipsecTunnelId }: { ipsecTunnelId?: string }): string[] =>
  ipsecTunnelId === undefined ? [] : [ipsecTunnelId];

/** Returns the status for the state. DEPLOYED is the status from before the write, so the next run must wait again. */
const statusAfter = (last: { status: string } | undefined): string =>
  last === undefined || last.status === "DEPLOYED" ? "NEW" : last.status;
