import * as z from "zod";
import {
  type Credentials,
  credentialsOf,
  gatewayOf,
  type Problem,
  type Settings,
  settingsIn,
  together,
  vendorSettings,
} from "./credentials";
import { failed } from "./errors";
import { nearest } from "./nearest";

export type { Credentials } from "./credentials";

type Values = z.output<typeof schema>;

/** The settings as the provider uses them. */
export interface Config extends Pick<Values, "baseUrl" | "frontdoorId" | "requestsPerSecond"> {
  /** `alike`: for this run, a create adopts an exact likeness with a derived name. Only the environment sets it. */
  takeOver: "interrupted" | "alike";
  credentials: Credentials;
  /** The setting, variable or file that each value comes from. A default has none. */
  places: Partial<Record<string, string>>;
  /** Limit for one HTTP request. */
  requestTimeoutMs: number;
  /** False if two tunnels of a program may have one location. The service decides then. */
  isOneTunnelPerLocation: boolean;
  /** The path of the request log. Only the environment sets it. */
  logFile?: string | undefined;
  /** A line about a credentials file that others can read. Undefined if there is none. */
  warning?: string | undefined;
}

/** Returns the place of a setting, for messages: its own name if nothing sets it. */
export const placeOf = ({ places }: Pick<Config, "places">, key: string): string => places[key] ?? `frontdoor:${key}`;

const tokenRequests = ["json", "form"] as const;

/** The ids that may become part of a path: no slash, no percent sign, never `.` or `..`. */
export const idPattern = /^[A-Za-z0-9_:~-][A-Za-z0-9._:~-]{0,127}$/;

/** The problem if neither a resource nor the configuration names the front door. */
export const noFrontdoorId =
  'is missing in the arguments and in the configuration. Nothing was sent. Run "pulumi config set frontdoor:frontdoorId <id>"; "npx pulumi-frontdoor ids" lists the ids. [front-door-missing]';

/** Returns the environment variable of a setting. */
export const environmentName = (key: string): string =>
  key === "frontdoorId" ? "FRONTDOOR_ID" : `FRONTDOOR_${key.replace(/[A-Z]/g, "_$&").toUpperCase()}`;

const loopback = /^(127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])$/;

/** True if the host, with or without a port, is this machine itself. */
export const isLoopback = (host: string): boolean => loopback.test(host.replace(/:\d+$/, ""));

/** Returns the address that the state notes of a URL: a port on this machine is chosen anew by each emulator. */
export function addressOf(baseUrl: string): string {
  const url = new URL(baseUrl);
  if (isLoopback(url.hostname)) url.port = "";
  return url.href;
}

/** True if nobody on the way can read what is sent there: https, or plain http to a loopback address. */
export const isSafeAddress = ({ protocol, hostname }: URL): boolean =>
  protocol === "https:" || (protocol === "http:" && loopback.test(hostname));

