import type { Credentials } from "../../provider/config";
import { codeOf, limit } from "../../provider/errors";

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

/** Returns when a JSON web token ends, as words such as "is valid for 42 min"; undefined if it is no such token. */
export function expiryOf(credentials: Credentials): { isOver: boolean; words: string } | undefined {
  if (credentials.kind === "client") return undefined;
  const [, claims, signature] = credentials.token.split(".");
  if (claims === undefined || signature === undefined) return undefined;
  try {
    const { exp } = JSON.parse(Buffer.from(claims, "base64url").toString()) as { exp?: unknown };
    if (typeof exp !== "number") return undefined;
    const [at, leftMs] = [new Date(exp * 1000).toISOString(), exp * 1000 - Date.now()];
    if (leftMs < 0) return { isOver: true, words: `has expired at ${at}` };
    return { isOver: false, words: `is valid for ${limit(leftMs)}, until ${at}` };
  } catch {
    return undefined;
  }
}
