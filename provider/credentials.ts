/** The credentials of calls (spec: Authentication). */
export type Credentials =
  | { kind: "bearer"; token: string }
  | { kind: "basic"; username: string; token: string }
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
    };

/** Settings by key. */
type Settings = Partial<Record<string, string>>;

/**
 * The kinds of credentials. Any setting of `names` chooses the kind. If one place sets all of `whole`, no other place adds a setting of
 * `keys`: it would change what the others mean.
 */
const kinds = [
  { names: ["token", "username"], whole: ["token"], keys: ["token", "username"] },
  {
    names: ["tokenUrl", "clientId", "clientSecret"],
    whole: ["tokenUrl", "clientId", "clientSecret"],
    keys: ["tokenUrl", "clientId", "clientSecret", "audience", "scope", "tokenRequest"],
  },
];

/** The names of the settings that belong to credentials. */
export const credentialKeys = kinds.flatMap(({ keys }) => keys);

/**
 * Returns the settings of the stack with those that the environment adds (contract: Configuration). If the stack sets a kind of
 * credentials, the environment can only complete that kind.
 */
export function together(stack: Settings, environment: Settings): Settings {
  const has = (key: string) => (stack[key] ?? "") !== "";
  const named = kinds.filter(({ names }) => names.some(has));
  const open = named.length === 0 ? kinds : named.filter(({ whole }) => !whole.every(has));
  const closed = kinds.filter((kind) => !open.includes(kind)).flatMap(({ keys }) => keys);
  const added = Object.entries(environment).filter(([key]) => !closed.includes(key));
  const settings = { ...Object.fromEntries(added), ...stack };
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== ""));
}

/** Names both settings if the front door can be missing also, so that one run tells the user everything. */
function missingToken(hasFrontDoor: boolean): string {
  const frontDoor = hasFrontDoor
    ? ""
    : ' If nothing else names the front door, also run "pulumi config set frontdoor:frontdoorId <id>".';
  return `frontdoor:token is missing. Nothing was sent. Run "pulumi config set --secret frontdoor:token" or set FRONTDOOR_TOKEN.${frontDoor} [token-missing]`;
}

/** Returns the credentials that the settings make, or the problem with its setting. */
export function credentialsOf(settings: Settings): Credentials | { property: string; problem: string } {
  const { token, username, tokenUrl, clientId, clientSecret, audience, scope, tokenRequest } = settings;
  if (tokenUrl === undefined && clientId === undefined && clientSecret === undefined) {
    if (token === undefined) return { property: "token", problem: missingToken(settings["frontdoorId"] !== undefined) };
    return username === undefined ? { kind: "bearer", token } : { kind: "basic", username, token };
  }
  if (token !== undefined)
    return {
      property: "token",
      problem:
        "frontdoor:token and client credentials (tokenUrl, clientId, clientSecret) are both set. Nothing was sent. Remove frontdoor:token or all three others. [credentials-twice]",
    };
  if (tokenUrl === undefined || clientId === undefined || clientSecret === undefined) {
    const property = tokenUrl === undefined ? "tokenUrl" : clientId === undefined ? "clientId" : "clientSecret";
    const problem = `frontdoor:${property} is missing, and client credentials need tokenUrl, clientId and clientSecret. Nothing was sent. Set frontdoor:${property}. [credentials-incomplete]`;
    return { property, problem };
  }
  const request = tokenRequest === "form" ? "form" : "json";
  return { kind: "client", tokenUrl, clientId, clientSecret, audience, scope, request };
}
