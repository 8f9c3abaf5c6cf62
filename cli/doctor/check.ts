import { codeOf } from "../../provider/errors";

/** The result of one check. A problem and a note have a remedy. */
export interface Check {
  name: string;
  state: "ok" | "wrong" | "note" | "not checked";
  found: string;
  remedy?: string;
  /** The code at the end of the remedy of a problem. */
  code?: string | undefined;
}

export const ok = (name: string, found: string): Check => ({ name, state: "ok", found });
export const wrong = (name: string, found: string, remedy: string): Check => ({
  ...{ name, state: "wrong", found, remedy },
  code: codeOf(remedy),
});
export const note = (name: string, found: string, remedy: string): Check => ({ name, state: "note", found, remedy });
export const notChecked = (name: string, why: string): Check => ({ name, state: "not checked", found: why });
