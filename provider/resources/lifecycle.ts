import type { Until } from "../time/clock";
import type { FrontdoorError } from "../errors";
import type { Planned } from "../fields/field";
import type { Imported } from "./import";

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
  /** Names of inputs whose values are secrets, as far as the adapter knows. */
  secrets?: readonly string[];
  /** True if the program certainly does not run for a preview. */
  isUp?: boolean | undefined;
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
}

/** Default deadlines in seconds (contract: Resources). */
export interface Timeouts {
  create: number;
  update: number;
  delete: number;
}

/** The operations of a resource. Check sends nothing. Diff reads only if the state cannot decide. All but check throw FrontdoorError. */
export interface Lifecycle<Inputs, Outputs> {
  /** The deadlines of a resource that is declared, or in the state. */
  timeoutsOf(of: Planned<Inputs> | Outputs): Timeouts;
  check(declared: Declaration): Checked<Inputs>;
  /** `checkedName` is the name that check has returned: an adopted resource without a name has another one. */
  diff(id: string, olds: Outputs, news: Planned<Inputs>, until: Until, checkedName?: unknown): Promise<Diff>;
  /** Returns the requests that a change leads to, in one line, as far as a preview knows them. */
  preview(id: string, olds: Outputs, news: Planned<Inputs>, diff: Diff, until: Until): Promise<string | undefined>;
  /** Returns the outputs as far as a preview knows them. */
  knownOutputs(inputs: Planned<Inputs>, olds?: Outputs): Planned<Outputs>;
  /** Refuses a create in a preview if a resource outside this stack has its port or location. */
  refuseTaken?(inputs: Planned<Inputs>, until: Until): Promise<void>;
  create(inputs: Inputs, isNameDerived: boolean, until: Until): Promise<Outcome<Outputs>>;
  /** Returns what the read of an import starts from. @throws FrontdoorError `failed` if the id is malformed. */
  imported(id: string): Imported<Outputs>;
  /** Returns undefined only if the service has proved that the resource is gone. */
  read(id: string, olds: Outputs, until: Until): Promise<Outputs | undefined>;
  update(id: string, olds: Outputs, news: Inputs, until: Until): Promise<Outcome<Outputs>>;
  /** Returns the inputs that the program had given; undefined if the state does not tell. */
  inputsOf(outputs: Outputs): object | undefined;
  /** Returns once the resource is gone. An id that this run owns is not deleted. */
  delete(id: string, olds: Outputs, until: Until): Promise<void>;
}
