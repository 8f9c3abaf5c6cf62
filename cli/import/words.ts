import { escaped } from "../characters";

/** Returns a text between double quotes that TypeScript, Python and YAML can read. */
export const quoted = (text: string): string => escaped(JSON.stringify(text));

/** Returns `branchOffice_2` for `branch-office-2`. The underscore before a digit keeps different names different. */
export const camelCase = (name: string): string =>
  name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase()).replaceAll("-", "_");

/** Returns `branch_office` for `branch-office` or `branchOffice`. */
export const snakeCase = (name: string): string =>
  name.replaceAll("-", "_").replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
