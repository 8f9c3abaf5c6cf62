import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { YAMLParseError, parse } from "yaml";
import * as z from "zod";
import { baseUrlOf, checkConfig, type Config, configKeys, environmentSettings } from "../../provider/config";
import {
  choosingKeys,
  credentialKeys,
  credentialsOf,
  environmentOf,
  type Settings,
  settingsIn,
  together,
} from "../../provider/credentials";
import { safeText } from "../../provider/errors";
import { type Reads, readsOf } from "../../provider/functions/functions";
import { openPool } from "../../provider/http/send";
import { openService } from "../../provider/run/service";
import { onPath, readText } from "./files";
import type { Io } from "./io";
import { Misuse } from "./outcome";

/** The options with which every command finds its service and front door. */
export interface ConfigOptions {
  stackConfig?: string;
  baseUrl?: string;
  frontdoorId?: string;
  username?: string;
  tokenFile?: string;
}

export interface FrontDoorConfig {
  frontdoorId: string;
  /** False if an option names another front door than the stack configuration or the environment. */
  isConfigured: boolean;
  config: Config;
}

/** The settings of a command: from its options, then the environment, then the stack (contract: Command line). */
export interface CommandSettings {
  settings: Settings;
  /** The front door without the options. */
  configured: string | undefined;
  /** The keys in the stack's configuration, such as `frontdoor:baseUrl`. */
  stackKeys: string[];
  /** The reason why the stack of the project in this folder has no settings. Undefined if it has, or there is no project. */
  stackProblem: string | undefined;
}

/**
 * Returns the settings. A stack whose front door has another URL than the options or the environment counts for nothing: its ids and
 * credentials belong to its own URL. @throws Misuse.
 */
export async function settingsOf(io: Io, options: ConfigOptions): Promise<CommandSettings> {
  const environment = environmentSettings(io.env);
  const ofCommand = together([fromOptions(io, options), environment]);
  const stack = await fromStack(
    io,
    options,
    choosingKeys.some((key) => ofCommand[key]),
  );
  const url = urlIn(ofCommand);
  const stackUrl = urlIn(stack.settings) ?? url;
  const isOther = url !== undefined && url !== stackUrl;
  if (isOther) io.say(`${options.stackConfig ?? "the selected stack"} is not used: its front door is at ${stackUrl}`);
  const settings = isOther ? ofCommand : together([ofCommand, stack.settings]);
  const configured = together([environment, stack.settings])["frontdoorId"]?.value;
  return { settings, configured, stackKeys: stack.keys, stackProblem: stack.problem };
}

/** Returns the URL that the settings name. An API account belongs to the gateway of its environment. */
function urlIn(settings: Settings): string | undefined {
  const { baseUrl } = settings;
  if (baseUrl) return baseUrl.value.replace(/\/+$/, "");
  const found = credentialsOf(settings);
  if (!("credentials" in found) || found.credentials.kind !== "client") return undefined;
  const { tokenUrl } = found.credentials;
  return environmentOf(tokenUrl) === undefined ? undefined : baseUrlOf(tokenUrl);
}

function fromOptions(io: Io, { baseUrl, frontdoorId, username, tokenFile }: ConfigOptions): Settings {
  const token = tokenFile === undefined ? undefined : readText(io, tokenFile).trim();
  if (token === "") throw new Misuse(`${tokenFile ?? ""} is empty. Write the token into it. [token-file-empty]`);
  const values: Partial<Record<string, string>> = { baseUrl, frontdoorId, username, token };
  const option = (key: string) => `--${key.replace(/[A-Z]/g, "-$&").toLowerCase()}`;
  return settingsIn(
    Object.keys(values),
    (key) => values[key],
    (key) => (key === "token" ? (tokenFile ?? "") : option(key)),
  );
}

interface StackSettings {
  settings: Settings;
  keys: string[];
  problem?: string;
}

