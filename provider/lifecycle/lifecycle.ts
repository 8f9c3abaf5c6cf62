import { isDeepStrictEqual } from "node:util";
import { keysIn } from "../api/wire";
import { bracketed, failed, FrontdoorError, isOfRequest, settingCodes, withCode } from "../errors";
import { has, type Planned, UNKNOWN, valueOf } from "../fields/field";
import {
  adoptDiffersFromState,
  beingDeleted,
  changedAfterCheck,
  changedByPolicy,
  firstOf,
  refreshRefused,
  refreshRefusedToo,
} from "../messages";
import { adoptionLine, onlyOptions, unfinishedBefore } from "../preview-lines";
import type { Register } from "../run/register";
import type { Context, Service } from "../run/service";
import type {
  Adoption,
  Change,
  Checked,
  Common,
  Declaration,
  Diff,
  Failure,
  IdInState,
  Lifecycle,
  Notes,
  Outcome,
  ResourceLines,
  Seen,
  Step,
  StepWith,
} from "./contract";
import { changesByProperty, differences, isWithin, propertyOf } from "./differences";

/** A diff has little time, because Pulumi shows nothing before it has ended. A read may have to outlast a pause that the service asks for. */
const readTimeouts = { diffSeconds: 60, readSeconds: 900 };

/**
 * Wraps a lifecycle for the adapters. It adds deadlines, notes and lines beside the resource, redacts every message, and does what holds for
 * each id in the state: Pulumi has saved the id, so the record of its create goes; this run owns an id that the program declares unchanged;
 * and no `adopt` puts another one in its place.
 */
export class Resource<Inputs extends Common, Outputs extends Common> {
  /** The ids of this type, as Pulumi knows them. */
  private readonly register: Register;

  constructor(
    private readonly lifecycle: Lifecycle<Inputs, Outputs>,
    private readonly service: Service,
    private readonly lines?: ResourceLines,
  ) {
    this.register = service.register.beside();
  }

  /** Keeps the keys in the outputs out of all messages, and returns the outputs: a service can quote a key in an error. */
  private keepKeys<Shown extends object | undefined>(outputs: Shown): Shown {
    const sample = outputs && (outputs as { sampleConfig?: unknown }).sampleConfig;
    if (typeof sample === "string") for (const key of keysIn(sample)) this.service.secrets.add(key);
    return outputs;
  }

  /** Checks the resource with this URN. `oldInputs` are those in the state, if later calls do not tell them. Reads only what a create will adopt: a line says so, or a failure that it is gone. */
  async check(
    declaration: Declaration,
    urn = "",
    oldInputs?: object,
  ): Promise<Omit<Checked<Inputs>, "isNameDerived" | "adopts"> & { inputs: Notes }> {
    const { origin, tunnel, secrets = [] } = declaration;
    const { inputs: values, isNameDerived, adopts = [], ...checked } = this.lifecycle.check(declaration);
    const inputs = { ...values, ...(isNameDerived && { __defaults: ["name"] }) };
    if (origin !== undefined) this.register.checked(origin, { inputs, oldInputs, tunnel });
    const { missing, line } = await this.readAdopted(adopts);
    const clean = (text: string) => withCode(this.service.secrets.clean(text), "invalid-input");
    const failures = [...checked.failures, ...missing].map(({ property, reason, value }) => {
      // The engine shows the value with the property that a failure names: it must not show a secret, and it shows `<nil>` for a path.
      // The proposed spelling of a secret would be the secret.
      const isSecret = secrets.some((path) => isWithin(property, path));
      if (isSecret || secrets.some((path) => isWithin(path, property))) {
        const said = `${property}${isSecret ? " (a secret)" : ""} ${reason.replace(/\. Did you mean .*\?/s, "")}`;
        return { property: "", reason: clean(said) };
      }
      if (property === propertyOf(property)) return { property, reason: clean(reason) };
      return { property: "", reason: clean(`${property}${bracketed(value)} ${reason}`) };
    });
    if (failures.length === 0 && line !== undefined) void this.lines?.show(urn, this.service.secrets.clean(line));
    return { ...checked, failures, inputs };
  }

