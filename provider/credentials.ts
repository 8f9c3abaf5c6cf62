import { readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";
import * as z from "zod";
import { textIn } from "./text";

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

/** Returns the end of a JSON web token in milliseconds since 1970; undefined if the credentials are no such token. */
export function endOf(credentials: Credentials): number | undefined {
  if (credentials.kind === "client") return undefined;
  const [, claims, signature] = credentials.token.split(".");
  if (claims === undefined || signature === undefined) return undefined;
  try {
    const { exp } = JSON.parse(Buffer.from(claims, "base64url").toString()) as { exp?: unknown };
    return typeof exp === "number" && Math.abs(exp) < 8.64e12 ? exp * 1000 : undefined;
  } catch {
    return undefined;
  }
}

/** A setting that has a value, and the place that holds it, for messages. */
export interface Setting {
  value: string;
  place: string;
}

export type Settings = Partial<Record<string, Setting>>;

/** What is wrong, and the setting to correct. */
export interface Problem {
  property: string;
  problem: string;
}

/** The names of the settings that choose a kind of credentials. */
export const choosingKeys = ["token", "username", "tokenUrl", "clientId", "clientSecret", "credentialsFile"];

/** The names of the settings that belong to credentials. */
export const credentialKeys = [...choosingKeys, "audience", "scope", "tokenRequest"];

/** The variables of NetFoundry's own tools, in their order. The newest tool names an environment in place of the token URL. */
const vendorSources: Record<string, string>[] = [
  { token: "NETFOUNDRY_API_TOKEN" },
  { credentialsFile: "NETFOUNDRY_API_ACCOUNT" },
  { clientId: "NETFOUNDRY_CLIENT_ID", clientSecret: "NETFOUNDRY_PASSWORD", tokenUrl: "NETFOUNDRY_OAUTH_URL" },
  { clientId: "NF_CLIENT_ID", clientSecret: "NF_CLIENT_SECRET", tokenUrl: "NF_ENVIRONMENT" },
];

/** The token hosts of the environments, as that tool has them. */
const tokenHosts: Record<string, string> = {
  production: "netfoundry-production-xfjiye",
  staging: "netfoundry-staging-mlvyyc",
  sandbox: "netfoundry-sandbox-hnssty",
};

/** Returns the environment of an API account, which its token host names; undefined for any other URL. */
export const environmentOf = (url: string): string | undefined =>
  /^https:\/\/netfoundry-([a-z]+)-[\w.-]+\.amazoncognito\.com\//.exec(url)?.[1];

/** Returns the gateway of the environment that a token URL names, else that of production. */
export const gatewayOf = (tokenUrl: string): string =>
  `https://gateway.${environmentOf(tokenUrl) ?? "production"}.netfoundry.io`;

const clientKeys = ["clientId", "clientSecret", "tokenUrl"] as const;

/** Returns those settings that have a value. An empty text counts as not set. */
export const settingsIn = (
  keys: readonly string[],
  read: (key: string) => string | undefined,
  placeOf: (key: string) => string,
): Settings =>
  Object.fromEntries(
    keys.map((key) => [key, { value: read(key) ?? "", place: placeOf(key) }] as const).filter(([, { value }]) => value),
  );

/** Returns the credentials in the variables of NetFoundry's tools: a token, else the path of a file, else what there is of a client. */
export function vendorSettings(environment: NodeJS.ProcessEnv): Settings {
  const { NF_CLIENT_ID: id, NF_CLIENT_SECRET: secret, NF_ENVIRONMENT: name } = environment;
  const host = tokenHosts[name === undefined || name === "" ? "production" : name] ?? "";
  // An environment without a client is another tool's.
  const tokenUrl = id || secret ? `https://${host}.auth.us-east-1.amazoncognito.com/oauth2/token` : undefined;
  // The name of an unknown environment is no URL, so the check of the settings refuses it.
  const all: NodeJS.ProcessEnv = { ...environment, NF_ENVIRONMENT: tokenUrl && host === "" ? name : tokenUrl };
  const sources = vendorSources.map((names): Settings => {
    const nameOf = (key: string) => names[key] ?? "";
    return settingsIn(Object.keys(names), (key) => all[nameOf(key)], nameOf);
  });
  return sources.find((source) => Object.keys(source).length > 0) ?? {};
}

/**
 * Returns the settings of several places: the first place that has a setting counts (contract: Configuration). After the first place with
 * credentials, no other adds any, not even what those lack.
 */
export function together(places: readonly Settings[]): Settings {
  const all: Settings = {};
  for (const place of places) {
    const isChosen = choosingKeys.some((key) => all[key]);
    for (const [key, setting] of Object.entries(place))
      if (!isChosen || !credentialKeys.includes(key)) all[key] ??= setting;
  }
  return all;
}

/**
 * Returns the credentials that the settings make, with a line about a file that others can read, or the problem of incomplete credentials or
 * of two kinds. Nothing is searched.
 */
export function credentialsOf(
  settings: Settings,
): { credentials: Credentials; warning?: string | undefined } | Problem {
  const { token, username, credentialsFile: file } = settings;
  const ofToken = token ?? username;
  // An environment has a default, and is no part of what somebody has set.
  const placesOfClient = clientKeys
    .flatMap((key) => settings[key]?.place ?? [])
    .filter((place) => place !== "NF_ENVIRONMENT");
  const other = ofToken?.place ?? placesOfClient[0];
  if (file && other !== undefined) {
    const problem = `${file.place} and ${other} are both set, and hold different credentials. Nothing was sent. Remove one of the two. [credentials-twice]`;
    return { property: "credentialsFile", problem };
  }
  if (ofToken && placesOfClient.length > 0) {
    const problem = `${ofToken.place} and client credentials (${placesOfClient.join(", ")}) are both set. Nothing was sent. Remove ${ofToken.place}, or all of the others. [credentials-twice]`;
    return { property: token ? "token" : "username", problem };
  }
  if (token) {
    const { value, place: source } = token;
    if (!username) return { credentials: { kind: "bearer", token: value, source } };
    return { credentials: { kind: "basic", username: username.value, token: value, source } };
  }
  const found = file ? accountIn(file) : { client: settings, warning: undefined };
  if ("problem" in found) return found;
  const credentials = clientOf({ ...settings, ...found.client });
  if (credentials) return { credentials, warning: found.warning };
  return placesOfClient.length > 0 ? incompleteClient(settings, placesOfClient) : missingToken(settings);
}

/** Names both settings if the front door can be missing also, so that one run tells the user everything. */
function missingToken({ username, frontdoorId }: Settings): Problem {
  const frontDoor = frontdoorId
    ? ""
    : ' If nothing else names the front door, also run "pulumi config set frontdoor:frontdoorId <id>".';
  const problem = username
    ? `${username.place} is set without a token in the same place. Nothing was sent. Set the token there too. [credentials-incomplete]`
    : `There are no credentials: frontdoor:token is missing. Nothing was sent. Run "pulumi config set frontdoor:credentialsFile <absolute path>" for an API account, or "pulumi config set --secret frontdoor:token". In CI, set the NETFOUNDRY_… variables, or FRONTDOOR_TOKEN.${frontDoor} [token-missing]`;
  return { property: "token", problem };
}

function incompleteClient(settings: Settings, given: string[]): Problem {
  const missing = clientKeys.filter((key) => !settings[key]);
  const vendors = vendorSources.find((source) => given.some((place) => Object.values(source).includes(place)));
  const names = missing.map((key) => vendors?.[key] ?? `frontdoor:${key}`);
  const problem = `${names.join(" and ")} ${names.length === 1 ? "is" : "are"} missing beside ${given.join(" and ")}`;
  const action = vendors
    ? ". Nothing was sent. Set all these variables, or none of them. [credentials-incomplete]"
    : `, and client credentials need tokenUrl, clientId and clientSecret. Nothing was sent. Set ${missing.join(" and ")} in the same place. [credentials-incomplete]`;
  return { property: missing.at(-1) ?? "", problem: `${problem}${action}` };
}

/** Returns undefined if a part of the client is missing. */
function clientOf(settings: Settings): Credentials | undefined {
  const { tokenUrl, clientId, clientSecret, audience, scope, tokenRequest } = settings;
  if (!tokenUrl || !clientId || !clientSecret) return undefined;
  // A client of Cognito is an API account. Its token request needs a scope, which has no effect.
  const isAccount = URL.canParse(tokenUrl.value) && new URL(tokenUrl.value).hostname.endsWith(".amazoncognito.com");
  const ofAccount = `${gatewayOf(tokenUrl.value)}//ignore-scope`;
  const request = tokenRequest?.value;
  return {
    kind: "client",
    tokenUrl: tokenUrl.value,
    clientId: clientId.value,
    clientSecret: clientSecret.value,
    audience: audience?.value,
    source: [...new Set([clientId.place, clientSecret.place])].join(" and "),
    urlSource: tokenUrl.place,
    scope: scope?.value ?? (isAccount ? ofAccount : undefined),
    request: request === "form" || request === "json" ? request : isAccount ? "form" : "json",
  };
}

/** A real file has less than a thousand letters. Reading a pipe could wait forever. */
const mostBytes = 65_536;

const text = z.string().min(1);

const account = z.object({ clientId: text, password: text, authenticationUrl: text });

/**
 * Reads the `credentials.json` of an API account. A relative path begins at the working folder of this process, which for Pulumi is
 * the project's. No message shows what the file holds.
 */
function accountIn({ value: given, place: source }: Setting) {
  const path = resolve(given);
  const place = `${path} (${source})`;
  const unusable = (problem: string, action: string, what = place): Problem => ({
    property: "credentialsFile",
    problem: `${what} ${problem}. Nothing was sent. ${action}. [credentials-file]`,
  });
  // A value that is no path can be the content of the file.
  if (given.length > 1024 || /[{}"\n]/.test(given))
    return unusable("does not hold a path", "Set it to the path of credentials.json", source);
  try {
    const stat = statSync(path);
    if (!stat.isFile() || stat.size > mostBytes)
      return unusable("is not a file of credentials", `Correct the path in ${source}`);
    const { clientId, password, authenticationUrl } = account.parse(JSON.parse(textIn(readFileSync(path))));
    const ofClient = `clientId and password in ${place}`;
    const isOpen = process.platform !== "win32" && (stat.mode & 0o044) !== 0;
    const warning = `frontdoor: other users of this machine can read ${place}. Run "chmod 600 ${path}". [credentials-file-open]`;
    const client = {
      clientId: { value: clientId, place: ofClient },
      clientSecret: { value: password, place: ofClient },
      tokenUrl: { value: authenticationUrl, place: `authenticationUrl in ${place}` },
    };
    return { client, warning: isOpen ? warning : undefined };
  } catch (error) {
    const { code, issues = [] } = error as { code?: string; issues?: { path: PropertyKey[] }[] };
    const missing = issues
      .flatMap(({ path }) => path)
      .map(String)
      .join(", no ");
    if (missing !== "") return unusable(`has no ${missing}`, "Download the credentials.json of an API account again");
    if (code === undefined) return unusable("holds no JSON object", "Download credentials.json again");
    return unusable(`can't be read (${code})`, `Correct the path in ${source}, or the rights of the file`);
  }
}
