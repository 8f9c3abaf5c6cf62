import type * as z from "zod";

interface Row {
  /** What it is, in a sentence: hover texts, the reference and the pages say it. */
  doc: string;
  /**
   * Where it shows. `always`: in every entry of the service. `maybe`: an entry can lack it. `by get`: lists leave it out.
   * `in state`: not in the service's entries, but among the outputs. `nowhere`: it is an argument alone.
   */
  visible: "always" | "maybe" | "by get" | "in state" | "nowhere";
}

/** A field that programs give. What shows in the service's entries is sent to it, too. */
export interface Argument extends Row {
  /** What a value has to be, with the words for one that is not. */
  is: z.ZodType<string> | z.ZodType<number> | z.ZodType<boolean> | z.ZodType<Record<string, unknown>>;
  /** What else those who give it want to know. */
  more?: string;
  /** Another spelling of its name, which programs can give and the service can show. */
  alias?: string;
  /**
   * A program that gives none is `refused`, or check has it `filled in`. Where one gave it and gives it no longer, the service is told
   * so by a PUT, which a PATCH can't (`cleared`), or its value stays (`unchanged`).
   */
  whenOmitted: "refused" | "filled in" | "cleared" | "unchanged";
  /** `move` replaces it, too, with the new one there before the old one goes. */
  onChange: "replace" | "move" | "update" | "ignore";
  /** The same text for all that mean the same, undefined for what means nothing; without it each value means another thing. */
  meaning?: (text: string) => string | undefined;
}

/** A field that the service alone gives, or that comes from other reads; every one is an output. */
export interface Fact extends Row {
  type:
    "string" | "string | undefined" | "TunnelConfig" | "Record<string, string>" | "Record<string, string> | undefined";
}

export type Field = Argument | Fact;

/** All there is to say of a resource's fields. */
export type Table = Readonly<Record<string, Field>>;

export const isArgument = (field: Field): field is Argument => "is" in field;

/** The type of its values. */
export const typeOf = (field: Field): string => (isArgument(field) ? field.is.type : field.type);

/** Whether entries of the service can show it. */
export const isVisible = ({ visible }: Field): boolean => visible !== "in state" && visible !== "nowhere";

/** Stands for a value that is not known before the run; it passes every check. */
export const UNKNOWN = Symbol("unknown");

/** Fields of which each value can still be unknown. */
export type Planned<Fields> = { [Name in keyof Fields]: Fields[Name] | typeof UNKNOWN };

/** The names of the fields of which this is true. */
export const namesOf = (table: Table, isWanted: (field: Field) => boolean): string[] =>
  Object.keys(table).filter((name) => table[name] && isWanted(table[name]));

/** The value of a field that is known by its name alone. */
export const valueOf = (from: object, name: string) => (from as Record<string, unknown>)[name];

/** These of the fields, with their values. */
export const pick = (from: object, names: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(names.map((name) => [name, valueOf(from, name)]));

/** The same with each field under its name, whatever spelling it was given or shown in. */
export function inOneSpelling(table: Table, from: object): Record<string, unknown> {
  const spelled: Record<string, unknown> = { ...from };
  for (const [name, field] of Object.entries(table))
    if (isArgument(field) && field.alias !== undefined) spelled[name] ??= spelled[field.alias];
  return spelled;
}

const empties: Record<string, unknown> = { number: 0, boolean: false };

/** What stands for the values that every entry shows where there are none. */
export const emptyOf = (table: Table): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(table)
      .filter(([, { visible }]) => visible === "always")
      .map(([name, field]) => [name, empties[typeOf(field)] ?? ""]),
  );
