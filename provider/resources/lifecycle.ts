import type { Until } from "../time/clock";
import type { FrontdoorError } from "../errors";
import type { Planned } from "../fields/field";

export interface Failure {
  /** The input at fault. */
  property: string;
  /** What is expected of it. */
  reason: string;
}

/** What is to happen to one property. */
export type Change = ChangeKind | `${ChangeKind}-replace`;
type ChangeKind = "add" | "delete" | "update";

export interface Diff {
  changes: boolean;
  /** Nothing but inputs that can be updated differs, and what the state holds as inputs shows it. */
  isOfInputs: boolean;
  /** The properties that force a replacement; none means update in place. */
  replaces: string[];
  deleteBeforeReplace: boolean;
}

/** It exists; where it is not ready (failed, timed out, stopped) the id must reach the state all the same. */
export interface Made<Outputs> {
  id: string;
  outputs: Outputs;
  unfinished?: FrontdoorError;
}

/** What a program declares, and what the state holds of it. */
export interface Declaration {
  news: Record<string, unknown>;
  /** Inputs in the state; empty where it holds none. */
  olds: Record<string, unknown>;
  /** Which resource of which stack it is: the organization and the URN. Undefined where the host can't tell. */
  origin: string | undefined;
  /** Names of inputs whose values are secrets, as far as the host can tell. */
  secrets?: readonly string[];
  /** What the stack's autonaming settings say of a resource that is given no name: the one it gets, or that it has to be given one. */
  autonaming?: { proposedName: string } | "disabled" | undefined;
}

/** Every problem at once, each on its property; inputs in canonical form. */
export interface Checked<Inputs> {
  inputs: Planned<Inputs>;
  failures: Failure[];
  /** The name was given by nobody. */
  isNameDerived: boolean;
  /** Inputs whose values the program gave under another key: a host that knows secrets by their keys marks them as secrets. */
  moved?: readonly string[] | undefined;
}

/** Default deadlines in seconds (contract: Resources). */
export interface Timeouts {
  create: number;
  update: number;
  delete: number;
}

/** What every resource fulfils. Check sends nothing, diff only reads, and that where what is stored does not decide; all but check throw FrontdoorError. */
export interface Lifecycle<Inputs, Outputs> {
  /** Of what is declared, or what the state holds. */
  timeoutsOf(of: Planned<Inputs> | Outputs): Timeouts;
  check(declared: Declaration): Checked<Inputs>;
  /** The name that check has seen is another one than that of what was adopted without giving one. */
  diff(id: string, olds: Outputs, news: Planned<Inputs>, until: Until, checkedName?: unknown): Promise<Diff>;
  /** The outputs as far as they are known before a create, or before an update of what the state holds. */
  knownOutputs(inputs: Planned<Inputs>, olds?: Outputs): Planned<Outputs>;
  create(inputs: Inputs, isNameDerived: boolean, until: Until): Promise<Made<Outputs>>;
  /** What a read starts from that is given the id of an import alone. @throws FrontdoorError `failed` where it is none. */
  imported(id: string): { id: string; olds: Outputs };
  /** Undefined only when the service has proven that it is gone. */
  read(id: string, olds: Outputs, until: Until): Promise<Outputs | undefined>;
  update(id: string, olds: Outputs, news: Inputs, until: Until): Promise<Made<Outputs>>;
  /** The inputs that outputs stand for, as far as the program had set them; undefined where that is not known. */
  inputsOf(outputs: Outputs): object | undefined;
  /** Returns once it is gone; already gone is success. What this run holds is not deleted. */
  delete(id: string, olds: Outputs, until: Until): Promise<void>;
}
