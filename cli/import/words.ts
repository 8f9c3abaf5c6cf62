import { escaped } from "../characters";

/** A text between double quotes, as TypeScript, Python and YAML read it. */
export const quoted = (text: string): string => escaped(JSON.stringify(text));

/** `branch-office-2` as `branchOffice_2`: no two logical names become one, as a digit keeps its distance. */
export const camelCase = (name: string): string =>
  name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase()).replaceAll("-", "_");

/** `branch-office` or `branchOffice` as `branch_office`. */
export const snakeCase = (name: string): string =>
  name.replaceAll("-", "_").replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
