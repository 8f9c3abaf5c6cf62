import type { Credentials } from "../../provider/config";

/** Returns since when a JSON web token is expired; undefined if the token is valid or is no such token. */
export function expiryOf(credentials: Credentials): string | undefined {
  if (credentials.kind === "client") return undefined;
  const [, claims, signature] = credentials.token.split(".");
  if (claims === undefined || signature === undefined) return undefined;
  try {
    const { exp } = JSON.parse(Buffer.from(claims, "base64url").toString()) as { exp?: unknown };
    return typeof exp === "number" && exp * 1000 < Date.now() ? `at ${new Date(exp * 1000).toISOString()}` : undefined;
  } catch {
    return undefined;
  }
}