/** Reads the file of `--stack-config`, else the stack that Pulumi has selected here. Its credentials are decrypted only if they count. */
async function fromStack(io: Io, { stackConfig }: ConfigOptions, hasCredentials: boolean): Promise<StackSettings> {
  if (stackConfig !== undefined)
    return settingsInFolder(await readStackConfig(io, stackConfig), dirname(io.pathOf(stackConfig)));
  const folder = projectFolder(io.cwd);
  if (folder === undefined) return { settings: {}, keys: [] };
  const shown = await runPulumi(io, ["config", "--json", "--non-interactive"]);
  if ("failure" in shown) return { settings: {}, keys: [], problem: notRead(shown.failure) };
  const values = valuesIn(shown.output);
  if (Object.keys(values).length === 0)
    return { settings: {}, keys: [], problem: "The selected stack has no settings of frontdoor in this folder" };
  const isNeeded = ([key, value]: [string, string | undefined]) =>
    value === undefined && !(hasCredentials && credentialKeys.includes(key.slice("frontdoor:".length)));
  if (!Object.entries(values).some(isNeeded)) return settingsInFolder(values, folder);
  const all = await runPulumi(io, ["config", "--show-secrets", "--json", "--non-interactive"]);
  if ("failure" in all) throw unread("The selected stack", all.failure);
  return settingsInFolder(valuesIn(all.output), folder);
}

const notRead = (failure: string) =>
  failure.includes("no stack selected")
    ? "No stack of this project is selected"
    : `The selected stack can't be read (${failure.replace(/^error: /, "")})`;

/** A relative path in the settings begins at the project's folder, as for the provider. */
function settingsInFolder(values: StackValues, folder: string): StackSettings {
  const path = values["frontdoor:credentialsFile"];
  const all = path ? { ...values, "frontdoor:credentialsFile": resolve(folder, path) } : values;
  const settings = settingsIn(
    configKeys,
    (key) => all[`frontdoor:${key}`],
    (key) => `frontdoor:${key}`,
  );
  return { settings, keys: Object.keys(values) };
}

/** Returns a problem with an action that works also outside of a Pulumi project. */
const adviceOutsideProject = (problem: string, stackProblem: string | undefined): string =>
  problem.replace(
    /Run .*(\[token-missing\])$/,
    (_, code: string) =>
      `${stackProblem === undefined ? "" : `${stackProblem}. `}Set FRONTDOOR_CREDENTIALS_FILE or FRONTDOOR_TOKEN, or name a stack's settings with --stack-config. ${code}`,
  );

export const noFrontDoor =
  'no front door is named. Give --frontdoor-id. "npx pulumi-frontdoor ids" lists front doors. [front-door-missing]';

/** Returns the configuration of a command, which may name no front door. @throws Misuse if it is wrong. */
export const configOf = async (io: Io, options: ConfigOptions): Promise<Config> =>
  checked(io, await settingsOf(io, options));

function checked(io: Io, { settings, stackProblem }: CommandSettings): Config {
  const found = checkConfig(settings);
  if ("problems" in found) {
    const problems = found.problems.map(({ problem }) => adviceOutsideProject(problem, stackProblem));
    throw new Misuse(problems.join(" "));
  }
  if (found.config.warning !== undefined) io.say(found.config.warning);
  return found.config;
}