  /**
   * Reads what creates will adopt. Only an id that is gone, or of another kind, is a failure: a preview in CI may have no right to read, and
   * the create reads again. The line says what the create will find.
   */
  private async readAdopted(adopts: readonly Adoption[]): Promise<{ missing: Failure[]; line: string | undefined }> {
    const until = contextOf(this.service, undefined, readTimeouts.diffSeconds);
    const seen = await Promise.all(
      adopts.map(async ({ id, property, differing }) => {
        const { fields, error } = await differing(until).then(
          (found) => ({ fields: found, error: undefined }),
          (reason: unknown) => ({ fields: [], error: reason as FrontdoorError }),
        );
        const isMissing = error?.code === "adopt-missing";
        return {
          line: adoptionLine(id, fields, error === undefined),
          missing: isMissing ? { property, reason: error.message } : [],
        };
      }),
    );
    const line =
      adopts.length === 0
        ? undefined
        : firstOf(
            seen.map((adoption) => adoption.line),
            3,
          ).join("; ");
    return { missing: seen.flatMap(({ missing }) => missing), line };
  }

  /** Compares a resource with the program. A line beside the resource names the requests that the change leads to. */
  async diff(
    step: StepWith<"id" | "state" | "inputs", Inputs, Outputs>,
  ): Promise<Diff & { properties: Record<string, Change> }> {
    const { urn = "", origin, state, options = [], oldInputs } = step;
    const { diff, inputs, context } = await this.compared(step);
    if (diff.changes) this.refuseLost(origin, step.inputs, diff);
    // A refresh compares without a check. So does Pulumi before it deletes what depends on a resource that it replaces: of that, an input is
    // unknown, and the line of a tunnel also counts for its shares.
    const isLeaving = diff.replaces.length > 0 && !diff.replaces.includes("ipsecTunnelId");
    const isOfRun = context.isChecked || (isLeaving && Object.values(step.inputs).includes(UNKNOWN));
    const line = () => this.service.secrets.cleaned(this.lineOf(step, { diff, inputs, context }));
    if (isOfRun && diff.changes) await this.tell(urn, state, await line());
    else if (isOfRun && options.length > 0) await this.tell(urn, state, onlyOptions(options));
    if (!diff.changes) return { ...diff, changes: options.length > 0, properties: {} };
    const olds = oldInputs ?? this.lifecycle.inputsOf(state);
    return { ...diff, properties: changesByProperty(olds, step.inputs, diff.replaces) };
  }

  /** Returns what a change leads to. What an unfinished resource needs, only a reading tells. */
  private async lineOf(
    { id, state }: StepWith<"id" | "state" | "inputs", Inputs, Outputs>,
    { diff, inputs, context }: Awaited<ReturnType<typeof this.compared>>,
  ): Promise<string | undefined> {
    const { status = "DEPLOYED" } = state as { status?: string };
    const line = await this.lifecycle.preview(id, state, inputs, diff, context);
    const isWaiting = status !== "DEPLOYED" && diff.replaces.length === 0;
    return line ?? (isWaiting ? unfinishedBefore(status, this.lifecycle.isFixed ?? false) : undefined);
  }

  /**
   * Shows a line about a change. Pulumi repeats the last line of a resource with each of its steps, so a long line is shown once, and only its
   * beginning stays. Without a URN, the line names the resource.
   */
  private async tell(urn: string, { name = "" }: Outputs, requestLine: string | undefined): Promise<void> {
    if (requestLine === undefined || !this.lines) return;
    const line = this.service.secrets.clean(urn === "" ? `"${name}": ${requestLine}` : requestLine);
    const [short = line] = line.split("; ", 1);
    if (urn === "") return this.lines.showOnce("", line);
    if (short !== line) await this.lines.showOnce(urn, line);
    await this.lines.show(urn, short);
  }

  private async compared(step: StepWith<"id" | "state" | "inputs", Inputs, Outputs>) {
    const { urn = "", origin, id, state, secrets, oldInputs } = step;
    // A refresh also compares, but checks nothing and shows no lines.
    const isChecked = this.register.resource(origin).checked !== undefined;
    const details = { isChecked, secrets, oldInputs, ...(urn !== "" && { urn }) };
    const context = { ...contextOf(this.service, state, readTimeouts.diffSeconds), ...details };
    const inputs = withFrontdoorName(this.keepKeys(state), this.withAdoptedTunnel(origin, state, step.inputs));
    try {
      const saved = this.saved(id, state);
      const diff = await this.lifecycle.diff(id, state, inputs, context);
      for (const idInState of saved) {
        const declared = declaredIn(inputs, idInState.key);
        const adopt = valueOf(declared, "adopt");
        if (typeof adopt !== "string" || adopt === idInState.id) continue;
        // An `adopt` that stays has no effect, also after a replacement: its id counts as one that the state has.
        if (adopt === idInState.state.__adopt) idInState.kind.register.hasAdopted(checkedName(declared), adopt);
        else refuseOtherAdopt(idInState, adopt, diff, context.urn);
      }
      if (diff.isConfirmed) for (const idInState of saved) idInState.kind.register.keeps(idInState.id);
      return { diff, inputs, context };
    } catch (error) {
      throw this.service.secrets.cleanError(error);
    }
  }

