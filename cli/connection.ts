import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { YAMLParseError, parse } from "yaml";
import * as z from "zod";
import type { Config } from "../provider/config";
import { safeText } from "../provider/errors";
import { type Reads, readsOf } from "../provider/functions/functions";
import { openPool } from "../provider/http/send";
import { pulumiHome } from "../provider/run/files";
import { openService } from "../provider/run/service";
import { onPath, readText } from "./files";
import type { Io } from "./io";
import { Misuse } from "./outcome";

/** The options with which every command finds its service and front door. */
export interface ConnectionOptions {
  stackConfig?: string;
  baseUrl?: string;
  frontdoorId?: string;
  username?: string;
  tokenFile?: string;
}

export interface Connection {
  frontdoorId: string;
  /** False if an option names another front door than the stack configuration or the environment. */
  isConfigured: boolean;
  config: Config;
}

/** The settings in the options and the stack configuration, by keys such as `frontdoor:baseUrl`. */
export interface Given {
  settingOf: (key: string) => string | undefined;
  /** Returns the place of such a setting, by keys such as `token`. */
  placeOf: (key: string) => string;
  inStack: Settings;
  /** The folder in which no stack of this project is selected. Undefined if a stack is selected, or none is needed. */
  unselectedIn: string | undefined;
}

/**
 * Returns the settings: options first, then the stack configuration. The environment comes after both, as for the provider
 * (contract: Configuration). @throws Misuse.
 */
export async function givenBy(io: Io, options: ConnectionOptions): Promise<Given> {
  const { stackConfig, baseUrl, frontdoorId, username, tokenFile } = options;
  const { inStack, unselectedIn } =
    stackConfig === undefined
      ? await ofSelectedStack(io, options)
      : { inStack: await ofFile(io, stackConfig), unselectedIn: undefined };
  const token = tokenFile === undefined ? undefined : readText(io, tokenFile).trim();
  if (token === "") throw new Misuse(`${tokenFile ?? ""} is empty. Write the token into it. [token-file-empty]`);
  const given: Settings = {
    "frontdoor:baseUrl": baseUrl,
    "frontdoor:frontdoorId": frontdoorId,
    "frontdoor:username": username,
    "frontdoor:token": token,
  };
  const { choosingKeys } = await import("../provider/credentials.js");
  const credentials = choosingKeys.map((key) => `frontdoor:${key}`);
  // A token on the command line replaces all credentials of the stack.
  const settingOf = (key: string) =>
    given[key] ?? (token !== undefined && credentials.includes(key) ? undefined : inStack[key]);
  const placeOf = (key: string) => (key === "token" && tokenFile !== undefined ? tokenFile : `frontdoor:${key}`);
  return { settingOf, placeOf, inStack, unselectedIn };
}

/** A relative path in the settings begins at the project's folder, as for the provider. */
async function ofFile(io: Io, file: string, project = dirname(io.pathOf(file))): Promise<Settings> {
  const settings = await readStackConfig(io, file);
  const path = settings["frontdoor:credentialsFile"];
  return path ? { ...settings, "frontdoor:credentialsFile": resolve(project, path) } : settings;
}

/** The settings of the selected stack; none if an option names another service, or other credentials. */
async function ofSelectedStack(
  io: Io,
  { baseUrl, tokenFile }: ConnectionOptions,
): Promise<Pick<Given, "inStack" | "unselectedIn">> {
  const none = { inStack: {}, unselectedIn: undefined };
  if (baseUrl !== undefined || tokenFile !== undefined || !existsSync(io.pathOf("Pulumi.yaml"))) return none;
  const stack = selectedStack(io);
  if (stack === undefined) return { ...none, unselectedIn: selections(io.env) };
  if (stack.file === undefined) return none;
  const inStack = await ofFile(io, stack.file, io.cwd);
  if (Object.keys(inStack).length > 0) io.say(`settings of the selected stack: ${basename(stack.file)}`);
  return { ...none, inStack };
}

/** Returns a problem with an action that works also outside of a Pulumi project. */
const ofCommand = (problem: string, unselectedIn: string | undefined): string =>
  problem.replace(
    /Run .*(\[token-missing\])$/,
    (_, code: string) =>
      `${unselectedIn === undefined ? "" : `${noSelection(unselectedIn)}. `}Set FRONTDOOR_CREDENTIALS_FILE or FRONTDOOR_TOKEN, or name a stack's settings with --stack-config. ${code}`,
  );

export const noSelection = (folder: string): string => `No stack of this project is selected in ${folder}`;

export const noFrontDoor =
  'no front door is named. Give --frontdoor-id. "npx frontdoor ids" lists front doors. [front-door-missing]';

