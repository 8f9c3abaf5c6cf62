import { type Field, isArgument, type Table, UNKNOWN } from "../fields/field";
import type { Failure } from "../lifecycle/contract";
import { nearest } from "../nearest";

// Checks given values by a table, and by nothing else.

/** What check has to know of a resource. */
export interface Checkable {
  table: Table;
  /** Names the resource in messages. */
  what: string;
}

/** The inputs that pass, and every problem. `aliased` are the names of inputs that were given under their alias. */
export interface CheckedInputs {
  inputs: Record<string, unknown>;
  failures: Failure[];
  aliased: string[];
}

/**
 * Checks each given value by its row. An unknown value passes, null counts as omitted, and a field has one spelling.
 * Hidden inputs (`__…`) belong to the adapter.
 */
export function checkEach(type: Checkable, given: Record<string, unknown>): CheckedInputs {
  const failures: Failure[] = [];
  const aliased: string[] = [];
  const inputs: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(type.table)) {
    if (!isArgument(field)) continue;
    const { is, alias, whenOmitted } = field;
    const isAlias = alias !== undefined && given[alias] != null;
    const property = isAlias ? alias : name;
    if (isAlias && given[name] != null) {
      failures.push({ property, reason: `is another spelling of ${name}, and both are given. Remove one of the two` });
      continue;
    }
    const value = given[property] ?? undefined;
    if (value === undefined && whenOmitted !== "refused") continue;
    const parsed = value === UNKNOWN ? undefined : is.safeParse(value);
    const reason = parsed?.error?.issues[0]?.message;
    if (isAlias && value !== UNKNOWN) aliased.push(name);
    if (reason === undefined) inputs[name] = value;
    else failures.push({ property, reason: alias && value === undefined ? `${reason}, here or as ${alias}` : reason });
  }
  return { inputs, failures: [...failures, ...strangeInputs(type, given)], aliased };
}

/** Returns a function that tells what is wrong with inputs that check has returned. They have what check fills in. */
export function wrongIn({ table, what }: Checkable): (inputs: object) => Failure[] {
  const strict = Object.entries(table).map(([name, field]): [string, Field] => {
    const isFilledIn = isArgument(field) && field.whenOmitted === "filled in";
    return [name, isFilledIn ? { ...field, whenOmitted: "refused" } : field];
  });
  const type = { table: Object.fromEntries(strict), what };
  return (inputs) => checkEach(type, { ...inputs }).failures;
}

/** Names each given input that the table does not have. */
export function strangeInputs({ table, what }: Checkable, given: object): Failure[] {
  const spellings = Object.entries(table).flatMap(([name, field]) => {
    if (!isArgument(field)) return [];
    return field.alias === undefined ? [name] : [name, field.alias];
  });
  const strange = Object.keys(given).filter((name) => !spellings.includes(name) && !name.startsWith("__"));
  return strange.map((property) => {
    const meant = nearest(property, spellings);
    const action = meant === undefined ? `Use one of: ${spellings.join(", ")}` : `Write ${meant} instead`;
    return { property, reason: `is not an argument of ${what}. ${action}. [unknown-input]` };
  });
}
