import type { Until } from "../time/clock";
import type { FrontdoorError } from "../errors";
import type { Planned } from "../fields/field";

export interface Failure {
  /** The wrong input. */
  property: string;
  /** What the value must be. */
  reason: string;
}

/** The change of one property. */
export type Change = ChangeKind | `${ChangeKind}-replace`;
type ChangeKind = "add" | "delete" | "update";

export interface Diff {
  changes: boolean;
  /** True if only updatable inputs differ, and the inputs in the state show that. */
  isOfInputs: boolean;
  /** The properties that force a replacement. If empty, the change is an update. */
  replaces: string[];
  deleteBeforeReplace: boolean;
}

/** A resource that exists. If it is not ready (failed, timed out, stopped), its id must reach the state with the reason. */
export interface Made<Outputs> {
  id: string;
  outputs: Outputs;
  unfinished?: FrontdoorError;
}

/** A resource as the program declares it, and its inputs in the state. */
export interface Declaration {
  news: Record<string, unknown>;
  /** Inputs in the state; empty if there are none. */
  olds: Record<string, unknown>;
  /** The organization and the URN. Undefined if the adapter does not know them. */
  origin: string | undefined;
  /** Names of inputs whose values are secrets, as far as the adapter knows. */
  secrets?: readonly string[];
  /** The stack's autonaming for a resource without a name: the proposed name, or that the program has to give one. */
  autonaming?: { proposedName: string } | "disabled" | undefined;
}

/** Every problem, each on its property, and the inputs in canonical form. */
export interface Checked<Inputs> {
  inputs: Planned<Inputs>;
  failures: Failure[];
  /** True if nobody has given the name. */
  isNameDerived: boolean;
  /** Inputs that the program gave in another spelling: an adapter that knows secrets by their keys marks them. */
  moved?: readonly string[] | undefined;
}

/** Default deadlines in seconds (contract: Resources). */
export interface Timeouts {
  create: number;
  update: number;
  delete: number;
}

/** The operations of a resource. Check sends nothing, and diff only reads, if the state does not decide. All but check throw FrontdoorError. */
export interface Lifecycle<Inputs, Outputs> {
  /** The deadlines of a resource that is declared, or in the state. */
  timeoutsOf(of: Planned<Inputs> | Outputs): Timeouts;
  check(declared: Declaration): Checked<Inputs>;
  /** `checkedName` is the name that check has returned: an adopted resource without a name has another one. */
  diff(id: string, olds: Outputs, news: Planned<Inputs>, until: Until, checkedName?: unknown): Promise<Diff>;
  /** Returns the outputs as far as a preview knows them. */
  knownOutputs(inputs: Planned<Inputs>, olds?: Outputs): Planned<Outputs>;
  create(inputs: Inputs, isNameDerived: boolean, until: Until): Promise<Made<Outputs>>;
  /** Returns what the read of an imported id starts from. @throws FrontdoorError `failed` if it is no such id. */
  imported(id: string): { id: string; olds: Outputs };
  /** Returns undefined only if the service has proved that the resource is gone. */
  read(id: string, olds: Outputs, until: Until): Promise<Outputs | undefined>;
  update(id: string, olds: Outputs, news: Inputs, until: Until): Promise<Made<Outputs>>;
  /** Returns the inputs that the program had given; undefined if the state does not tell. */
  inputsOf(outputs: Outputs): object | undefined;
  /** Returns once the resource is gone. An id that this run owns is not deleted. */
  delete(id: string, olds: Outputs, until: Until): Promise<void>;
}