  /** Returns the ids in the state. Pulumi has saved them, so the records of their creates go. */
  private saved(id: string, state: Outputs): IdInState[] {
    const ids = this.lifecycle.idsIn(id, state);
    for (const { kind, id, state } of ids) {
      kind.noteName(id, state.name);
      // An error hook can make Pulumi update what this run has created, before it saves the id.
      if (!kind.records.isOfThisRun(state.name)) kind.records.remove(state.name, id);
    }
    return ids;
  }

  /** A preview does not know the id of a tunnel that is adopted under another name. If it is the one that the state has, the share stays on it. */
  private withAdoptedTunnel(
    origin: string | undefined,
    { frontdoorId, ipsecTunnelId }: Outputs,
    inputs: Planned<Inputs> & Notes,
  ) {
    const tunnel = this.register.resource(origin).checked?.tunnel;
    if (valueOf(inputs, "ipsecTunnelId") !== UNKNOWN || tunnel === undefined || ipsecTunnelId === undefined)
      return inputs;
    const adopter = this.service.frontDoor(frontdoorId).tunnels.register.adopterOf(ipsecTunnelId);
    return adopter?.endsWith(tunnel) ? { ...inputs, ipsecTunnelId } : inputs;
  }

  /**
   * For a replacement, the engine checks the inputs of the program again, and asks no policy: it would create the resource without what a
   * policy has changed. @throws FrontdoorError `failed` if the inputs are not those that check has returned.
   */
  private refuseLost(origin: string | undefined, inputs: object, { replaces }: Diff): void {
    const checked = this.register.resource(origin).checked;
    // A share goes before its tunnel without a check: these inputs are those of the state.
    if (!checked || replaces.length === 0 || replaces.includes("ipsecTunnelId")) return;
    const changed = [...differences(checked.inputs, inputs).keys()];
    if (changed.length > 0) throw this.service.secrets.cleanError(failed(changedByPolicy(changed)));
  }

  /** @throws FrontdoorError `failed` if a policy has put a wrong value into the inputs after check. */
  private refuseWrong(origin: string | undefined, inputs: Inputs): void {
    if (isDeepStrictEqual(this.register.resource(origin).checked?.inputs, inputs)) return;
    const [wrong] = this.lifecycle.wrongIn(inputs);
    if (wrong) throw this.service.secrets.cleanError(failed(changedAfterCheck(wrong.property, wrong.reason)));
  }

  /** Creates a resource. In a preview, returns the outputs as far as they are known. */
  async create(step: StepWith<"inputs", Inputs, Outputs>): Promise<Outcome<Outputs & Notes>> {
    if (step.isPreview) return { id: "", outputs: this.lifecycle.knownOutputs(step.inputs) as Outputs };
    const inputs = step.inputs as Inputs & Notes;
    this.refuseWrong(step.origin, inputs);
    const { create } = this.lifecycle.timeoutsOf(inputs);
    const made = await this.work(step, create, (context) =>
      this.lifecycle.create(inputs, isNameDerived(inputs), context),
    );
    this.register.made(made.id, made.unfinished !== undefined);
    return noted(this.service, made, inputs);
  }

