import { readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";

/** The credentials of calls (spec: Authentication). `source` names the setting, the variable or the file that holds them. */
export type Credentials =
  | { kind: "bearer"; token: string; source: string }
  | { kind: "basic"; username: string; token: string; source: string }
  | {
      /** OAuth2 client credentials, which fetch tokens. */
      kind: "client";
      tokenUrl: string;
      clientId: string;
      clientSecret: string;
      audience: string | undefined;
      scope: string | undefined;
      /** The form of a token request: a JSON body, or a form with HTTP Basic. */
      request: "json" | "form";
      source: string;
      /** The place of the token endpoint's address. */
      urlSource: string;
    };

/** Settings, or what belongs to each of them, by key. */
export type SettingsByKey = Partial<Record<string, string>>;

/** The settings of a run, with the place of each one. */
export interface Gathered {
  settings: SettingsByKey;
  from: SettingsByKey;
  /** A line about a file that others can read. */
  warning?: string | undefined;
}

interface Problem {
  property: string;
  problem: string;
}

/** The names of the settings that choose a kind of credentials. */
export const choosingKeys = ["token", "username", "tokenUrl", "clientId", "clientSecret", "credentialsFile"];

/** The names of the settings that belong to credentials. */
export const credentialKeys = [...choosingKeys, "audience", "scope", "tokenRequest"];

/** The variables of NetFoundry's own tools. */
const vendorNames = {
  token: "NETFOUNDRY_API_TOKEN",
  credentialsFile: "NETFOUNDRY_API_ACCOUNT",
  clientId: "NETFOUNDRY_CLIENT_ID",
  clientSecret: "NETFOUNDRY_PASSWORD",
  tokenUrl: "NETFOUNDRY_OAUTH_URL",
} as const;

const tokenKeys = ["token", "username"] as const;

const clientKeys = ["clientId", "clientSecret", "tokenUrl"] as const;

/**
 * Returns the settings of the stack with those that the environment adds (contract: Configuration). If the stack sets credentials, the
 * environment adds none, not even what they lack.
 */
export function together(stack: SettingsByKey, environment: SettingsByKey): SettingsByKey {
  const isChosen = choosingKeys.some((key) => stack[key] !== undefined);
  const added = Object.entries(environment).filter(([key]) => !isChosen || !credentialKeys.includes(key));
  return { ...Object.fromEntries(added), ...stack };
}

/**
 * Adds credentials from the variables of NetFoundry's tools if the settings have none, and the values of a credentials file in place of
 * its path. Nothing is searched.
 */
export function completed({ settings, from }: Gathered, environment: NodeJS.ProcessEnv): Gathered | Problem {
  const isChosen = choosingKeys.some((key) => settings[key] !== undefined);
  const vendor = isChosen ? { settings: {}, from: {} } : ofVendor(environment);
  if ("problem" in vendor) return vendor;
  const all = { settings: { ...settings, ...vendor.settings }, from: { ...from, ...vendor.from } };
  const { credentialsFile: path, ...others } = all.settings;
  if (path === undefined) return all;
  const source = all.from["credentialsFile"] ?? "";
  const second = [...tokenKeys, ...clientKeys].find((key) => others[key] !== undefined);
  if (second !== undefined) return twice("credentialsFile", source, all.from[second] ?? second);
  const read = readCredentialsFile(path, source);
  if ("problem" in read) return { property: "credentialsFile", ...read };
  return {
    settings: { ...others, ...read.values },
    from: { ...all.from, ...read.from, credentialsFile: `${read.path} (${source})` },
    warning: read.warning,
  };
}

const twice = (property: string, one: string, other: string): Problem => ({
  property,
  problem: `${one} and ${other} are both set, and hold different credentials. Nothing was sent. Remove one of the two. [credentials-twice]`,
});

/** Returns a token, else the path of a file, else all three variables of a client. A part of the three is an error. */
function ofVendor(environment: NodeJS.ProcessEnv): Gathered | Problem {
  const valueOf = (key: keyof typeof vendorNames) => nonEmpty(environment[vendorNames[key]]);
  const isSet = (key: keyof typeof vendorNames) => valueOf(key) !== undefined;
  const sources: (keyof typeof vendorNames)[][] = [["token"], ["credentialsFile"], [...clientKeys]];
  const keys = sources.find((source) => source.every(isSet)) ?? [];
  const missing = clientKeys.filter((key) => !isSet(key));
  const [property] = missing;
  if (keys.length > 0 || property === undefined || missing.length === clientKeys.length)
    return {
      settings: Object.fromEntries(keys.map((key) => [key, valueOf(key)])),
      from: Object.fromEntries(keys.map((key) => [key, vendorNames[key]])),
    };
  const namesOf = (some: readonly (keyof typeof vendorNames)[]) => some.map((key) => vendorNames[key]).join(" and ");
  const problem = `${namesOf(missing)} ${missing.length === 1 ? "is" : "are"} missing beside ${namesOf(clientKeys.filter(isSet))}. Nothing was sent. Set all three variables, or none of them. [credentials-incomplete]`;
  return { property, problem };
}

const nonEmpty = (text: string | undefined) => (text === "" ? undefined : text);

/** Names both settings if the front door can be missing also, so that one run tells the user everything. */
function missingToken({ username, frontdoorId }: SettingsByKey, placeOf: (key: string) => string): string {
  if (username !== undefined)
    return `${placeOf("username")} is set without a token in the same place. Nothing was sent. Set the token there too. [credentials-incomplete]`;
  const frontDoor =
    frontdoorId === undefined
      ? ' If nothing else names the front door, also run "pulumi config set frontdoor:frontdoorId <id>".'
      : "";
  return `frontdoor:token is missing. Nothing was sent. Run "pulumi config set --secret frontdoor:token" or set FRONTDOOR_TOKEN, or FRONTDOOR_CREDENTIALS_FILE for an API account.${frontDoor} [token-missing]`;
}

/** A client of Cognito is an API account. Its token request needs a scope, which has no effect. */
const ofCognito = { request: "form", scope: "https://gateway.production.netfoundry.io//ignore-scope" } as const;

/** Returns the credentials that the settings make, or the problem with its setting. */
export function credentialsOf({ settings, from }: Gathered): Credentials | Problem {
  const { token, username, tokenUrl, clientId, clientSecret, audience, scope, tokenRequest } = settings;
  const placeOf = (key: string) => from[key] ?? `frontdoor:${key}`;
  if (tokenUrl === undefined && clientId === undefined && clientSecret === undefined) {
    if (token === undefined) return { property: "token", problem: missingToken(settings, placeOf) };
    const source = placeOf("token");
    return username === undefined ? { kind: "bearer", token, source } : { kind: "basic", username, token, source };
  }
  const property = tokenKeys.find((key) => settings[key] !== undefined);
  if (property !== undefined) {
    const client = clientKeys.filter((key) => settings[key] !== undefined).map(placeOf);
    const other = placeOf(property);
    const problem = `${other} and client credentials (${client.join(", ")}) are both set. Nothing was sent. Remove ${other}, or all of the others. [credentials-twice]`;
    return { property, problem };
  }
  if (tokenUrl === undefined || clientId === undefined || clientSecret === undefined) {
    const property = tokenUrl === undefined ? "tokenUrl" : clientId === undefined ? "clientId" : "clientSecret";
    const given = clientKeys.filter((key) => settings[key] !== undefined).map(placeOf);
    const problem = `frontdoor:${property} is missing beside ${given.join(" and ")}, and client credentials need tokenUrl, clientId and clientSecret. Nothing was sent. Set ${property} in the same place. [credentials-incomplete]`;
    return { property, problem };
  }
  const isCognito = URL.canParse(tokenUrl) && new URL(tokenUrl).hostname.endsWith(".amazoncognito.com");
  const asked = tokenRequest === "form" || tokenRequest === "json" ? tokenRequest : undefined;
  const source =
    from["credentialsFile"] === undefined
      ? [...new Set([placeOf("clientId"), placeOf("clientSecret")])].join(" and ")
      : `clientId and password in ${from["credentialsFile"]}`;
  return {
    kind: "client",
    tokenUrl,
    clientId,
    clientSecret,
    audience,
    source,
    urlSource: placeOf("tokenUrl"),
    scope: scope ?? (isCognito ? ofCognito.scope : undefined),
    request: asked ?? (isCognito ? ofCognito.request : "json"),
  };
}

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
  const place = `${path} (${source})`;
  let text: string;
  let mode: number;
  try {
    const stat = statSync(path);
    if (!stat.isFile() || stat.size > mostBytes)
      return unusable(place, "is not a file of credentials", `Correct the path in ${source}`);
    text = readFileSync(path, "utf8").replace(/^\uFEFF/, "");
    mode = stat.mode;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "unknown";
    return unusable(place, `can't be read (${code})`, `Correct the path in ${source}, or the rights of the file`);
  }
  const found = objectIn(text);
  if (!found) return unusable(place, "holds no JSON object", "Download credentials.json again");
  const isThere = (field: string) => typeof found[field] === "string" && found[field] !== "";
  const missing = Object.values(fields).filter((field) => !isThere(field));
  if (missing.length > 0)
    return unusable(place, `has no ${missing.join(", no ")}`, "Download the credentials.json of an API account again");
  const { clientId, clientSecret, tokenUrl } = mapped((field) => String(found[field]));
  const isOpen = process.platform !== "win32" && (mode & 0o044) !== 0;
  return {
    path,
    values: { clientId, clientSecret, tokenUrl },
    from: mapped((field) => `${field} in ${place}`),
    warning: isOpen
      ? `frontdoor: other users of this machine can read ${place}. Run "chmod 600 ${path}". [credentials-file-open]`
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
