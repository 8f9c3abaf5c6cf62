import { keysIn, type Named } from "../api/wire";
import { addressOf } from "../config";
import { failed, FrontdoorError, isOfRequest, safeText, settingCodes, withCode } from "../errors";
import { defined, type Planned, UNKNOWN, valueOf } from "../fields/field";
import {
  beingDeleted,
  changedAfterCheck,
  changedByPolicy,
  onlyOptions,
  refreshRefused,
  refreshRefusedToo,
  unfinishedBefore,
} from "../messages";
import { type Context, type Kind, type Service } from "../run/service";
import type { Until } from "../time";

export interface Failure {
  /** The wrong input. */
  property: string;
  /** The problem, without the property: "must be …". */
  reason: string;
  /** The value of a wrong input that is not at the top level. The engine shows only values of the top level. */
  value?: unknown;
}

/** The change of one property. */
export type Change = ChangeKind | `${ChangeKind}-replace`;
type ChangeKind = "add" | "delete" | "update";

export interface Diff {
  changes: boolean;
  /** True if the change is an update, and a comparison of the inputs shows it. Then the dynamic adapter leaves it to the engine. */
  isOfInputs: boolean;
  /** The properties that force a replacement. If empty, the change is an update. */
  replaces: string[];
  deleteBeforeReplace: boolean;
}

/** A diff, for the provider itself. */
export interface Comparison extends Diff {
  /** True if the program declares the resource exactly as the state has it. */
  isConfirmed: boolean;
}

/** One id that the state has. */
export interface Held {
  kind: Pick<Kind<Named>, "declarations" | "ledger" | "noteName" | "records">;
  id: string;
  /** Names the resource in messages. */
  label: string;
  /** The key of a share in a set. */
  key?: string;
  state: { name: string; status: string } & Notes;
}

/** The outcome of a create or an update that has an id. */
export interface Outcome<Outputs> {
  id: string;
  outputs: Outputs;
  /** The reason if the resource is not ready: it failed, timed out or was stopped. The id must still reach the state. */
  unfinished?: FrontdoorError;
}

/** A resource as the program declares it, and its inputs in the state. */
export interface Declaration {
  news: Record<string, unknown>;
  /** Inputs in the state; empty if there are none. */
  olds: Record<string, unknown>;
  /** The organization and the URN. Undefined if the adapter does not know them. */
  origin: string | undefined;
  /** Paths of the secret inputs, such as `target` or `shares["web"].target`, as far as the adapter knows. */
  secrets?: readonly string[];
  /** URN of the tunnel from which `ipsecTunnelId` comes. With it, check can also compare ports on a tunnel that does not exist yet. */
  tunnel?: string | undefined;
  /** True if the program gives the option `retainOnDelete`, as far as the class knows. */
  isRetained?: boolean;
  /** The stack's autonaming for a resource without a name: a proposed name, or "disabled" if the program has to give one. */
  autonaming?: { proposedName: string } | "disabled" | undefined;
}

/** The result of a check: the inputs in canonical form, and every problem on its property. */
export interface Checked<Inputs> {
  inputs: Planned<Inputs>;
  failures: Failure[];
  /** True if the program does not give the name. */
  isNameDerived: boolean;
  /** Names of inputs that the program gave under their alias: an adapter that knows secrets by key marks them. */
  aliased?: readonly string[] | undefined;
  /** What a create will adopt. */
  adopts?: Adoption[];
}

/** A resource that a create will adopt. */
export interface Adoption {
  /** The path of the argument: `adopt`, or that of a key of a set. */
  property: string;
  id: string;
  /** @throws FrontdoorError if there is nothing to adopt, or if it cannot be read. */
  read: (until: Until) => Promise<unknown>;
}

/** Default deadlines in seconds (contract: Resources). */
export interface Timeouts {
  create: number;
  update: number;
  delete: number;
}