  /**
   * Returns undefined only if the service has proved that the resource is gone. Without a state, the id is that of an import.
   * @throws FrontdoorError; `failed` if there is nothing to import.
   */
  async read(
    step: { id: string; state?: (Outputs & Notes) | undefined } & Pick<Step<Inputs, Outputs>, "seconds" | "secrets">,
  ): Promise<Seen<Outputs> | undefined> {
    const { id, state, seconds, secrets } = step;
    const from = state ? { id, state: this.keepKeys(state), missing: undefined } : this.lifecycle.imported(id);
    const context = { ...contextOf(this.service, state, readTimeouts.readSeconds, seconds), secrets };
    const reading = async () => {
      this.saved(from.id, from.state);
      return this.lifecycle.read(from.id, from.state, context);
    };
    const outputs = await this.service.secrets.cleaned(reading()).catch((error: unknown) => {
      throw state ? ofRefresh(this.service, error) : error;
    });
    if (!outputs && from.missing !== undefined) throw failed(from.missing);
    if (!outputs) return undefined;
    const { status } = outputs as { status?: string };
    if (!state && status === "DELETING") throw failed(beingDeleted(from.id));
    this.keepKeys(outputs);
    // A refresh keeps the address, because a new one would show as a change.
    const { __defaults, __derivedName, __adopt, __retain, __seenAt }: Notes = state ?? {
      __adopt: from.id,
      __seenAt: this.service.address,
    };
    return {
      id: from.id,
      outputs: { ...outputs, __defaults, __derivedName, __adopt, __retain, __seenAt },
      inputs: state && this.lifecycle.isFixed ? undefined : inputsNoted(this.lifecycle.inputsOf(outputs), state ?? {}),
    };
  }

  /** Updates a resource. In a preview, returns the outputs as far as they are known. */
  async update(step: StepWith<"id" | "state" | "inputs", Inputs, Outputs>): Promise<Outcome<Outputs & Notes>> {
    const { id, state } = step;
    const inputs = withFrontdoorName(this.keepKeys(state), step.inputs) as Inputs & Notes;
    if (step.isPreview) return { id, outputs: this.lifecycle.knownOutputs(inputs, state) as Outputs };
    this.refuseWrong(step.origin, step.inputs as Inputs);
    // An option alone takes effect whatever Frontdoor shows by now, such as a longer delete of a tunnel that is DELETING.
    if (step.options?.length && !(await this.compared(step)).diff.changes) return { id, outputs: state };
    const { update } = this.lifecycle.timeoutsOf(inputs, state);
    const made = await this.work(step, update, (context) => this.lifecycle.update(id, state, inputs, context)).catch(
      (error: unknown): Outcome<Outputs> => {
        // If an error hook makes Pulumi retry a create as an update, a plain error would take the resource out of the state.
        if (!this.register.id(id).isUnfinished) throw error;
        return { id, outputs: state, unfinished: error as FrontdoorError };
      },
    );
    if (!made.unfinished) this.register.made(id, false);
    return noted(this.service, made, step.inputs as Inputs & Notes, state);
  }

  async delete(step: StepWith<"id" | "state", Inputs, Outputs>): Promise<void> {
    const { id, state } = step;
    const { delete: seconds } = this.lifecycle.timeoutsOf(this.keepKeys(state));
    await this.work(step, seconds, (context) => this.lifecycle.delete(id, state, context));
  }

  /** Works until the deadline that the user or the resource sets. @throws FrontdoorError without any secret. */
  private async work<Result>(
    { urn, id, state, inputs, seconds, secrets, oldInputs }: Partial<Step<Inputs, Outputs>>,
    defaultSeconds: number,
    operate: (context: Context) => Promise<Result>,
  ): Promise<Result> {
    const { service, lines } = this;
    const progress = { isShown: false };
    const show = (line: string) => (urn ? lines?.showProgress(urn, line) : undefined);
    const report = (line: string) => {
      progress.isShown = true;
      void show(line);
    };
    const until = contextOf(service, state, defaultSeconds, seconds);
    const end = service.begin();
    try {
      if (id !== undefined && state) this.saved(id, state);
      return await operate({ ...until, report, reportPause: report, secrets, oldInputs });
    } catch (error) {
      const resource = state ?? inputs;
      const named = resource ? withLabel(this.lifecycle.label(resource, id), error) : error;
      throw service.secrets.cleanError(named);
    } finally {
      end();
      // The last line of a wait would stay beside the finished resource, so the engine has to get the empty one before the result.
      if (progress.isShown) await show("");
    }
  }
}

/** Returns the resource as the program declares it: of a set, the share of this key. */
function declaredIn(inputs: object, key: string | undefined): object {
  const partOf = (from: object, name: string) => Object(valueOf(from, name)) as object;
  return key === undefined ? inputs : partOf(partOf(inputs, "shares"), key);
}

/**
 * Refuses an `adopt` that names another id than the state has: the one in the state would be deleted, or changed into a copy of the other.
 * @throws FrontdoorError `failed`.
 */
