import type * as z from "zod";

interface Row {
  /** The field in a sentence, for hover texts, the reference and the pages. */
  doc: string;
  /**
   * The visibility of the field. `always`: in every entry of the service. `maybe`: an entry can lack it. `by get`: lists omit it.
   * `in state`: not in the service's entries, but among the outputs. `nowhere`: it is only an argument.
   */
  visible: "always" | "maybe" | "by get" | "in state" | "nowhere";
}

/** A field that programs give. If it is visible in the service's entries, it is also sent to the service. */
export interface Argument extends Row {
  /** Checks a value, with the message for a wrong one. */
  is:
    | z.ZodType<string>
    | z.ZodType<number>
    | z.ZodType<string | number>
    | z.ZodType<boolean>
    | z.ZodType<Record<string, unknown>>;
  /** More docs, for programs that give the field. */
  more?: string;
  /** Another spelling of its name, which programs can give and the service can answer. */
  alias?: string;
  /**
   * If a program omits the field, check refuses it (`refused`) or fills it in (`filled in`). If a program gave it before, a PUT clears
   * it in the service (`cleared`), or its value does not change (`unchanged`).
   */
  whenOmitted: "refused" | "filled in" | "cleared" | "unchanged";
  /** `delete first` and `create first` replace the resource in that order. `update` changes it in place. `ignore`: a change has no effect. */
  onChange: "delete first" | "create first" | "update" | "ignore";
  /** Returns one canonical text for all texts that mean the same. Without it, each text means something else. */
  meaning?: (text: string) => string | undefined;
}

/** A field that only the service gives, or that comes from other reads. Every fact is an output. */
export interface Fact extends Row {
  type:
    "string" | "string | undefined" | "TunnelConfig" | "Record<string, string>" | "Record<string, string> | undefined";
}

export type Field = Argument | Fact;

/** The fields of one resource, by name. */
export type Table = Readonly<Record<string, Field>>;

export const isArgument = (field: Field): field is Argument => "is" in field;

/** Returns the type of the field's values. */
export const typeOf = (field: Field): string =>
  isArgument(field) ? field.is.type.replace("union", "string | number") : field.type;

/** True if the service's entries can have the field. */
export const isVisible = ({ visible }: Field): boolean => visible !== "in state" && visible !== "nowhere";

/** A value that is not known before the run. It passes every check. */
export const UNKNOWN = Symbol("unknown");

/** Fields whose values can still be unknown. */
export type Planned<Fields> = { [Name in keyof Fields]: Fields[Name] | typeof UNKNOWN };

/** Returns the names of the fields for which `isWanted` is true. */
export const namesOf = (table: Table, isWanted: (field: Field) => boolean): string[] =>
  Object.keys(table).filter((name) => table[name] && isWanted(table[name]));

/** Returns the value of a field by its name. */
export const valueOf = (from: object, name: string) => (from as Record<string, unknown>)[name];

/** True if the field has a value. */
export const has = (from: object, name: string) => valueOf(from, name) !== undefined;

/** Returns these fields with their values. */
export const pick = (from: object, names: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(names.map((name) => [name, valueOf(from, name)]));

/** Returns the fields that have a value. */
export const defined = <Fields extends object>(
  from: Fields,
  isWanted: (name: string) => boolean = () => true,
): Partial<Fields> =>
  pick(
    from,
    Object.keys(from).filter((name) => has(from, name) && isWanted(name)),
  ) as Partial<Fields>;

/** Returns the fields under their own names, also those that `from` has under an alias. */
export function inOneSpelling(table: Table, from: object): Record<string, unknown> {
  const spelled: Record<string, unknown> = { ...from };
  for (const [name, field] of Object.entries(table))
    if (isArgument(field) && field.alias !== undefined) spelled[name] ??= spelled[field.alias];
  return spelled;
}

const empties: Record<string, unknown> = { number: 0, boolean: false };

/** Returns empty values for the fields that every entry has. */
export const emptyOf = (table: Table): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(table)
      .filter(([, { visible }]) => visible === "always")
      .map(([name, field]) => [name, empties[typeOf(field)] ?? ""]),
  );