/** The operations of a resource. Check sends nothing. Diff reads only if the state cannot decide. All but check throw FrontdoorError. */
export interface Lifecycle<Inputs, Outputs> {
  /** True if the service can't change the resource: a refresh then leaves the inputs in the state as they were declared. */
  isFixed?: true;
  /** Names a resource in messages. */
  label(of: Planned<Inputs> | Outputs, id?: string): string;
  /** The deadlines of a resource that is declared, or in the state. `before` is the state that an update begins with. */
  timeoutsOf(of: Planned<Inputs> | Outputs, before?: Outputs): Timeouts;
  check(declared: Declaration): Checked<Inputs>;
  /** Returns what is wrong with inputs that check has returned: a policy can change them afterwards. */
  wrongIn(inputs: Inputs): Failure[];
  diff(id: string, state: Outputs, inputs: Planned<Inputs> & Notes, context: Context): Promise<Comparison>;
  /** Returns the requests that a change leads to, in one line, as far as a preview knows them. */
  preview(
    id: string,
    state: Outputs,
    inputs: Planned<Inputs>,
    diff: Diff,
    context: Context,
  ): Promise<string | undefined>;
  /** Returns what the state has in Frontdoor. */
  heldBy(id: string, state: Outputs): Held[];
  /** Returns the outputs as far as a preview knows them. */
  knownOutputs(inputs: Planned<Inputs>, state?: Outputs): Planned<Outputs>;
  create(inputs: Inputs, isNameDerived: boolean, context: Context): Promise<Outcome<Outputs>>;
  /** Returns what the read of an import starts from. @throws FrontdoorError `failed` if the id is malformed. */
  imported(id: string): Imported<Outputs>;
  /** Returns undefined only if the service has proved that the resource is gone. */
  read(id: string, state: Outputs, context: Context): Promise<Outputs | undefined>;
  update(id: string, state: Outputs, inputs: Inputs, context: Context): Promise<Outcome<Outputs>>;
  /** Returns the inputs that the program had given. */
  inputsOf(outputs: Outputs): object;
  /** Returns once the resource is gone. An id that this run owns is not deleted. */
  delete(id: string, state: Outputs, context: Context): Promise<void>;
}

/** A resource as the service shows it, and its inputs if the state tells which ones the program had given. */
export interface Seen<Outputs> {
  id: string;
  outputs: Outputs & Notes;
  inputs: (object & Notes) | undefined;
}

/** One operation that Pulumi asks for, in plain values. */
export interface Step<Inputs, Outputs> {
  /** Empty if Pulumi does not tell: then no lines stand beside the resource. */
  urn: string;
  id: string;
  /** The outputs in the state. */
  state: Outputs & Notes;
  /** The inputs that check has returned. Some can be unknown in a diff and in a preview. */
  inputs: Planned<Inputs> & Notes;
  /** The inputs in the state. If Pulumi does not tell, they follow from the outputs. */
  oldInputs?: object | undefined;
  /** Options that only the state of the adapter has, and that differ, such as `customTimeouts`. Frontdoor knows none of them. */
  options?: readonly string[];
  /** Paths of the secret arguments, such as `target` or `shares["web"].target`. */
  secrets?: readonly string[] | undefined;
  /** The timeout that the user has given. */
  seconds?: number | undefined;
  /** True for a create or an update in a preview. */
  isPreview?: boolean;
}

/** A step with at least these parts. */
type StepWith<Part extends keyof Step<Inputs, Outputs>, Inputs, Outputs> = Pick<Step<Inputs, Outputs>, Part> &
  Partial<Step<Inputs, Outputs>>;

/** Shows lines beside the resource of a URN. */
export interface ResourceLines {
  /** Shows a line until the next one about that resource. Resolves when the engine has the line. */
  show: (urn: string, line: string) => Promise<void>;
  /** Shows a line once. In a terminal, where the lines beside resources go when a preview ends, it is one of the run's messages. */
  showOnce: (urn: string, line: string) => Promise<void>;
  /** Shows only some of many lines. An empty line clears the last one. Resolves when the engine has the line, if it is shown. */
  showProgress: (urn: string, line: string) => Promise<void>;
}

/** The fields that the inputs and outputs of all kinds share. A tunnel connection has no name, and only shares and sets have a tunnel. */
export interface Common {
  frontdoorId: string;
  name?: string;
  ipsecTunnelId?: string;
}

/** A diff has little time, because Pulumi shows nothing before it has ended. A read may have to outlast a pause that the service asks for. */
const readTimeouts = { diffSeconds: 60, readSeconds: 900 };

