import type { Named } from "../api/wire";
import type { FrontdoorError } from "../errors";
import type { Planned } from "../fields/field";
import type { Context, Kind } from "../run/service";
import type { Until } from "../time";

// What a resource does for the adapters, in plain values.

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
export type ChangeKind = "add" | "delete" | "update";

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

/** An id that the state has. */
export interface IdInState {
  kind: Pick<Kind<Named>, "noteName" | "register" | "records">;
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
  /** Returns the arguments in which it differs from the program. @throws FrontdoorError if there is nothing to adopt, or if it cannot be read. */
  differing: (until: Until) => Promise<string[]>;
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
  label(resource: Planned<Inputs> | Outputs, id?: string): string;
  /** The deadlines of a resource that is declared, or in the state. `before` is the state that an update begins with. */
  timeoutsOf(resource: Planned<Inputs> | Outputs, before?: Outputs): Timeouts;
  check(declaration: Declaration): Checked<Inputs>;
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
  /** Returns the ids of the state in Frontdoor: one, or that of each share of a set. */
  idsIn(id: string, state: Outputs): IdInState[];
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
  /** The organization and the URN. Undefined if Pulumi does not tell. */
  origin?: string | undefined;
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
export type StepWith<Part extends keyof Step<Inputs, Outputs>, Inputs, Outputs> = Pick<Step<Inputs, Outputs>, Part> &
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

/** The state that the read of an import starts from, and the message if the service has no such resource. */
export interface Imported<Outputs> {
  id: string;
  state: Outputs;
  missing: string;
}

/** Notes that the provider keeps in inputs and state beside a resource's fields. The adapters pass them on unchanged. */
export interface Notes {
  /** Names of inputs that the program did not give: `name` if it was derived. */
  __defaults?: string[] | undefined;
  /** The derived name of an adopted resource, which has its own name in the service. */
  __derivedName?: string | undefined;
  /**
   * The last `adopt`, or the id of an import. It can stay in the program after a replacement, and a refresh takes it out of the inputs. If it
   * is the id in the state, this stack did not create the resource.
   */
  __adopt?: string | undefined;
  /** True if the share stays in Frontdoor when its key leaves the program. A site gives it to its shares as a hidden input. */
  __retain?: true | undefined;
  /** The address at which the resource was last seen (`Service.address`). Older states have none. */
  __seenAt?: string | undefined;
}
