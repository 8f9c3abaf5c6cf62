/** What was looked at and how it is; `remedy` says what to do about what is wrong, or noteworthy. */
export interface Check {
  name: string;
  state: "ok" | "wrong" | "note" | "not checked";
  found: string;
  remedy?: string;
}

export const ok = (name: string, found: string): Check => ({ name, state: "ok", found });
export const wrong = (name: string, found: string, remedy: string): Check => ({ name, state: "wrong", found, remedy });
export const note = (name: string, found: string, remedy: string): Check => ({ name, state: "note", found, remedy });
export const notChecked = (name: string, why: string): Check => ({ name, state: "not checked", found: why });
