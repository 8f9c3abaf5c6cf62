import { InvalidArgumentError } from "commander";

/** Values by property. An entry matches if it has one of the values in each property. */
export type Filters = Record<string, string[]>;

/** Adds one `--filter <property>=<value>` to the previous filters. */
export function addFilter(text: string, before: Filters = {}): Filters {
  const [, property, value] = /^(\w+)=(.+)$/s.exec(text) ?? [];
  if (property === undefined || value === undefined)
    throw new InvalidArgumentError('It must be "<property>=<value>", such as locationId=loc-1.');
  const values = Object.hasOwn(before, property) ? (before[property] ?? []) : [];
  return { ...before, [property]: [...values, value] };
}
