import * as z from "zod";
import { together } from "./credentials";
import { FrontdoorError } from "./errors";

/** How calls are authorized (spec: Authentication). */
export type Credentials =
  | { kind: "bearer"; token: string }
  | { kind: "basic"; username: string; token: string }
  | {
      /** OAuth2 client credentials: tokens are fetched. */
      kind: "client";
      tokenUrl: string;
      clientId: string;
      clientSecret: string;
      audience: string | undefined;
      scope: string | undefined;
      /** How the token is asked for: a JSON body, or a form with HTTP Basic. */
      request: "json" | "form";
    };

export interface Config {
  /** Service address without a trailing slash, ends with `/frontdoor`. */
  baseUrl: string;
  /** Front door used where a resource names none. */
  frontdoorId: string | undefined;
  credentials: Credentials;
  /** Limit for one HTTP request. */
  requestTimeoutMs: number;
  /** Ceiling for this process. */
  requestsPerSecond: number;
  /** What a create does with an exact likeness of what it would make. */
  takeOver: TakeOver;
}

/** Only what this machine's record says an interrupted run of this stack began; besides, any under a derived name; nothing. */
export type TakeOver = "interrupted" | "alike" | "never";

/** Ids of the service, before any path is built from them: no slash, no percent sign, never `.` or `..`. */
export const idPattern = /^[A-Za-z0-9_-][A-Za-z0-9._:~-]{0,127}$/;

const environmentNames = {
  baseUrl: "FRONTDOOR_BASE_URL",
  frontdoorId: "FRONTDOOR_ID",
  token: "FRONTDOOR_TOKEN",
  username: "FRONTDOOR_USERNAME",
  tokenUrl: "FRONTDOOR_TOKEN_URL",
  clientId: "FRONTDOOR_CLIENT_ID",
  clientSecret: "FRONTDOOR_CLIENT_SECRET",
  audience: "FRONTDOOR_AUDIENCE",
  scope: "FRONTDOOR_SCOPE",
  tokenRequest: "FRONTDOOR_TOKEN_REQUEST",
  requestTimeout: "FRONTDOOR_REQUEST_TIMEOUT",
  requestsPerSecond: "FRONTDOOR_REQUESTS_PER_SECOND",
  takeOver: "FRONTDOOR_TAKE_OVER",
} as const;

const loopback = /^(127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])$/;

/** An address that credentials may be sent to, without a trailing slash. */
const address = z.string().transform((text, context) => {
  const problem = (message: string) => {
    context.addIssue({ code: "custom", message });
    return z.NEVER;
  };
  if (!URL.canParse(text)) return problem("must be an address such as https://gateway.example.com/frontdoor");
  const url = new URL(text);
  if (url.protocol !== "https:" && !(url.protocol === "http:" && loopback.test(url.hostname))) {
    return problem("must begin with https:// (plain http only to a loopback address such as http://127.0.0.1:8080)");
  }
  if (url.username !== "" || url.password !== "") return problem("must hold no user name or password");
  if (/[?#\\\s]/.test(text)) return problem("must hold no query, fragment, backslash or white space");
  return `${url.origin}${url.pathname.replace(/\/+$/, "")}`;
});

const serviceAddress = address.refine(
  (text) => new URL(text).pathname.endsWith("/frontdoor"),
  "must end with /frontdoor; the version is added by the provider",
);

const headerText = z.string().regex(/^[\x21-\x7e]+$/, "must be printable ASCII without white space");
const positive = z.coerce.number("must be a number").positive("must be greater than 0");

const schema = z.object({
  baseUrl: serviceAddress.default("https://gateway.production.netfoundry.io/frontdoor"),
  frontdoorId: z.string().regex(idPattern, "must be an id: letters, digits and . _ : ~ -").optional(),
  token: headerText.optional(),
  username: headerText.regex(/^[^:]+$/, "must hold no colon").optional(),
  tokenUrl: address.optional(),
  clientId: z.string().optional(),
  clientSecret: z.string().optional(),
  audience: z.string().optional(),
  scope: z.string().optional(),
  tokenRequest: z.enum(["json", "form"], "must be json or form").default("json"),
  requestTimeout: positive.max(3600, "must be at most 3600 (seconds)").default(30),
  requestsPerSecond: positive.max(10_000, "must be at most 10000").default(20),
  takeOver: z.enum(["interrupted", "alike", "never"], "must be interrupted, alike or never").default("interrupted"),
});

type Settings = z.output<typeof schema>;

const missingToken =
  'frontdoor:token is missing: run "pulumi config set --secret frontdoor:token <token>" or set FRONTDOOR_TOKEN';

function credentialsOf(settings: Settings): Credentials | { problem: string } {
  const { token, username, tokenUrl, clientId, clientSecret, audience, scope, tokenRequest } = settings;
  if (tokenUrl !== undefined || clientId !== undefined || clientSecret !== undefined) {
    if (token !== undefined)
      return {
        problem: "frontdoor:token and client credentials (tokenUrl, clientId, clientSecret) are both set: remove one",
      };
    if (tokenUrl === undefined || clientId === undefined || clientSecret === undefined) {
      return { problem: "client credentials need frontdoor:tokenUrl, clientId and clientSecret, all three" };
    }
    return { kind: "client", tokenUrl, clientId, clientSecret, audience, scope, request: tokenRequest };
  }
  if (token === undefined) return { problem: missingToken };
  return username === undefined ? { kind: "bearer", token } : { kind: "basic", username, token };
}

/**
 * The configuration of this run: stack configuration first, then the environment (contract: Configuration).
 * @throws FrontdoorError `failed` that names every setting that is wrong.
 */
export function readConfig(stackConfig: (key: string) => string | undefined, environment: NodeJS.ProcessEnv): Config {
  const settings = (read: (key: string, name: string) => string | undefined) =>
    Object.fromEntries(
      Object.entries(environmentNames)
        .map(([key, name]) => [key, read(key, name)] as const)
        .filter((setting): setting is readonly [string, string] => setting[1] !== undefined),
    );
  const given = together(
    settings((key) => stackConfig(`frontdoor:${key}`)),
    settings((_key, name) => environment[name]),
  );
  const parsed = schema.safeParse(given);
  const problems = (parsed.error?.issues ?? []).map((issue) => {
    const key = String(issue.path[0]) as keyof typeof environmentNames;
    return `frontdoor:${key} (${environmentNames[key]}) ${issue.message}`;
  });
  const credentials = credentialsOf({ ...(given as Partial<Settings>), ...parsed.data } as Settings);
  if ("problem" in credentials) problems.push(credentials.problem);
  if (!parsed.success || "problem" in credentials) throw new FrontdoorError(problems.join("; "), { kind: "failed" });
  const { baseUrl, frontdoorId, requestTimeout, requestsPerSecond, takeOver } = parsed.data;
  return { baseUrl, frontdoorId, credentials, requestTimeoutMs: requestTimeout * 1000, requestsPerSecond, takeOver };
}
