import { z } from "zod";
import { FrontdoorError } from "./errors";

/** How calls are authorized (spec: Authentication). */
export type Credentials = { kind: "bearer"; token: string } | { kind: "basic"; username: string; token: string };

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
}

/** Ids of the service, before any path is built from them: no slash, no percent sign, never `.` or `..`. */
export const idPattern = /^[A-Za-z0-9_-][A-Za-z0-9._:~-]{0,127}$/;

const environmentNames = {
  baseUrl: "FRONTDOOR_BASE_URL",
  frontdoorId: "FRONTDOOR_ID",
  token: "FRONTDOOR_TOKEN",
  username: "FRONTDOOR_USERNAME",
  requestTimeout: "FRONTDOOR_REQUEST_TIMEOUT",
  requestsPerSecond: "FRONTDOOR_REQUESTS_PER_SECOND",
} as const;

const loopback = /^(127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])$/;

const address = z.string().transform((text, context) => {
  const problem = (message: string) => {
    context.addIssue({ code: "custom", message });
    return z.NEVER;
  };
  if (!URL.canParse(text)) return problem("must be an address such as https://gateway.example.com/frontdoor");
  const url = new URL(text);
  if (url.protocol !== "https:" && !(url.protocol === "http:" && loopback.test(url.hostname))) {
    return problem(
      "must begin with https:// (plain http only to a loopback address such as http://127.0.0.1:8080/frontdoor)",
    );
  }
  if (url.username !== "" || url.password !== "")
    return problem("must hold no user name or password; use frontdoor:token");
  if (/[?#\\\s]/.test(text)) return problem("must hold no query, fragment, backslash or white space");
  const path = url.pathname.replace(/\/+$/, "");
  if (!path.endsWith("/frontdoor")) return problem("must end with /frontdoor; the version is added by the provider");
  return `${url.origin}${path}`;
});

const headerText = z.string().regex(/^[\x21-\x7e]+$/, "must be printable ASCII without white space");
const positive = z.coerce.number("must be a number").positive("must be greater than 0");

const schema = z.object({
  baseUrl: address.default("https://gateway.production.netfoundry.io/frontdoor"),
  frontdoorId: z.string().regex(idPattern, "must be an id: letters, digits and . _ : ~ -").optional(),
  token: headerText.optional(),
  username: headerText.regex(/^[^:]+$/, "must hold no colon").optional(),
  requestTimeout: positive.max(3600, "must be at most 3600 (seconds)").default(30),
  requestsPerSecond: positive.max(10_000, "must be at most 10000").default(20),
});

const missingToken =
  'frontdoor:token is missing: run "pulumi config set --secret frontdoor:token <token>" or set FRONTDOOR_TOKEN';

/**
 * The configuration of this run: stack configuration first, then the environment (contract: Configuration).
 * @throws FrontdoorError `failed` that names every setting that is wrong.
 */
export function readConfig(stackConfig: (key: string) => string | undefined, environment: NodeJS.ProcessEnv): Config {
  const given = Object.fromEntries(
    Object.entries(environmentNames)
      .map(([key, name]) => [key, stackConfig(`frontdoor:${key}`) ?? environment[name]] as const)
      .filter(([, value]) => value !== undefined && value !== ""),
  );
  const parsed = schema.safeParse(given);
  const problems = (parsed.error?.issues ?? []).map((issue) => {
    const key = String(issue.path[0]) as keyof typeof environmentNames;
    return `frontdoor:${key} (${environmentNames[key]}) ${issue.message}`;
  });
  if (given["token"] === undefined) problems.push(missingToken);
  if (!parsed.success || problems.length > 0) throw new FrontdoorError(problems.join("; "), { kind: "failed" });
  const { baseUrl, frontdoorId, token = "", username, requestTimeout, requestsPerSecond } = parsed.data;
  return {
    baseUrl,
    frontdoorId,
    credentials: username === undefined ? { kind: "bearer", token } : { kind: "basic", username, token },
    requestTimeoutMs: requestTimeout * 1000,
    requestsPerSecond,
  };
}