/** Returns the service and the front door of a command, and says where they come from. @throws Misuse if the configuration is wrong. */
export async function configuredFrontDoor(io: Io, options: ConfigOptions): Promise<FrontDoorConfig> {
  const commandSettings = await settingsOf(io, options);
  const config = checked(io, commandSettings);
  const { frontdoorId, baseUrl, places } = config;
  if (frontdoorId === undefined) throw new Misuse(noFrontDoor);
  const stack = options.stackConfig ?? "selected stack";
  const from = (key: string) => places[key]?.replace(/^frontdoor:.*/, stack) ?? "default";
  io.say(`front door ${frontdoorId} (${from("frontdoorId")}) at ${baseUrl} (${from("baseUrl")})`);
  return { frontdoorId, isConfigured: frontdoorId === commandSettings.configured, config };
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

/** Settings by their keys in the stack configuration, such as `frontdoor:baseUrl`. Undefined for a secret that is not decrypted. */
type StackValues = Partial<Record<string, string>>;

const plain = z.union([z.string(), z.number(), z.boolean()]).transform(String);
const stackFile = z.object({
  config: z.record(z.string(), z.unknown()).nullish(),
  environment: z.unknown().optional(),
});
const shownConfig = z.record(z.string(), z.object({ value: z.string().optional() }));

const isOurs = (key: string) => key.startsWith("frontdoor:");

/** Returns our settings in the output of `pulumi config --json`. */
const valuesIn = (output: string): StackValues =>
  Object.fromEntries(
    Object.entries(shownConfig.parse(JSON.parse(output)))
      .filter(([key]) => isOurs(key))
      .map(([key, { value }]) => [key, value]),
  );

/**
 * Returns the front door's settings in a `Pulumi.<stack>.yaml`. If one of them is encrypted, or the file names an environment of
 * Pulumi, `pulumi` reads them. @throws Misuse.
 */
async function readStackConfig(io: Io, path: string): Promise<StackValues> {
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

async function readByPulumi(io: Io, named: string): Promise<StackValues> {
  const path = io.pathOf(named);
  const [, stack] = /^Pulumi\.(.+)\.ya?ml$/.exec(basename(path)) ?? [];
  if (stack === undefined)
    throw new Misuse(
      `${path} holds secrets, and pulumi needs the stack's name to decrypt them. Rename the file to Pulumi.<stack>.yaml. [stack-file-name]`,
    );
  const args = ["config", "--show-secrets", "--json", "--non-interactive", "--stack", stack, "--config-file", path];
  const all = await runPulumi(io, args, dirname(path));
  if ("failure" in all) throw unread(path, all.failure);
  return valuesIn(all.output);
}

const unread = (what: string, failure: string) =>
  new Misuse(
    `${what}: its secrets can't be read (${failure.replace(/^error: /, "")}). Nothing was sent. ${remedyFor(failure)}. [stack-secrets-unreadable]`,
  );

/** Runs `pulumi` and returns what it prints, or its reason on standard error: standard output can hold secrets. */
async function runPulumi(
  { env, cwd }: Pick<Io, "env" | "cwd">,
  args: string[],
  folder = cwd,
): Promise<{ output: string } | { failure: string }> {
  const pulumi = onPath(env, "pulumi");
  if (pulumi === undefined) return { failure: "there is no pulumi on PATH" };
  try {
    const options = { env, cwd: folder, timeout: longestMs, maxBuffer: 1024 ** 3 };
    return { output: (await promisify(execFile)(pulumi, args, options)).stdout };
  } catch (error) {
    const { stderr = "", killed = false } = error as { stderr?: string; killed?: boolean };
    if (killed) return { failure: `pulumi did not end within ${longestMs / 1000} s` };
    return { failure: safeText(stderr, 500) || "pulumi printed no reason" };
  }
}

/** A command that waits for a backend longer than this reads nothing. */
const longestMs = 30_000;

function remedyFor(reason: string): string {
  if (reason.includes("passphrase")) return "Set PULUMI_CONFIG_PASSPHRASE to the passphrase of this stack";
  if (reason.includes("no pulumi on PATH"))
    return "Install Pulumi, or give --base-url, --frontdoor-id and --token-file";
  if (/log ?in|PULUMI_ACCESS_TOKEN/i.test(reason)) return "Run `pulumi login`";
  return "Run `pulumi config` in that folder, and fix the problem that it reports";
}

const project = z.object({ name: z.string() });

/** A stack of a Pulumi project. */
export interface Stack {
  /** The folder of the project. */
  folder: string;
  project: string;
  stack: string;
}

export const projectFiles = ["Pulumi.yaml", "Pulumi.yml"];

/** Returns the folder of the project, as Pulumi finds it: this one, or the nearest above it. */
export function projectFolder(folder: string): string | undefined {
  if (projectFiles.some((file) => existsSync(join(folder, file)))) return folder;
  const parent = dirname(folder);
  return parent === folder ? undefined : projectFolder(parent);
}

/** Returns the stack that Pulumi has selected in this folder; undefined if there is none. @throws Misuse if the project file is no YAML. */
export async function selectedStack(io: Pick<Io, "cwd" | "env" | "pathOf">): Promise<Stack | undefined> {
  const folder = projectFolder(io.cwd);
  if (folder === undefined) return undefined;
  const path = projectFiles.map((file) => join(folder, file)).find((file) => existsSync(file)) ?? "";
  const found = project.safeParse(yamlIn(path, readText(io, path))).data;
  const shown = await runPulumi(io, ["stack", "--show-name", "--non-interactive"]);
  // A stack can be selected with its organization.
  const stack = "output" in shown ? shown.output.trim().split("/").at(-1) : undefined;
  return found && stack ? { folder, project: found.name, stack } : undefined;
}

/** Returns the state of the selected stack as Pulumi exports it; undefined if Pulumi can't. */
export async function exportedState(io: Pick<Io, "cwd" | "env">, { folder }: Stack): Promise<unknown> {
  const shown = await runPulumi(io, ["stack", "export", "--non-interactive"], folder);
  return "output" in shown ? JSON.parse(shown.output) : undefined;
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
