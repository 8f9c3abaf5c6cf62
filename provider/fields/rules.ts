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
import { sameSpelling, spellingOf } from "./values";

/** The parts of a state that are no fields of the table. */
export interface Known {
  frontdoorId: string;
  /** The optional arguments that the program gives. Undefined in states of versions that did not note them. */
  __set?: string[];
  /** The values shown by the service for arguments that it shows in another spelling than the sent one. */
  __shown?: Record<string, unknown>;
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
    keptIfOmitted: those((argument) => argument.whenOmitted === "unchanged" && isVisible(argument)),
    optional: those(
      ({ whenOmitted, onChange }) => ["cleared", "unchanged"].includes(whenOmitted) && onChange !== "ignore",
    ),
    changing: (...effects: Argument["onChange"][]) => those(({ onChange }) => effects.includes(onChange)),
  };
}

/** True if an entry shows this value: one that is being deleted has empty ones. */
const isValue = (value: unknown) => ["string", "number"].includes(typeof value) && value !== "" && value !== 0;

/**
 * Returns what an entry or an answer, which can lack fields, shows of the required values that were sent. If exactly one text differs and
 * the name is equal, it is taken for an unknown spelling of the sent text. Otherwise it is another resource (`others`).
 */
function shownOf(names: readonly string[], seen: object, sent: object): Shown {
  const values = names.map((name) => valueOf(seen, name));
  const differing = names.filter((name, at) => isValue(values[at]) && !sameSpelling(values[at], valueOf(sent, name)));
  const isText = differing.every((name) => name !== "name" && typeof valueOf(sent, name) === "string");
  if (differing.length > 1 || !isText) return "others";
  return values.every(isValue) ? "all" : "part";
}

/** Compares what a program gives with a state. A field that the program does not give is not managed. */
function changesOf(table: Table, { sent, clearable, optional, changing }: ReturnType<typeof groupsOf>) {
  const meaning = (from: object, name: string): unknown => {
    const value = valueOf(from, name);
    const field = table[name];
    return typeof value === "string" && field && isArgument(field) ? (field.meaning?.(value) ?? value) : value;
  };
  const changedFields = (olds: object, news: object, ...effects: Argument["onChange"][]): string[] =>
    changing(...effects).filter((name) => has(news, name) && meaning(news, name) !== meaning(olds, name));
  const needed = sent.filter((name) => !optional.includes(name));
  /** Returns the required values in canonical form and spelling. */
  const required = (from: object): unknown[] =>
    needed.map((name) => meaning(from, name)).map((value) => (typeof value === "string" ? spellingOf(value) : value));
  return {
    required,
    shown: (seen: object, wanted: object): Shown => shownOf(needed, inOneSpelling(table, seen), wanted),
    /** Returns the fields that differ in meaning, of those whose change has one of these effects. */
    changedFields,
    /** Returns the changed fields that differ in more than their spelling. */
    otherFields: (olds: object, news: object, ...effects: Argument["onChange"][]): string[] =>
      changedFields(olds, news, ...effects).filter((name) => !sameSpelling(valueOf(olds, name), valueOf(news, name))),
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
  { outputs, optional, given }: ReturnType<typeof groupsOf>,
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
  };
}

/** Compares what the service shows with what was sent: it can keep a value in another spelling, which is no change. */
function spellingsOf({ sent, mayLack }: ReturnType<typeof groupsOf>) {
  return {
    /**
     * Returns an entry of the service in the spelling of a state. Each argument is as it was sent, if the service shows it as it did
     * then. Without such a note, a difference in spelling only counts as unchanged, but only where the note can be missing: in a state that
     * is not DEPLOYED, and for fields that entries can lack.
     */
    asSent: <Seen extends object>(seen: Seen, known: object): Seen => {
      const { __shown = {}, status } = known as Partial<Known & { status: string }>;
      const isAsBefore = (name: string) =>
        has(seen, name) &&
        (has(__shown, name)
          ? valueOf(seen, name) === valueOf(__shown, name)
          : (status !== "DEPLOYED" || mayLack.includes(name)) &&
            sameSpelling(valueOf(seen, name), valueOf(known, name)));
      return { ...seen, ...pick(known, sent.filter(isAsBefore)) };
    },
    /** Returns what the service shows for each of these arguments that it shows in another spelling than the given one. */
    shownFor: (seen: object, inputs: object, names: readonly string[] = sent): Record<string, unknown> => {
      const isOther = (name: string) => has(inputs, name) && valueOf(seen, name) !== valueOf(inputs, name);
      return pick(
        seen,
        sent.filter((name) => names.includes(name) && has(seen, name) && isOther(name)),
      );
    },
  };
}

/**
 * Returns the state of an entry of the service, with the known spelling of its arguments. If the entry lacks an `unchanged` field, the
 * known value holds, and so does each one of a resource that is being deleted.
 */
const outputsBy =
  (
    { visible, outputs: all, keptIfOmitted }: ReturnType<typeof groupsOf>,
    asSent: (seen: object, known: object) => object,
  ) =>
  (seen: { name: string; status: string }, { frontdoorId, __set, __shown = {}, ...known }: Known): Known => {
    const kept = ["DELETING", "DELETED"].includes(seen.status) ? all : keptIfOmitted;
    const unseen = kept.filter((name) => !has(seen, name));
    const spelled = asSent(seen, { ...known, __shown });
    const isRespelled = (name: string) => has(seen, name) && valueOf(spelled, name) !== valueOf(seen, name);
    const noted = {
      ...pick(
        __shown,
        unseen.filter((name) => has(__shown, name)),
      ),
      ...pick(seen, visible.filter(isRespelled)),
    };
    const outputs = { ...pick(spelled, visible), ...pick(known, unseen), frontdoorId, __set };
    return { ...outputs, __shown: Object.keys(noted).length > 0 ? noted : undefined };
  };

/** Returns the rules that follow from the table of a resource's fields. */
export function rulesOf<Outputs extends Known>(table: Table) {
  const groups = groupsOf(table);
  const { mayLack, optional, sent } = groups;
  const changes = changesOf(table, groups);
  const spellings = spellingsOf(groups);
  return {
    ...changes,
    ...statesOf<Outputs>(table, groups, changes.clearedFields),
    ...spellings,
    outputsOf: outputsBy(groups, spellings.asSent) as (seen: { name: string; status: string }, known: Known) => Outputs,
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

export type Rules<Outputs extends Known> = ReturnType<typeof rulesOf<Outputs>>;