/** Wraps a lifecycle for the adapters: adds deadlines, notes and lines beside the resource, and redacts every message. */
export class Resource<Inputs extends Common, Outputs extends Common> {
  /** By URN: what check has returned, and the URN of the tunnel as far as check is told. A refresh also compares, but checks nothing and shows no lines. */
  private readonly declared = new Map<string, { inputs: object; tunnel: string | undefined }>();

  constructor(
    private readonly lifecycle: Lifecycle<Inputs, Outputs>,
    private readonly service: Service,
    private readonly lines?: ResourceLines,
  ) {}

  /** Keeps the keys in the outputs out of all messages, and returns the outputs: a service can quote a key in an error. */
  private keepKeys<Known extends object | undefined>(outputs: Known): Known {
    const sample = outputs && (outputs as { sampleConfig?: unknown }).sampleConfig;
    if (typeof sample === "string") for (const key of keysIn(sample)) this.service.secrets.add(key);
    return outputs;
  }

  /** Checks the resource with this URN. Reads only what a create will adopt: a line says so, or a failure that it is gone. */
  async check(
    declared: Declaration,
    urn = "",
  ): Promise<Omit<Checked<Inputs>, "isNameDerived" | "adopts"> & { inputs: Notes }> {
    if (declared.origin !== undefined) this.service.creates.declare(declared.origin);
    const { inputs, isNameDerived, adopts = [], ...checked } = this.lifecycle.check(declared);
    if (urn !== "") this.declared.set(urn, { inputs, tunnel: declared.tunnel });
    const until = contextOf(this.service, undefined, readTimeouts.diffSeconds);
    const missing = await Promise.all(
      adopts.map(({ property, read }) =>
        read(until).then(
          () => [],
          (error: unknown): Failure[] => [{ property, reason: (error as Error).message }],
        ),
      ),
    );
    const { secrets = [] } = declared;
    const clean = (text: string) => withCode(this.service.secrets.clean(text), "invalid-input");
    const failures = [...checked.failures, ...missing.flat()].map(({ property, reason, value }) => {
      // The engine shows the value with the property that a failure names: it must not show a secret, and it shows `<nil>` for a path.
      // The proposed spelling of a secret would be the secret.
      const isSecret = secrets.some((path) => isWithin(property, path));
      if (isSecret || secrets.some((path) => isWithin(path, property))) {
        const said = `${property}${isSecret ? " (a secret)" : ""} ${reason.replace(/\. Did you mean .*\?/s, "")}`;
        return { property: "", reason: clean(said) };
      }
      if (property === propertyOf(property)) return { property, reason: clean(reason) };
      return { property: "", reason: clean(`${property}${quoted(value)} ${reason}`) };
    });
    const [adopted] = failures.length > 0 ? [] : adopts;
    if (adopted?.property === "adopt") void this.lines?.show(urn, this.service.secrets.clean(`adopts ${adopted.id}`));
    return { ...checked, failures, inputs: { ...inputs, ...(isNameDerived && { __defaults: ["name"] }) } };
  }