function refuseOtherAdopt(
  { id, label, key, state }: IdInState,
  adopt: string,
  { replaces }: Diff,
  urn = "<URN>",
): void {
  // What this stack has created, and what never worked, gives way: so a move that has failed is reverted.
  const hasWorked = state.status === "DEPLOYED" || has(state, "tunnelConfig");
  if (replaces.length > 0 && !hasWorked && state.__adopt !== id) return;
  throw failed(adoptDiffersFromState(label, id, adopt, key === undefined ? urn : undefined));
}

/** The services of which a refresh has said why it was refused. */
const refusedRefreshes = new WeakSet<Service>();

/**
 * Returns the error of a refresh, which says what helps if the settings are right by now: a refresh has those of the last run. All resources
 * are refused for one reason, so only the first error says it.
 */
function ofRefresh(service: Service, error: unknown): unknown {
  const { code, message, trouble } = error as Partial<FrontdoorError>;
  if (!trouble || !message || code === undefined || !settingCodes.includes(code)) return error;
  const isFirst = !refusedRefreshes.has(service);
  refusedRefreshes.add(service);
  return new FrontdoorError((isFirst ? refreshRefused : refreshRefusedToo)(message, code), trouble);
}

/** Returns the error of a request, which says only its path, with the resource. */
const withLabel = (label: string, error: unknown): unknown => {
  const { message, trouble } = error as Partial<FrontdoorError>;
  return trouble && message && isOfRequest(message) ? new FrontdoorError(`${label}: ${message}`, trouble) : error;
};

/** Returns the context of an operation that begins now. Pulumi sends 0 to a plugin if the user has given no timeout. */
function contextOf(service: Service, state: Notes | undefined, defaultSeconds: number, seconds = 0): Context {
  const { __seenAt } = state ?? {};
  const seenElsewhere = __seenAt === service.address ? undefined : __seenAt;
  return { ...service.until(seconds === 0 ? defaultSeconds : seconds), service, seenElsewhere };
}

function noted<Outputs extends { name?: string }>(
  { secrets, address }: Service,
  { id, outputs, unfinished }: Outcome<Outputs>,
  inputs: { name?: string } & Notes,
  before?: Notes,
): Outcome<Outputs & Notes> {
  // An update that has not ended need not have seen the resource.
  const { __seenAt } = unfinished && before ? before : { __seenAt: address };
  const notes = notesOf(outputs, inputs);
  const made = { id, outputs: { ...outputs, ...notes, __adopt: notes.__adopt ?? before?.__adopt, __seenAt } };
  return unfinished ? { ...made, unfinished: secrets.cleanError(unfinished) as FrontdoorError } : made;
}

/*
 * The names of a resource: most have one. A resource without a name in the program that adopts another one has two, its name in Frontdoor and
 * the derived one that check returns:
 *
 * - Inputs of check, and inputs in the state: `name` is the derived one. `inputsNoted` makes them of outputs.
 * - Inputs of the operations, and outputs: `name` is Frontdoor's, and `__derivedName` the derived one. `withFrontdoorName` makes those inputs of
 *   the ones that check returns, and `notesOf` the notes of the outputs.
 *
 * The register knows a resource by the derived one: `checkedName`.
 */

/** True if the program gives no name. */
export const isNameDerived = ({ __defaults }: Notes) => __defaults?.includes("name") ?? false;

/** Returns the inputs with the name in Frontdoor, if the program has never given a name: an adopted resource keeps its own. */
export const withFrontdoorName = <Inputs extends { name?: unknown } & Notes>(
  state: { name?: unknown } & Notes,
  inputs: Inputs,
): Inputs =>
  isNameDerived(inputs) && isNameDerived(state) ? { ...inputs, name: state.name, __derivedName: inputs.name } : inputs;

/** Returns the name that check has returned. */
export const checkedName = ({ name, __derivedName = name }: { name?: unknown; __derivedName?: unknown }): unknown =>
  __derivedName;

/** Returns the notes of a resource that was made from these inputs. */
export function notesOf(outputs: { name?: string }, inputs: { name?: string; adopt?: string } & Notes): Notes {
  const { __defaults, name, adopt: __adopt, __retain } = inputs;
  const __derivedName = isNameDerived(inputs) && outputs.name !== name ? name : undefined;
  return { __defaults, __derivedName, __adopt, __retain };
}

/** Returns the inputs with their notes. */
export const inputsNoted = (inputs: object, { __defaults, __derivedName, __retain }: Notes): object & Notes => ({
  ...inputs,
  ...(__derivedName !== undefined && { name: __derivedName }),
  __defaults,
  __retain,
});
