import type { Credentials } from "../config";

/** The `Authorization` header of the next call (spec: Authentication). */
export function authorization(credentials: Credentials): string {
  return credentials.kind === "bearer"
    ? `Bearer ${credentials.token}`
    : `Basic ${Buffer.from(`${credentials.username}:${credentials.token}`).toString("base64")}`;
}
