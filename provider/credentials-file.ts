import { readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";

/** The client credentials in a file, by the names of their settings. */
interface ReadFile {
  path: string;
  values: { tokenUrl: string; clientId: string; clientSecret: string };
  /** The place of each value, for messages. */
  from: { tokenUrl: string; clientId: string; clientSecret: string };
  /** A line about a file that others can read. */
  warning: string | undefined;
}

/** A real file has less than a thousand letters. Reading a pipe could wait forever. */
const mostBytes = 65_536;

const fields = { clientId: "clientId", clientSecret: "password", tokenUrl: "authenticationUrl" } as const;

/**
 * Reads the `credentials.json` of an API account. A relative path begins at the working folder of this process, which for Pulumi is
 * the project's. `source` is the setting or variable with the path. No message shows what the file holds.
 */
export function readCredentialsFile(given: string, source: string): ReadFile | { problem: string } {
  // A value that is no path can be the content of the file.
  if (given.length > 1024 || /[{}"\n]/.test(given))
    return unusable(source, "does not hold a path", "Set it to the path of credentials.json");
  const path = resolve(given);
  const named = `${path} (${source})`;
  let text: string;
  let mode: number;
  try {
    const stat = statSync(path);
    if (!stat.isFile() || stat.size > mostBytes)
      return unusable(named, "is not a file of credentials", `Correct the path in ${source}`);
    text = readFileSync(path, "utf8").replace(/^\uFEFF/, "");
    mode = stat.mode;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "unknown";
    return unusable(named, `can't be read (${code})`, `Correct the path in ${source}, or the rights of the file`);
  }
  const found = objectIn(text);
  if (!found) return unusable(named, "holds no JSON object", "Download credentials.json again");
  const isThere = (field: string) => typeof found[field] === "string" && found[field] !== "";
  const missing = Object.values(fields).filter((field) => !isThere(field));
  if (missing.length > 0)
    return unusable(named, `has no ${missing.join(", no ")}`, "Download the credentials.json of an API account again");
  const { clientId, clientSecret, tokenUrl } = mapped((field) => String(found[field]));
  const isOpen = process.platform !== "win32" && (mode & 0o044) !== 0;
  return {
    path,
    values: { clientId, clientSecret, tokenUrl },
    from: mapped((field) => `${field} in ${named}`),
    warning: isOpen
      ? `frontdoor: other users of this machine can read ${named}. Run "chmod 600 ${path}". [credentials-file-open]`
      : undefined,
  };
}

const unusable = (what: string, problem: string, action: string) => ({
  problem: `${what} ${problem}. Nothing was sent. ${action}. [credentials-file]`,
});

const mapped = (valueOf: (field: string) => string) => ({
  clientId: valueOf(fields.clientId),
  clientSecret: valueOf(fields.clientSecret),
  tokenUrl: valueOf(fields.tokenUrl),
});

function objectIn(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
