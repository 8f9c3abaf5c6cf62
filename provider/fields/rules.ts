import {
  type Argument,
  emptyOf,
  has,
  inOneSpelling,
  isArgument,
  isVisible,
  namesOf,
  pick,
  type Planned,
  type Table,
  UNKNOWN,
  valueOf,
} from "./field";

/** The parts of a state that are no fields of the table. */
export interface Known {
  frontdoorId: string;
  /** The optional arguments that the program gives. Undefined in states of versions that did not note them. */
  __set?: string[];
}

/** The required values that an entry shows: all that were sent, only a part of them, or others. */
export type Shown = "all" | "part" | "others";

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
    unchanged: those((argument) => argument.whenOmitted === "unchanged" && isVisible(argument)),
    optional: those(
      ({ whenOmitted, onChange }) => ["cleared", "unchanged"].includes(whenOmitted) && onChange !== "ignore",
    ),
    changing: (...effects: Argument["onChange"][]) => those(({ onChange }) => effects.includes(onChange)),
  };
}

/** Returns one text for all spellings of a text: case and surrounding space do not count. */
const inLowerCase = (value: unknown): unknown => (typeof value === "string" ? value.trim().toLowerCase() : value);

/** True if the values differ in spelling only. */
export const isSameSpelling = (one: unknown, other: unknown): boolean =>
  String(inLowerCase(one)) === String(inLowerCase(other));

const isValue = (value: unknown) => ["string", "number"].includes(typeof value) && value !== "" && value !== 0;

/** Compares what a program gives with a state. A field that the program does not give is not managed. */
function changesOf(table: Table, { sent, clearable, optional, changing }: ReturnType<typeof groupsOf>) {
  const meaning = (from: object, name: string): unknown => {
    const value = valueOf(from, name);
    const field = table[name];
    return typeof value === "string" && field && isArgument(field) ? (field.meaning?.(value) ?? value) : value;
  };
  /** Returns the required values in canonical form and spelling. */
  const required = (from: object): unknown[] =>
    sent.filter((name) => !optional.includes(name)).map((name) => inLowerCase(meaning(from, name)));
  return {
    required,
    /** Tells if an entry or an answer, which can lack fields, shows the required values. `others`: one of them is another value. */
    shown: (seen: object, sent: object): Shown => {
      const wanted = required(sent);
      // An entry that is being deleted has empty values for those that it does not show.
      const has = required(inOneSpelling(table, seen)).map((value) => (isValue(value) ? value : undefined));
      if (has.some((value, at) => value !== undefined && !isSameSpelling(value, wanted[at]))) return "others";
      return has.includes(undefined) ? "part" : "all";
    },
    /** Returns the fields that differ in meaning, of those whose change has one of these effects. */
    changedFields: (olds: object, news: object, ...effects: Argument["onChange"][]): string[] =>
      changing(...effects).filter((name) => has(news, name) && meaning(news, name) !== meaning(olds, name)),
    /** Returns the optional fields that have a value, and that the program gave and no longer gives. */
    clearedFields: (olds: Known, news: object): string[] =>
      clearable.filter((name) => !has(news, name) && has(olds, name) && olds.__set?.includes(name)),
    /** True if the program gives an optional field that the state does not note. */
    isNewlySet: ({ __set }: Known, news: object) => optional.some((name) => has(news, name) && !__set?.includes(name)),
    /** Returns the optional fields that the inputs give, for `__set`. */
    setBy: (inputs: object): string[] => optional.filter((name) => has(inputs, name)),
  };
}

/** Makes outputs and inputs of each other. The state's type is generated from the same table. */
function statesOf<Outputs extends Known>(
  table: Table,
  { visible, outputs, unchanged, optional, given }: ReturnType<typeof groupsOf>,
  clearedFields: (olds: Known, news: object) => string[],
) {
  return {
    /** Returns the outputs that are known before a create or update: the given ones, and those of a state that was DEPLOYED. */
    knownOutputs: (inputs: object, olds?: Outputs): Planned<Outputs> => {
      const ready = olds && valueOf(olds, "status") === "DEPLOYED" ? olds : undefined;
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
    /** Returns the arguments that the outputs were made from; undefined if the state does not note which were given. */
    inputsOf: (from: Outputs): object | undefined => {
      const { __set } = from;
      const isGiven = (name: string) => has(from, name) && (!optional.includes(name) || __set?.includes(name));
      return __set && pick(from, given.filter(isGiven));
    },
    /** Returns the state that a read begins with if there is none. Every input that the service has then counts as set. */
    blank: (frontdoorId: string): Outputs => ({ ...emptyOf(table), frontdoorId, __set: optional }) as Known as Outputs,
    /** Returns the state of an entry of the service. If the entry lacks an `unchanged` field, the known value holds. */
    outputsOf: (seen: { name: string; status: string }, { frontdoorId, __set, ...known }: Known): Outputs => {
      const unseen = unchanged.filter((name) => !has(seen, name));
      return { frontdoorId, ...pick(seen, visible), ...pick(known, unseen), __set } as Known as Outputs;
    },
  };
}

/** Returns the rules that follow from the table of a resource's fields. */
export function rulesOf<Outputs extends Known>(table: Table) {
  const groups = groupsOf(table);
  const { mayLack, optional, sent } = groups;
  const changes = changesOf(table, groups);
  return {
    ...changes,
    ...statesOf<Outputs>(table, groups, changes.clearedFields),
    /** The arguments of which the state notes whether the program gives them. */
    optional,
    /** The fields that an entry of the service can lack though they have a value. */
    mayLack,
    /** True if the entry lacks a field that is known to have a value. */
    isPartial: (seen: object, known: object) => mayLack.some((name) => has(known, name) && !has(seen, name)),
    /** Returns the body of a create or full update. */
    fullBody: (inputs: { name: string }): { name: string } => ({ name: inputs.name, ...pick(inputs, sent) }),
  };
}

export type Rules<Outputs extends Known> = ReturnType<typeof rulesOf<Outputs>>;
