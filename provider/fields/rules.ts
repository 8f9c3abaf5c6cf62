import {
  type Argument,
  emptyOf,
  isArgument,
  isVisible,
  namesOf,
  pick,
  type Planned,
  type Table,
  UNKNOWN,
  valueOf,
} from "./field";

/** What the state knows besides the fields. */
export interface Known {
  frontdoorId: string;
  /** Optional arguments that the program gives. Undefined in states of versions that did not note it. */
  __set?: string[];
}

const has = (from: object, name: string) => valueOf(from, name) !== undefined;

/** What follows from the table of a resource's fields; what the state keeps is the type that is generated from the same table. */
export function rulesOf<Outputs extends Known>(table: Table) {
  const those = (isWanted: (argument: Argument) => boolean) =>
    namesOf(table, (field) => isArgument(field) && isWanted(field));
  const visible = namesOf(table, isVisible);
  const outputs = namesOf(table, (field) => field.visible !== "nowhere");
  const mayLack = namesOf(table, (field) => field.visible === "maybe");
  // The name comes first, as records of interrupted creates have it.
  const sent = [...new Set(["name", ...those(isVisible)])];
  const clearable = those(({ whenOmitted }) => whenOmitted === "cleared");
  const unchanged = those((argument) => argument.whenOmitted === "unchanged" && isVisible(argument));
  const optional = those(
    ({ whenOmitted, onChange }) => ["cleared", "unchanged"].includes(whenOmitted) && onChange !== "ignore",
  );

  const meaning = (from: object, name: string): unknown => {
    const value = valueOf(from, name);
    const field = table[name];
    return typeof value === "string" && field && isArgument(field) ? (field.meaning?.(value) ?? value) : value;
  };

  const clearedFields = (olds: Outputs, news: object): string[] =>
    clearable.filter((name) => !has(news, name) && has(olds, name) && olds.__set?.includes(name));

  return {
    /** Arguments of which the state notes whether the program gives them. */
    optional,
    /** Fields that an entry of the service can lack though they have a value. */
    mayLack,
    /** Whether an entry does not tell a field that is known to have a value. */
    isPartial: (seen: object, known: object) => mayLack.some((name) => has(known, name) && !has(seen, name)),
    /** The body of a create or full update. */
    fullBody: (inputs: { name: string }): { name: string } => ({ name: inputs.name, ...pick(inputs, sent) }),
    /** What each is asked for with, in canonical form. */
    required: (from: object): unknown[] =>
      sent.filter((name) => !optional.includes(name)).map((name) => meaning(from, name)),
    /** The fields in which two differ in meaning, of those of which a change does this; what is not given is not managed. */
    changedFields: (olds: object, news: object, ...does: Argument["onChange"][]): string[] =>
      those(({ onChange }) => does.includes(onChange)).filter(
        (name) => has(news, name) && meaning(news, name) !== meaning(olds, name),
      ),
    /** Optional fields that the program gave and gives no longer, and that have a value still. */
    clearedFields,
    /** True when the program gives an optional field that the state does not note. */
    isNewlySet: ({ __set }: Outputs, news: object) =>
      optional.some((name) => has(news, name) && !__set?.includes(name)),
    /** What the state notes of optional arguments. */
    setBy: (inputs: object): string[] => optional.filter((name) => has(inputs, name)),
    /** The outputs as far as they are known before a create or update: what is given, and what was known once it was ready. */
    knownOutputs: (inputs: object, olds?: Outputs): Planned<Outputs> => {
      const ready = olds && valueOf(olds, "status") === "DEPLOYED" ? olds : undefined;
      const chosenByService = ready ? clearedFields(ready, inputs) : outputs;
      const unknown = Object.fromEntries(chosenByService.map((name) => [name, UNKNOWN]));
      const given = pick(
        inputs,
        outputs.filter((name) => has(inputs, name)),
      );
      return {
        ...(ready && pick(ready, outputs)),
        ...unknown,
        ...given,
        status: "DEPLOYED",
      } as object as Planned<Outputs>;
    },
    /** The arguments that the state's outputs stand for; undefined where it does not tell which were given. */
    inputsOf: (outputs: Outputs): object | undefined => {
      const { __set } = outputs;
      const isGiven = (name: string) => has(outputs, name) && (!optional.includes(name) || __set?.includes(name));
      return __set && pick(outputs, those(() => true).filter(isGiven));
    },
    /** What a read starts from where no state holds the resource: every input that it has will count as set. */
    blank: (frontdoorId: string): Outputs => ({ ...emptyOf(table), frontdoorId, __set: optional }) as Known as Outputs,
    /** What the state keeps of what the service shows; what was known of an `unchanged` field holds where an answer lacks it. */
    outputsOf: (seen: { name: string; status: string }, { frontdoorId, __set, ...known }: Known): Outputs => {
      const unseen = unchanged.filter((name) => !has(seen, name));
      return { frontdoorId, ...pick(seen, visible), ...pick(known, unseen), __set } as Known as Outputs;
    },
  };
}

export type Rules<Outputs extends Known> = ReturnType<typeof rulesOf<Outputs>>;
