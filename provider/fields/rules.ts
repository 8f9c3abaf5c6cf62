import {
  type Argument,
  emptyOf,
  defined,
  has,
  isArgument,
  isVisible,
  namesOf,
  pick,
  type Planned,
  type Table,
  UNKNOWN,
  valueOf,
} from "./field";
import { sameSpelling } from "./values";

/** What each state has besides the fields of its table. */
export interface StateBase {
  frontdoorId: string;
  /** The optional arguments that the program gives. Undefined from an import until the first update: nobody knows who gave them. */
  __set?: string[];
  /** The wall-clock time from which a reading is the truth, in milliseconds. Unset if it is one already. */
  __settlesAt?: number;
}

/** The names of a table's fields, grouped by their rows. */
function groupsOf(table: Table) {
  const those = (isWanted: (argument: Argument) => boolean) =>
    namesOf(table, (field) => isArgument(field) && isWanted(field));
  return {
    visible: namesOf(table, isVisible),
    outputs: namesOf(table, ({ visible }) => visible !== "nowhere"),
    mayLack: namesOf(table, ({ visible }) => visible === "maybe"),
    given: those(() => true),
    // The name comes first, as in creation records.
    sent: [...new Set(["name", ...those(isVisible)])],
    clearable: those(({ whenOmitted }) => whenOmitted === "cleared"),
    onlyInState: those(({ visible }) => visible === "in state"),
    keptIfOmitted: those((argument) => argument.whenOmitted === "unchanged" && isVisible(argument)),
    optional: those(
      ({ whenOmitted, onChange }) => ["cleared", "unchanged"].includes(whenOmitted) && onChange !== "ignore",
    ),
    changing: (...effects: Argument["onChange"][]) => those(({ onChange }) => effects.includes(onChange)),
  };
}

/** True if an entry shows the field: a required one can be empty while the service has no value for it. */
export const isShown = (seen: object, name: string): boolean =>
  !["", 0, undefined].includes(valueOf(seen, name) as undefined);

/**
 * Returns the wanted fields of which an entry of the service shows another value. A known spelling is no other value, and a field that the
 * entry does not show is none either.
 */
export const differing = (seen: object, want: object): string[] =>
  Object.keys(want).filter(
    (name) => has(want, name) && isShown(seen, name) && !sameSpelling(valueOf(seen, name), valueOf(want, name)),
  );

/** Compares what a program gives with a state. A field that the program does not give is not managed. */
function changesOf(table: Table, { sent, clearable, optional, changing }: ReturnType<typeof groupsOf>) {
  const meaning = (from: object, name: string): unknown => {
    const value = valueOf(from, name);
    const field = table[name];
    const isPlain = typeof value === "string" || typeof value === "number";
    return isPlain && field && isArgument(field) ? (field.meaning?.(String(value)) ?? value) : value;
  };
  const changedFields = (state: object, inputs: object, ...effects: Argument["onChange"][]): string[] =>
    changing(...effects).filter((name) => has(inputs, name) && meaning(state, name) !== meaning(inputs, name));
  return {
    /** Returns the arguments for which an entry of the service shows another value than the wanted one. */
    differingArguments: (seen: object, wanted: object): string[] => differing(seen, pick(wanted, sent)),
    /** Returns the fields that differ in meaning, of those whose change has one of these effects. */
    changedFields,
    /** Returns the optional fields that have a value, and that the program gave and no longer gives. */
    clearedFields: (state: StateBase, inputs: object): string[] =>
      clearable.filter((name) => !has(inputs, name) && has(state, name) && state.__set?.includes(name)),
    /** True if the program gives an optional field that the state does not note. To give one of an import is no change. */
    isNewlySet: ({ __set }: StateBase, inputs: object) =>
      __set !== undefined && optional.some((name) => has(inputs, name) && !__set.includes(name)),
    /** Returns the optional fields that the inputs give, for `__set`. */
    setBy: (inputs: object): string[] => optional.filter((name) => has(inputs, name)),
  };
}

/** Makes outputs and inputs of each other. The state's type is generated from the same table. */
function statesOf<Outputs extends StateBase>(
  table: Table,
  { outputs, optional, given }: ReturnType<typeof groupsOf>,
  clearedFields: (state: StateBase, inputs: object) => string[],
) {
  return {
    /** Returns the outputs that are known before a create or update: the given ones, and those of a state that was DEPLOYED. */
    knownOutputs: (inputs: object, state?: Outputs): Planned<Outputs> => {
      const ready = state && valueOf(state, "status") === "DEPLOYED" ? state : undefined;
      const unknown = ready ? clearedFields(ready, inputs) : outputs;
      const known = {
        ...(ready && pick(ready, outputs)),
        ...Object.fromEntries(unknown.map((name) => [name, UNKNOWN])),
        ...pick(
          inputs,
          outputs.filter((name) => has(inputs, name)),
        ),
        status: "DEPLOYED",
      };
      return known as object as Planned<Outputs>;
    },
    /** Returns the arguments that the outputs were made from, of an import those that every program gives. */
    inputsOf: (from: Outputs): object => {
      const { __set = [] } = from;
      const isGiven = (name: string) => has(from, name) && (!optional.includes(name) || __set.includes(name));
      return pick(from, given.filter(isGiven));
    },
    /** Returns the state that a read begins with if there is none. What an optional argument could give then counts as Frontdoor's choice. */
    blank: (frontdoorId: string): Outputs => ({ ...emptyOf(table), frontdoorId }) as StateBase as Outputs,
  };
}

/**
 * Returns the state of an entry of the service, with each argument as it was sent if the entry shows a known spelling of it. If the entry
 * lacks a required or an `unchanged` field, the known value holds, and so does each one of a resource that is being deleted.
 */
const outputsBy =
  ({ visible, outputs: all, onlyInState, keptIfOmitted, sent, optional }: ReturnType<typeof groupsOf>) =>
  (seen: { name: string; status: string }, { frontdoorId, __set, __settlesAt, ...known }: StateBase): StateBase => {
    const required = sent.filter((name) => !optional.includes(name) && has(known, name));
    const kept = ["DELETING", "DELETED"].includes(seen.status) ? all : [...required, ...keptIfOmitted];
    const unseen = kept.filter((name) => !isShown(seen, name));
    const spelled = sent.filter(
      (name) => isShown(seen, name) && sameSpelling(valueOf(seen, name), valueOf(known, name)),
    );
    const shown = { ...pick(seen, visible), ...pick(known, unseen), ...pick(known, spelled) };
    return { ...shown, ...defined(pick(known, onlyInState)), frontdoorId, __set, __settlesAt };
  };

/** Returns the rules that follow from the table of a resource's fields. */
export function rulesOf<Outputs extends StateBase>(table: Table) {
  const groups = groupsOf(table);
  const { mayLack, optional, sent } = groups;
  const changes = changesOf(table, groups);
  return {
    ...changes,
    ...statesOf<Outputs>(table, groups, changes.clearedFields),
    outputsOf: outputsBy(groups) as (seen: { name: string; status: string }, known: StateBase) => Outputs,
    /** The arguments of which the state notes whether the program gives them. */
    optional,
    /** The fields that an entry of the service can lack though they have a value. */
    mayLack,
    /** True if the entry lacks a field that is known to have a value. */
    isPartial: (seen: object, known: object) => mayLack.some((name) => has(known, name) && !has(seen, name)),
    /** Returns the body of a create or full update. */
    fullBody: (inputs: { name: string }): { name: string } => pick(inputs, sent) as { name: string },
  };
}

export type Rules<Outputs extends StateBase> = ReturnType<typeof rulesOf<Outputs>>;