/** Returns the configuration of a command, which may name no front door. @throws Misuse if it is wrong. */
export async function configOf(io: Io, options: ConnectionOptions): Promise<{ config: Config; inStack: Settings }> {
  const { settingOf, placeOf, inStack, unselectedIn } = await givenBy(io, options);
  const { checkConfig } = await import("../provider/config.js");
  const checked = checkConfig((key) => settingOf(`frontdoor:${key}`), io.env, placeOf);
  if ("problems" in checked) {
    const problems = checked.problems.map(({ problem }) => ofCommand(problem, unselectedIn));
    throw new Misuse(problems.join(" "));
  }
  if (checked.config.warning !== undefined) io.say(checked.config.warning);
  return { config: checked.config, inStack };
}

/** Returns the service and the front door of a command. @throws Misuse if the configuration is wrong. */
export async function connectionOf(io: Io, options: ConnectionOptions): Promise<Connection> {
  const { config, inStack } = await configOf(io, options);
  if (config.frontdoorId === undefined) throw new Misuse(noFrontDoor);
  const configured = [inStack["frontdoor:frontdoorId"], io.env["FRONTDOOR_ID"]].find((id) => id);
  return { frontdoorId: config.frontdoorId, isConfigured: config.frontdoorId === configured, config };
}

/** Opens the service for reads until `use` ends. @throws FrontdoorError. */
export async function reading<Result>(io: Io, config: Config, use: (reads: Reads) => Promise<Result>): Promise<Result> {
  const { reads, close } = openReading(io, config);
  try {
    return await use(reads);
  } finally {
    await close();
  }
}

export const nothingIsCreated = { read: () => [], write: () => undefined, remove: () => undefined };

/** Opens the service only for reads, until `close`. */
export function openReading(
  { clock, say, redactBy }: Io,
  config: Config,
  transport = openPool(config.requestTimeoutMs),
) {
  const service = openService({ config, clock, transport, records: nothingIsCreated, say });
  redactBy((text) => service.redacted(text));
  return { reads: readsOf(service), service, close: () => service.close() };
}

/** Settings by their keys in the stack configuration, such as `frontdoor:baseUrl`. */
export type Settings = Partial<Record<string, string>>;

const plain = z.union([z.string(), z.number(), z.boolean()]).transform(String);
const stackFile = z.object({
  config: z.record(z.string(), z.unknown()).nullish(),
  environment: z.unknown().optional(),
});
const shownConfig = z.record(z.string(), z.object({ value: z.string().optional() }));

const isOurs = (key: string) => key.startsWith("frontdoor:");

/**
 * Returns the front door's settings in a `Pulumi.<stack>.yaml`. If one of them is encrypted, or the file names an environment of
 * Pulumi, `pulumi` reads them. @throws Misuse.
 */
async function readStackConfig(io: Io, path: string): Promise<Settings> {
  const text = readText(io, path);
  const { config, environment } = formed(path, await parsed(io, path, text));
  const ours = Object.entries(config ?? {}).filter(([key]) => isOurs(key));
  const values = ours.map(([key, value]) => [key, plain.safeParse(value).data] as const);
  if (environment === undefined && values.every(([, value]) => value !== undefined)) return Object.fromEntries(values);
  return readByPulumi(io, path);
}

/** Parses the file. For a mistake, Pulumi's own words and line number are wanted, because the user sees them everywhere else. */
async function parsed(io: Io, path: string, text: string): Promise<unknown> {
  try {
    return yamlIn(path, text);
  } catch (error) {
    const [, words] = await readByPulumi(io, path).then(
      () => [],
      (problem: unknown) => /yaml: (line \d+: [^)]*)\)/.exec((problem as Error).message) ?? [],
    );
    throw words === undefined ? error : yamlWrong(path, words);
  }
}

function formed(path: string, value: unknown): z.output<typeof stackFile> {
  // An empty file has no settings.
  const { data } = stackFile.safeParse(value ?? {});
  if (data) return data;
  throw new Misuse(`${path} isn't a stack configuration. Name a Pulumi.<stack>.yaml. [stack-file-invalid]`);
}