/** An address that credentials may be sent to, without a trailing slash. */
const address = z.string().transform((text, context) => {
  const problem = (message: string) => {
    context.addIssue({ code: "custom", message });
    return z.NEVER;
  };
  if (!URL.canParse(text)) return problem("must be a URL such as https://gateway.example.com/frontdoor");
  const url = new URL(text);
  if (!isSafeAddress(url)) {
    const hint = url.hostname === "localhost" ? ". For localhost, write 127.0.0.1" : "";
    return problem(
      `must begin with https://. Plain http is only for a loopback address such as http://127.0.0.1:8080${hint}`,
    );
  }
  if (url.username !== "" || url.password !== "") return problem("must hold no user name or password");
  if (/[?#\\\s]/.test(text)) return problem("must hold no query, fragment, backslash or white space");
  return `${url.origin}${url.pathname.replace(/\/+$/, "")}`;
});

const serviceAddress = address.refine(
  (text) => new URL(text).pathname.endsWith("/frontdoor"),
  "must end with /frontdoor, without a version",
);

const headerText = z.string().regex(/^[\x21-\x7e]+$/, "must be printable ASCII without white space");
const positive = z.coerce.number("must be a number").positive("must be greater than 0");
const text = z.string().optional();

/** Returns the URL of the front door for credentials with this token URL. */
export const baseUrlOf = (tokenUrl: string) => `${gatewayOf(tokenUrl)}/frontdoor`;
const defaultBaseUrl = baseUrlOf("");

/** The settings. `doc` says what each is, `values` are the only ones it can have, `type` is text by default. */
const schema = z.object({
  baseUrl: serviceAddress.default(defaultBaseUrl).meta({
    doc: `URL of Frontdoor. It begins with \`https\` and ends with \`/frontdoor\`. Plain \`http\` is accepted only for a loopback address such as \`127.0.0.1\`. Default: \`${defaultBaseUrl}\`. If you use an API account of \`staging\` or \`sandbox\`, the default host has that name instead of \`production\`.`,
  }),
  frontdoorId: z
    .string()
    .regex(idPattern, "must be an id: letters, digits and . _ : ~ -")
    .optional()
    .meta({ doc: "Id of the front door for resources without `frontdoorId`." }),
  token: headerText.optional().meta({
    doc: "Access token. The provider sends it as a bearer token, or by HTTP Basic if you set `username`.",
    isSecret: true,
  }),
  username: headerText
    .regex(/^[^:]+$/, "must hold no colon")
    .optional()
    .meta({
      doc: "User name. If set, requests use HTTP Basic with this user name and `token`.",
    }),
  tokenUrl: address.optional().meta({
    doc: "URL of the token endpoint for OAuth2 client credentials (`clientId` and `clientSecret`).",
  }),
  clientId: text.meta({ doc: "OAuth2 client id." }),
  clientSecret: text.meta({ doc: "OAuth2 client secret.", isSecret: true }),
  credentialsFile: text.meta({
    doc: "Path of the `credentials.json` of an API account, in place of `tokenUrl`, `clientId` and `clientSecret`. The provider reads the file when it runs. A relative path starts at the project folder (or at `main`, if `Pulumi.yaml` sets it).",
  }),
  audience: text.meta({ doc: "OAuth2 audience, if the token URL asks for one." }),
  scope: text.meta({
    doc: "OAuth2 scope, if the token URL asks for one. If its host ends with `.amazoncognito.com`, the default is the scope of NetFoundry's API accounts.",
  }),
  tokenRequest: z.enum(tokenRequests, "must be json or form").optional().meta({
    doc: "Format of a token request: `json` for a JSON body, `form` for a form with HTTP Basic. The default is `form` if the host of the token URL ends with `.amazoncognito.com`, otherwise `json`.",
    values: tokenRequests,
  }),
  requestTimeout: positive.max(3600, "must be at most 3600 (seconds)").default(40).meta({
    doc: "Timeout of one HTTP request in seconds, at most 3,600. Default: 40.",
    type: "number",
  }),
  requestsPerSecond: positive.max(10_000, "must be at most 10000").default(20).meta({
    doc: "Requests per second that one process may send, at most 10,000. Default: 20.",
    type: "number",
  }),
  oneTunnelPerLocation: z.enum(["true", "false"], "must be true or false").default("true").meta({
    doc: "If `true`, the default, a preview refuses two tunnels of the program at one location. If `false`, it shows a warning, and Frontdoor decides.",
    type: "boolean",
  }),
});

/** The settings of a run. */
const ofRun = schema.extend({
  takeOver: z.literal("alike", "must be alike, or not set").optional(),
  log: z.string().optional(),
});

/** The names of all settings. */
export const configKeys = Object.keys(schema.shape);

/** The docs of each setting, for the pages and the plugin's schema. */
export const settingDocs = Object.fromEntries(Object.entries(schema.shape).map(([key, is]) => [key, is.meta() ?? {}]));

/** The names of the settings that are secrets. */
export const secretKeys = configKeys.filter((key) => settingDocs[key]?.["isSecret"] === true);

/** Returns the problem of a setting with an unknown name, with the setting that may be meant. */
export function strangeSetting(name: string): string {
  if (name === "takeOver")
    return `takeOver in the stack's configuration would let each run adopt resources that another stack may manage. Nothing was sent. Remove it, and set ${takeOverName}=alike for the one run that needs it. [take-over-in-stack]`;
  const meant = nearest(name, configKeys);
  const action = meant === undefined ? `Use one of: ${configKeys.join(", ")}` : `Write frontdoor:${meant} instead`;
  return `frontdoor:${name} is no setting of the provider. Nothing was sent. ${action}. [unknown-setting]`;
}

/** Reads a setting by its name, such as `baseUrl`; undefined if it is not set. */
export type ReadSetting = (key: string) => string | undefined;

/** The variable of one run. A stack can't set it: each run would then adopt, and could later delete, what another stack manages. */
export const takeOverName = "FRONTDOOR_TAKE_OVER";

/** Returns the settings of the environment: `FRONTDOOR_*`, then the variables of NetFoundry's tools (contract: Configuration). */
export const environmentSettings = (environment: NodeJS.ProcessEnv): Settings =>
  together([
    settingsIn(configKeys, (key) => environment[environmentName(key)], environmentName),
    vendorSettings(environment),
    settingsIn(["takeOver", "log"], (key) => environment[environmentName(key)], environmentName),
  ]);

/**
 * Returns the configuration that the settings make, or all their problems, each with its setting. An API account's token URL leads to
 * its gateway.
 */
export function checkConfig(given: Settings): { config: Config } | { problems: Problem[] } {
  const settings = { ...given };
  const found = credentialsOf(settings);
  if ("credentials" in found && found.credentials.kind === "client") {
    const { tokenUrl: value, urlSource: place } = found.credentials;
    // The address of a client can come from a file.
    settings["tokenUrl"] = { value, place };
    settings["baseUrl"] ??= { value: baseUrlOf(value), place };
  }
  const values = Object.entries(settings).map(([key, setting]) => [key, setting?.value]);
  const { data, error } = ofRun.safeParse(Object.fromEntries(values));
  const problems = (error?.issues ?? []).map(({ path, message }) => wrongSetting(settings, String(path[0]), message));
  if ("problem" in found) problems.push(found);
  if (!data || "problem" in found) return { problems };
  const { baseUrl, frontdoorId, requestsPerSecond, tokenUrl, takeOver, log: logFile } = data;
  const config = {
    baseUrl,
    frontdoorId,
    requestsPerSecond,
    logFile,
    takeOver: takeOver ?? ("interrupted" as const),
    places: Object.fromEntries(Object.entries(settings).map(([key, setting]) => [key, setting?.place])),
    credentials: { ...found.credentials, ...(tokenUrl !== undefined && { tokenUrl }) },
    requestTimeoutMs: data.requestTimeout * 1000,
    isOneTunnelPerLocation: data.oneTunnelPerLocation === "true",
    warning: found.warning,
  };
  return { config };
}

function wrongSetting(settings: Settings, property: string, message: string): Problem {
  const place = settings[property]?.place ?? environmentName(property);
  const where = place === `frontdoor:${property}` ? "stack configuration" : place;
  if (place === "NF_ENVIRONMENT")
    return { property, problem: "NF_ENVIRONMENT must be production, staging or sandbox. [invalid-setting]" };
  return { property, problem: `frontdoor:${property} (${where}) ${message}. [invalid-setting]` };
}

/**
 * Reads the configuration of this run: first the stack configuration, then the environment.
 * @throws FrontdoorError `failed` that names every setting that is wrong.
 */
export function readConfig(stackConfig: ReadSetting, environment: NodeJS.ProcessEnv): Config {
  const inStack = settingsIn(
    configKeys,
    (key) => stackConfig(`frontdoor:${key}`),
    (key) => `frontdoor:${key}`,
  );
  const checked = checkConfig(together([inStack, environmentSettings(environment)]));
  if ("config" in checked) return checked.config;
  throw failed(checked.problems.map(({ problem }) => problem).join(" "));
}