  /** Compares a resource with the program. A line beside the resource names the requests that the change leads to. */
  async diff(
    step: StepWith<"id" | "state" | "inputs", Inputs, Outputs>,
  ): Promise<Diff & { properties: Record<string, Change> }> {
    const { urn = "", id, state, options = [], oldInputs } = step;
    const { diff, inputs, context } = await this.compared(step);
    if (diff.changes) this.refuseLost(urn, step.inputs, diff);
    // A refresh compares without a check. So does Pulumi before it deletes what depends on a resource that it replaces: of that, an input is
    // unknown, and the line of a tunnel also counts for its shares.
    const isLeaving = diff.replaces.length > 0 && !diff.replaces.includes("ipsecTunnelId");
    const isOfRun = context.isChecked || (isLeaving && Object.values(step.inputs).includes(UNKNOWN));
    if (isOfRun && diff.changes) await this.tell(urn, state, await this.lineOf(step, { diff, inputs, context }));
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
  private async tell(urn: string, { name = "" }: Outputs, line: string | undefined): Promise<void> {
    if (line === undefined || !this.lines) return;
    const [short = line] = line.split("; ", 1);
    if (urn === "") return this.lines.showOnce("", this.service.secrets.clean(`"${name}": ${line}`));
    if (short !== line) await this.lines.showOnce(urn, line);
    await this.lines.show(urn, short);
  }

  private async compared(step: StepWith<"id" | "state" | "inputs", Inputs, Outputs>) {
    const { urn = "", id, state, secrets, oldInputs: declared } = step;
    const isChecked = this.declared.has(urn);
    const known = { isChecked, secrets, declared, ...(urn !== "" && { urn }) };
    const context = { ...contextOf(this.service, state, readTimeouts.diffSeconds), ...known };
    const inputs = withServiceName(this.keepKeys(state), this.withAdoptedTunnel(urn, state, step.inputs));
    const diff = await this.service.secrets.cleaned(this.lifecycle.diff(id, state, inputs, context));
    return { diff, inputs, context };
  }

  /** A preview does not know the id of a tunnel that is adopted under another name. If it is the one that the state has, the share stays on it. */
  private withAdoptedTunnel(urn: string, { frontdoorId, ipsecTunnelId }: Outputs, inputs: Planned<Inputs> & Notes) {
    const tunnel = this.declared.get(urn)?.tunnel;
    if (valueOf(inputs, "ipsecTunnelId") !== UNKNOWN || tunnel === undefined || ipsecTunnelId === undefined)
      return inputs;
    const adopter = this.service.frontDoor(frontdoorId).tunnels.declarations.adopterOf(ipsecTunnelId);
    return adopter?.endsWith(tunnel) ? { ...inputs, ipsecTunnelId } : inputs;
  }

  /**
   * For a replacement, the engine checks the inputs of the program again, and asks no policy: it would create the resource without what a
   * policy has changed. @throws FrontdoorError `failed` if the inputs are not those that check has returned.
   */
  private refuseLost(urn: string, inputs: object, { replaces }: Diff): void {
    const checked = this.declared.get(urn);
    // A share goes before its tunnel without a check: these inputs are those of the state.
    if (!checked || replaces.length === 0 || replaces.includes("ipsecTunnelId")) return;
    const changed = [...differences(checked.inputs, inputs).keys()];
    if (changed.length > 0) throw this.service.secrets.cleanError(failed(changedByPolicy(changed)));
  }

  /** @throws FrontdoorError `failed` if a policy has put a wrong value into the inputs after check. */
  private refuseWrong(inputs: Inputs): void {
    const [wrong] = this.lifecycle.wrongIn(inputs);
    if (wrong) throw this.service.secrets.cleanError(failed(changedAfterCheck(wrong.property, wrong.reason)));
  }

  /** Creates a resource. In a preview, returns the outputs as far as they are known. */
  async create(step: StepWith<"inputs", Inputs, Outputs>): Promise<Outcome<Outputs & Notes>> {
    if (step.isPreview) return { id: "", outputs: this.lifecycle.knownOutputs(step.inputs) as Outputs };
    const inputs = step.inputs as Inputs & Notes;
    this.refuseWrong(inputs);
    const { create } = this.lifecycle.timeoutsOf(inputs);
    const made = await this.work(step, create, (context) =>
      this.lifecycle.create(inputs, isNameDerived(inputs), context),
    );
    return noted(this.service, made, inputs);
  }

  /**
   * Returns undefined only if the service has proved that the resource is gone. Without a state, the id is that of an import.
   * @throws FrontdoorError; `failed` if there is nothing to import.
   */
  async read(
    of: { id: string; state?: (Outputs & Notes) | undefined } & Pick<Step<Inputs, Outputs>, "seconds" | "secrets">,
  ): Promise<Seen<Outputs> | undefined> {
    const { id, state, seconds, secrets } = of;
    const from = state ? { id, state: this.keepKeys(state), missing: undefined } : this.lifecycle.imported(id);
    const context = { ...contextOf(this.service, state, readTimeouts.readSeconds, seconds), secrets };
    const reading = this.lifecycle.read(from.id, from.state, context);
    const outputs = await this.service.secrets.cleaned(reading).catch((error: unknown) => {
      throw state ? ofRefresh(this.service, error) : error;
    });
    if (!outputs && from.missing !== undefined) throw failed(from.missing);
    if (!outputs) return undefined;
    const { status } = outputs as { status?: string };
    if (!state && status === "DELETING") throw failed(beingDeleted(from.id));
    this.keepKeys(outputs);
    // A refresh keeps the address, because a new one would show as a change.
    const { __defaults, __derivedName, __adopt, __seenAt } = state ?? {
      __seenAt: addressOf(this.service.config.baseUrl),
    };
    return {
      id: from.id,
      outputs: { ...outputs, __defaults, __derivedName, __adopt, __seenAt },
      inputs: state && this.lifecycle.isFixed ? undefined : inputsNoted(this.lifecycle.inputsOf(outputs), state ?? {}),
    };
  }

  /** Updates a resource. In a preview, returns the outputs as far as they are known. */
  async update(step: StepWith<"id" | "state" | "inputs", Inputs, Outputs>): Promise<Outcome<Outputs & Notes>> {
    const { id, state } = step;
    const inputs = withServiceName(this.keepKeys(state), step.inputs) as Inputs & Notes;
    if (step.isPreview) return { id, outputs: this.lifecycle.knownOutputs(inputs, state) as Outputs };
    this.refuseWrong(step.inputs as Inputs);
    // An option alone takes effect whatever Frontdoor shows by now, such as a longer delete of a tunnel that is DELETING.
    if (step.options?.length && !(await this.compared(step)).diff.changes) return { id, outputs: state };
    const { update } = this.lifecycle.timeoutsOf(inputs, state);
    const made = await this.work(step, update, (context) => this.lifecycle.update(id, state, inputs, context));
    return noted(this.service, made, step.inputs as Inputs & Notes, state);
  }

  async delete(step: StepWith<"id" | "state", Inputs, Outputs>): Promise<void> {
    const { id, state } = step;
    const { delete: seconds } = this.lifecycle.timeoutsOf(this.keepKeys(state));
    await this.work(step, seconds, (context) => this.lifecycle.delete(id, state, context));
  }

  /** Works until the deadline that the user or the resource sets. @throws FrontdoorError without any secret. */
  private work<Result>(
    { urn, id, state, inputs, seconds, secrets, oldInputs: declared }: Partial<Step<Inputs, Outputs>>,
    defaultSeconds: number,
    operate: (context: Context) => Promise<Result>,
  ): Promise<Result> {
    const { service, lines } = this;
    let isShown = false;
    const report = (line: string) => {
      isShown = true;
      return urn ? lines?.showProgress(urn, line) : undefined;
    };
    const reportLine = (line: string) => void report(line);
    const context = {
      ...contextOf(service, state, defaultSeconds, seconds),
      ...{ report: reportLine, reportPause: reportLine, secrets, declared },
    };
    const of = state ?? inputs;
    const named = async () =>
      operate(context).catch((error: unknown) => {
        throw of ? withLabel(this.lifecycle.label(of, id), error) : error;
      });
    // The last line of a wait would stay beside the finished resource, so the engine has to get the empty one before the result.
    return service.during(() => service.secrets.cleaned(named())).finally(() => (isShown ? report("") : undefined));
  }
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
  const seenElsewhere = __seenAt === addressOf(service.config.baseUrl) ? undefined : __seenAt;
  return { ...service.until(seconds === 0 ? defaultSeconds : seconds), service, seenElsewhere };
}

/** Returns a plain value for a message, in brackets. Other values are left out. */
const quoted = (value: unknown): string =>
  ["string", "number", "boolean"].includes(typeof value) ? ` (${safeText(JSON.stringify(value), 80)})` : "";

function noted<Outputs extends { name?: string }>(
  { secrets, config }: Service,
  { id, outputs, unfinished }: Outcome<Outputs>,
  inputs: { name?: string } & Notes,
  before?: Notes,
): Outcome<Outputs & Notes> {
  // An update that has not ended need not have seen the resource.
  const { __seenAt } = unfinished && before ? before : { __seenAt: addressOf(config.baseUrl) };
  const made = { id, outputs: { ...outputs, ...notesOf(outputs, inputs), __seenAt } };
  return unfinished ? { ...made, unfinished: secrets.cleanError(unfinished) as FrontdoorError } : made;
}

/** Notes that the provider keeps in inputs and state beside a resource's fields. The adapters pass them on unchanged. */
export interface Notes {
  /** Names of inputs that the program did not give: `name` if it was derived. */
  __defaults?: string[] | undefined;
  /** The derived name of an adopted resource, which has its own name in the service. */
  __derivedName?: string | undefined;
  /** The `adopt` of the last create or update. It can stay in the program after a replacement, and a refresh takes it out of the inputs. */
  __adopt?: string | undefined;
  /** The address at which the resource was last seen (`addressOf`). Older states have none. */
  __seenAt?: string | undefined;
}

export const isNameDerived = ({ __defaults }: Notes) => __defaults?.includes("name") ?? false;

/** Returns the inputs with the name in the service, if the program has never given a name: an adopted resource keeps its own. */
export const withServiceName = <Inputs extends { name?: unknown } & Notes>(
  state: { name?: unknown } & Notes,
  inputs: Inputs,
): Inputs =>
  isNameDerived(inputs) && isNameDerived(state) ? { ...inputs, name: state.name, __derivedName: inputs.name } : inputs;

/** Returns the name that check has returned. */
export const checkedName = ({ name, __derivedName = name }: { name?: unknown; __derivedName?: unknown }): unknown =>
  __derivedName;

/** Returns the notes of a resource that was made from these inputs. */
export function notesOf(outputs: { name?: string }, inputs: { name?: string; adopt?: string } & Notes): Notes {
  const { __defaults, name, adopt: __adopt } = inputs;
  return { __defaults, __derivedName: isNameDerived(inputs) && outputs.name !== name ? name : undefined, __adopt };
}

/** Returns the inputs with their notes. */
export const inputsNoted = (inputs: object, { __defaults, __derivedName }: Notes): object & Notes => ({
  ...inputs,
  ...(__derivedName !== undefined && { name: __derivedName }),
  __defaults,
});

/** Returns how each property differs between the inputs of the state and of the program, and if the difference replaces the resource. */
export function changesByProperty(olds: object, news: object, replaces: readonly string[]): Record<string, Change> {
  const changes = new Map([...replaces.map((name) => [name, "update"] as const), ...differences(olds, news)]);
  return Object.fromEntries(
    [...changes].map(([name, change]): [string, Change] => [
      name,
      replaces.includes(name) ? `${change}-replace` : change,
    ]),
  );
}

/** Returns the differences by path, such as `target` or `shares["web"].target`. A property that one of the two lacks differs as a whole. */
function differences(olds: object, news: object, path?: string): Map<string, ChangeKind> {
  const [before, after] = [withoutNotes(olds), withoutNotes(news)];
  return new Map(
    [...new Set([...before.keys(), ...after.keys()])].flatMap((key) => {
      const [old, now] = [before.get(key), after.get(key)];
      const property = path === undefined ? key : within(path, key);
      if (isObject(old) && isObject(now)) return [...differences(old, now, property)];
      if (old === now) return [];
      return [[property, before.has(key) === after.has(key) ? "update" : before.has(key) ? "delete" : "add"]];
    }),
  );
}

/** Returns the path to a map entry, as Pulumi writes it. */
export const keyed = (property: string, key: string): string => `${property}[${JSON.stringify(key)}]`;

/** Returns the path to a map entry, or to a field of that entry. */
export const within = (path: string, key: string): string => (path.endsWith("]") ? `${path}.${key}` : keyed(path, key));

/** True if the first path is the second one, or a part of it. */
const isWithin = (path: string, whole: string): boolean =>
  path === whole || path.startsWith(`${whole}[`) || path.startsWith(`${whole}.`);

/** Returns the property that a path begins with. */
export const propertyOf = (path: string): string => path.replace(/[.[].*/, "");

const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Returns the given values, without the notes of the provider. */
const withoutNotes = (props: object) =>
  new Map<string, unknown>(Object.entries(defined(props, (name) => !name.startsWith("__"))));

/** The state that the read of an import starts from, and the message if the service has no such resource. */
export interface Imported<Outputs> {
  id: string;
  state: Outputs;
  missing: string;
}