async function readByPulumi({ env, pathOf }: Io, named: string): Promise<Settings> {
  const path = pathOf(named);
  const [, stack] = /^Pulumi\.(.+)\.ya?ml$/.exec(basename(path)) ?? [];
  if (stack === undefined)
    throw new Misuse(
      `${path} holds secrets, and pulumi needs the stack's name to decrypt them. Rename the file to Pulumi.<stack>.yaml. [stack-file-name]`,
    );
  const args = ["config", "--show-secrets", "--json", "--non-interactive", "--stack", stack, "--config-file", path];
  const pulumi = onPath(env, "pulumi");
  const unread = (reason: string) =>
    new Misuse(
      `${path}: its secrets can't be read (${reason.replace(/^error: /, "")}). Nothing was sent. ${remedyFor(reason)}. [stack-secrets-unreadable]`,
    );
  if (pulumi === undefined) throw unread("there is no pulumi on PATH");
  try {
    const { stdout } = await promisify(execFile)(pulumi, args, {
      env,
      cwd: dirname(path),
      maxBuffer: 16 * 1024 * 1024,
    });
    const all = Object.entries(shownConfig.parse(JSON.parse(stdout)));
    return Object.fromEntries(all.filter(([key]) => isOurs(key)).map(([key, { value }]) => [key, value]));
  } catch (error) {
    // Only standard error: standard output holds the secrets.
    const { stderr } = error as { stderr?: string };
    throw unread(safeText(stderr ?? "pulumi printed no settings"));
  }
}

function remedyFor(reason: string): string {
  if (reason.includes("passphrase")) return "Set PULUMI_CONFIG_PASSPHRASE to the passphrase of this stack";
  if (reason.includes("no pulumi on PATH"))
    return "Install Pulumi, or give --base-url, --frontdoor-id and --token-file";
  if (/log ?in|PULUMI_ACCESS_TOKEN/i.test(reason)) return "Run `pulumi login`";
  return "Run `pulumi config` in that folder, and fix the problem that it reports";
}

const project = z.object({ name: z.string(), stackConfigDir: z.string().optional() });
const workspace = z.object({ stack: z.string() });

/** A stack of a Pulumi project, and its settings file if there is one. */
export interface Stack {
  /** The folder of the project. */
  folder: string;
  project: string;
  stack: string;
  file: string | undefined;
}

/** Returns the stack that is selected in the Pulumi project of this folder; undefined if there is none. @throws Misuse if `Pulumi.yaml` is no YAML. */
export function selectedStack({
  cwd: folder,
  env: environment,
  ...io
}: Pick<Io, "cwd" | "env" | "pathOf">): Stack | undefined {
  const path = join(folder, "Pulumi.yaml");
  if (!existsSync(path)) return undefined;
  const found = project.safeParse(yamlIn(path, readText(io, path))).data;
  const named = join(namedByShell(folder, environment["PWD"]), "Pulumi.yaml");
  // A stack can be selected with its organization.
  const stack = found && (environment["PULUMI_STACK"] ?? notedStack(found.name, named, environment))?.split("/").at(-1);
  if (stack === undefined) return undefined;
  const file = join(folder, found?.stackConfigDir ?? "", `Pulumi.${stack}.yaml`);
  return { folder, project: found?.name ?? "", stack, file: existsSync(file) ? file : undefined };
}

/** Returns the path of the folder that Pulumi uses: the shell's, which can contain a link. */
function namedByShell(folder: string, shown = folder): string {
  try {
    return realpathSync(shown) === realpathSync(folder) ? shown : folder;
  } catch {
    return folder;
  }
}

/** Returns the folder in which Pulumi notes the selected stacks. */
export const selections = (environment: NodeJS.ProcessEnv): string => join(pulumiHome(environment), "workspaces");

/**
 * Pulumi notes the selected stack in a file of its own, by the project's name and a hash of the project's path. A file that Pulumi is just
 * writing, or that has another form, selects none.
 */
function notedStack(name: string, path: string, environment: NodeJS.ProcessEnv): string | undefined {
  const hash = createHash("sha1").update(path).digest("hex");
  const file = join(selections(environment), `${name}-${hash}-workspace.json`);
  try {
    return workspace.parse(JSON.parse(readFileSync(file, "utf8"))).stack;
  } catch {
    return undefined;
  }
}

/** Returns the value in a YAML file. @throws Misuse if it is no YAML. */
function yamlIn(path: string, text: string): unknown {
  try {
    return parse(text, { prettyErrors: true });
  } catch (error) {
    const [place] = error instanceof YAMLParseError ? (error.linePos ?? []) : [];
    const [words = ""] = (error as Error).message.split(/ at line \d+/);
    throw yamlWrong(path, `${place === undefined ? "" : `line ${place.line}: `}${safeText(words, 200)}`);
  }
}

/** Returns the refusal of a file that is no YAML. `problem` begins with the line. */
const yamlWrong = (path: string, problem: string): Misuse =>
  new Misuse(`${path} is not YAML (${problem}). Nothing was sent. Correct that line. [yaml-invalid]`);
