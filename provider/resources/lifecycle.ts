import type { Until } from "../clock";
import type { FrontdoorError } from "../errors";

/** Stands for a value that is not known before the run; it passes every check. */
export const UNKNOWN = Symbol("unknown");

/** Checked inputs in which each value can still be unknown. */
export type Planned<Inputs> = { [Key in keyof Inputs]: Inputs[Key] | typeof UNKNOWN };

export interface Failure {
  /** The input at fault. */
  property: string;
  /** What is expected of it. */
  reason: string;
}

export interface Diff {
  changes: boolean;
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

/** Where a create comes from. */
export interface Origin {
  /** The name was derived from project, stack and the resource's name: what carries it, all else being equal, is this resource's. */
  isNameDerived: boolean;
  /** Ids of this kind that the state keeps after this run; one that is taken over is added. */
  keeps: Set<string>;
}

/** Default deadlines in seconds (contract: Resources). */
export interface Timeouts {
  create: number;
  update: number;
  delete: number;
}

/** What every resource fulfils. Check and diff send nothing; the others throw FrontdoorError. */
export interface Lifecycle<Inputs, Outputs> {
  timeouts: Timeouts;
  /** Every problem at once, each on its property; inputs in canonical form. */
  check(given: Record<string, unknown>): { inputs: Planned<Inputs>; failures: Failure[] };
  diff(olds: Outputs, news: Planned<Inputs>): Diff;
  create(inputs: Inputs, origin: Origin, until: Until): Promise<Made<Outputs>>;
  /** Undefined only when the service has proven that it is gone. */
  read(id: string, olds: Outputs, until: Until): Promise<Outputs | undefined>;
  update(id: string, olds: Outputs, news: Inputs, until: Until): Promise<Made<Outputs>>;
  /** Returns once it is gone; already gone is success. */
  delete(id: string, olds: Outputs, until: Until): Promise<void>;
}
