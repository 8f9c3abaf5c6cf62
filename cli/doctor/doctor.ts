import { execFile } from "node:child_process";
import { appendFileSync, existsSync, readFileSync, realpathSync, statSync } from "node:fs";
import { availableParallelism } from "node:os";
import { basename, delimiter, dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { parse } from "yaml";
import * as z from "zod";
import { checkConfig, type Config, configKeys, environmentName, placeOf } from "../../provider/config";
import { environmentOf, gatewayOf } from "../../provider/credentials";
import { codeOf, problemIn, safeText } from "../../provider/errors";
import { createOf, recordsIn } from "../../provider/run/creation-records";
import { OwnFolder, recordFiles, recordFolder, stateFolder } from "../../provider/run/files";
import { partsOf } from "../../provider/origin";
import { nearest } from "../../provider/nearest";
import { textIn } from "../../provider/text";
import type { Clock } from "../../provider/time";
import {
  type CommandSettings,
  type ConfigOptions,
  noFrontDoor,
  projectFiles,
  projectFolder,
  settingsOf,
} from "../shared/configuration";
import { onPath } from "../shared/files";
import type { Io } from "../shared/io";
import { engines, isAtLeast, version as ownVersion } from "../shared/node-version";
import { CheckFailed, Misuse, Unreachable } from "../shared/outcome";
import { columns, styled } from "../shared/output";
import { type Check, checkExceptions, checkService, expiryOf, note, ok, wrong } from "./checks";

export interface DoctorOptions extends ConfigOptions {
  json?: true;
}

/** Runs all checks. It changes nothing, except that it makes the state folder. @throws CheckFailed if a check found a problem, Unreachable if the service does not answer. */
export async function doctor(io: Io, options: DoctorOptions): Promise<void> {
  const [{ checks, isReached }, machine] = await Promise.all([aboutService(io, options), checkMachine(io)]);
  const all = [...checks, ...machine];
  const found = all.filter(({ state }) => state === "wrong");
  if (options.json) io.printJson({ isWell: found.length === 0, checks: all });
  else io.print(columns(all.map(rowOf)));
  const names = [...new Set(found.map(({ name }) => name))].join(", ");
  const problems = `problems with ${names}. Follow the remedy in each line that begins with "wrong". [problems-found]`;
  if (!isReached) throw new Unreachable(`Frontdoor could not be reached: ${problems}`);
  if (found.length > 0) throw new CheckFailed(`the checks found ${problems}`);
}

async function aboutService(io: Io, options: ConfigOptions): Promise<{ checks: Check[]; isReached: boolean }> {
  const commandSettings = await settingsOf(io, options).catch(settingsUnread);
  if ("name" in commandSettings) return { checks: [commandSettings], isReached: true };
  const { checks, config } = checkSettings(commandSettings, io);
  if (!config) return { checks, isReached: true };
  checks.push(...unfinishedCreates(io, config.baseUrl), ...checkExceptions(io.env));
  const service = await checkService(io, config, config.frontdoorId);
  return { checks: [...checks, ...service.checks], isReached: service.isReached };
}

/** Returns the check of settings that cannot be read. The sentences after the problem are its remedy. */
function settingsUnread(error: unknown): Check {
  if (!(error instanceof Misuse)) throw error;
  const found = problemIn(error.message);
  const remedy = error.message.slice(found.length).replace(/^\. (Nothing was sent\. )?/, "");
  return wrong("settings", found, remedy.replace(/\. \[/, " ["));
}

const marks = {
  ok: () => styled("green", "ok"),
  wrong: () => styled("red", "wrong"),
  note: () => styled("yellow", "note"),
  "not checked": () => styled("dim", "–"),
};

const rowOf = ({ name, state, found, remedy }: Check): string[] => [
  marks[state](),
  styled("bold", name),
  safeText(remedy === undefined ? found : `${found}: ${remedy}`, 1000),
];

/** The oldest engine that this package supports. */
const oldestEngine = "3.200.0";
const longestMs = 20_000;

/** Checks the versions of Node, the engine, the package and the plugin on this machine. */
export async function checkMachine(io: Io): Promise<Check[]> {
  const [node, engine, plugins] = await Promise.all([checkNode(io), checkEngine(io), pluginsHere(io)]);
  return [
    node,
    engine,
    parallelism(io.env["PULUMI_PARALLEL"]),
    checkState(io.env),
    checkPackage(io.cwd),
    ...checkPlugins(plugins),
  ];
}

/** Checks the Node that the engine runs programs with. Another Node can run this command. */
async function checkNode(io: Io): Promise<Check> {
  const oldest = engines.node.replace(/^\D+/, "");
  const version = await outputOf(io, "node", ["--version"]);
  const install = `install Node ${oldest} or later, and put it first on PATH [node-version]`;
  if (version === undefined) return wrong("Node", "there is none on PATH, and the Pulumi CLI needs one", install);
  return isAtLeast(version, oldest) ? ok("Node", version) : wrong("Node", `${version} on PATH is too old`, install);
}

async function checkEngine(io: Io): Promise<Check> {
  const version = await outputOf(io, "pulumi", ["version"]);
  const install = `install Pulumi ${oldestEngine} or later and put it on PATH: https://www.pulumi.com/docs/install/ [engine-version]`;
  if (version === undefined) return wrong("engine", "there is no pulumi on PATH", install);
  return isAtLeast(version, oldestEngine) ? ok("engine", version) : wrong("engine", `${version} is too old`, install);
}

/** Reports the number of resources that the engine works on at a time. Resources mostly wait, so the default is low for many resources. */
function parallelism(chosen: string | undefined): Check {
  if (chosen !== undefined) return ok("parallelism", `${chosen} resources at a time (PULUMI_PARALLEL)`);
  const remedy = "for many resources run pulumi with --parallel 256, or set PULUMI_PARALLEL=256";
  return note("parallelism", `${4 * availableParallelism()} resources at a time, Pulumi's default`, remedy);
}

/** Writes a file into the state folder as a run does, and removes it. */
function checkState(env: NodeJS.ProcessEnv): Check {
  const path = stateFolder(env);
  const folder = new OwnFolder(path, "doctor");
  const file = `${process.pid}`;
  try {
    folder.write(file, "");
    folder.remove(file);
    return ok("state folder", path);
  } catch (error) {
    const why = safeText((error as Error).message, 200);
    const remedy = "set FRONTDOOR_STATE_DIR to a folder that you can write to [records-not-kept]";
    return wrong("state folder", `${path} can't be used (${why}), so a killed create isn't found again`, remedy);
  }
}

/** Names each creation record of this project folder: what an interrupted run has created, and no later run has resumed. */
function unfinishedCreates({ cwd, env }: Io, baseUrl: string): Check[] {
  const folder = recordFolder(baseUrl, env, projectFolder(cwd) ?? cwd);
  return recordsIn(recordFiles(folder, () => undefined)).map(([key, record]) => {
    const { project, stack } = partsOf(record.origin);
    const found = `${createOf(record)}, since ${new Date(record.postedAtMs).toISOString()} (project ${project}, stack ${stack})`;
    const remedy =
      'while the program has the resource, run "pulumi up" on that stack. Otherwise delete it in Frontdoor, or set `adopt` to its id. ' +
      `Then remove ${join(folder.path, `${key}.json`)} [creates-left]`;
    return note("unfinished create", found, remedy);
  });
}

/** Compares the package that a program in this folder would import with this command's own package. */
function checkPackage(folder: string): Check {
  const version = packageVersionHere(folder);
  if (version === undefined) return ok("package", `${ownVersion}; none in this folder`);
  if (version === ownVersion) return ok("package", version);
  const remedy = "run the command of this folder: npx pulumi-frontdoor doctor";
  return note("package", `${version} here, and this command has ${ownVersion}`, remedy);
}

/** Checks the plugin that Pulumi takes. Plugins of other versions beside it are for other projects of this machine. */
function checkPlugins(plugins: Plugin[]): Check[] {
  const taken = plugins.find(({ place, version }) => place !== "installed" || version === ownVersion);
  const others = plugins
    .filter((plugin) => plugin !== taken)
    .map(({ version, where }) =>
      note("plugin", `${version}, ${where}`, "this project does not use it, and another one can need it: leave it"),
    );
  return [taken === undefined ? noPlugin : checkTaken(taken), ...others];
}

function checkTaken({ version, where, place }: Plugin): Check {
  if (version === ownVersion) return ok("plugin", `${version}, ${where}`);
  const remedy =
    place === "PATH"
      ? "put dist/plugin of this package first on PATH [plugin-version]"
      : "run `npm install` in that folder, or correct the path in `plugins.providers` [plugin-version]";
  if (version === undefined) return wrong("plugin", `there is none ${where}`, remedy);
  return wrong("plugin", `${version}, ${where}, is not the version of this package (${ownVersion})`, remedy);
}

const noPlugin = note(
  "plugin",
  `none of version ${ownVersion} in \`plugins.providers\` of Pulumi.yaml, on PATH or installed`,
  'only "pulumi-frontdoor/plugin", import and other languages need the plugin: add its path to `plugins.providers`',
);

/** Returns the output of a command; undefined if there is no such command or it fails. */
async function outputOf({ env, cwd }: Io, command: string, args: string[]): Promise<string | undefined> {
  const program = onPath(env, command);
  if (program === undefined) return undefined;
  try {
    const { stdout } = await promisify(execFile)(program, args, { env, cwd, timeout: longestMs });
    return safeText(stdout, 1_000_000);
  } catch {
    return undefined;
  }
}

/** A plugin that the engine can find. */
interface Plugin {
  /** Undefined if Pulumi.yaml names a folder without a plugin. */
  version: string | undefined;
  where: string;
  /** The engine takes the plugin of Pulumi.yaml, else the one on PATH, both in any version, else an installed one of the right version. */
  place: "Pulumi.yaml" | "PATH" | "installed";
}

const name = "pulumi-resource-frontdoor";
const installed = z.array(z.object({ name: z.string(), kind: z.string(), version: z.string() }));

/** Returns the plugins that the engine can find, in its order. */
async function pluginsHere(io: Io): Promise<Plugin[]> {
  const listed = installed.safeParse(parsed(await outputOf(io, "pulumi", ["plugin", "ls", "--json"])));
  const ours = (listed.data ?? []).filter((each) => each.name === "frontdoor" && each.kind === "resource");
  return [
    ...pluginOfProject(io.cwd),
    ...pluginOnPath(io.env),
    ...ours.map(({ version }) => ({ version, where: "installed by pulumi", place: "installed" as const })),
  ];
}

const provider = z.object({ name: z.string(), path: z.string() });
const withPlugins = z.object({ plugins: z.object({ providers: z.array(provider) }) });

/** Returns the plugin that `plugins.providers` of Pulumi.yaml names. */
function pluginOfProject(cwd: string): Plugin[] {
  const folder = projectFolder(cwd);
  const file = folder && projectFiles.map((each) => join(folder, each)).find((path) => existsSync(path));
  if (folder === undefined || file === undefined) return [];
  const { plugins } = withPlugins.safeParse(yamlOf(file)).data ?? {};
  return (plugins?.providers ?? [])
    .filter((each) => each.name === "frontdoor")
    .map(({ path }) => {
      const at = resolve(folder, path);
      const found = pluginIn(at);
      const where = `in ${at}, which ${basename(file)} names`;
      return { version: found && versionOf(found), where, place: "Pulumi.yaml" };
    });
}

/** Returns the value in a YAML file, undefined if it is none: the settings are checked elsewhere. */
function yamlOf(file: string): unknown {
  try {
    return parse(textIn(readFileSync(file)));
  } catch {
    return undefined;
  }
}

const pluginIn = (folder: string): string | undefined =>
  [name, `${name}.cmd`, `${name}.exe`]
    .map((each) => join(folder, each))
    .find((path) => statSync(path, { throwIfNoEntry: false })?.isFile());

function pluginOnPath(env: NodeJS.ProcessEnv): Plugin[] {
  const [file] = foldersOnPath(env).flatMap((folder) => pluginIn(folder) ?? []);
  return file === undefined ? [] : [{ version: versionOf(file), where: `on PATH (${file})`, place: "PATH" }];
}

/**
 * Returns the folders of PATH as the shell of the user has them: npm and npx put `node_modules/.bin` folders before them, and their own
 * `node-gyp-bin` after those. Only programs that they start see these folders.
 */
function foldersOnPath({ PATH = "", npm_config_user_agent: runner }: NodeJS.ProcessEnv): string[] {
  const folders = PATH.split(delimiter).filter((folder) => folder !== "");
  if (runner === undefined) return folders;
  const last = folders.findLastIndex((folder) => basename(folder) === "node-gyp-bin");
  const afterRunners = folders.slice(last + 1);
  const first = afterRunners.findIndex((folder) => !/[\\/]node_modules[\\/]\.bin$/.test(folder));
  return last >= 0 ? afterRunners : afterRunners.slice(first < 0 ? afterRunners.length : first);
}

/** Returns the version in the schema beside the plugin. For pnpm, and npm on Windows, the schema is in the package, because the file is a script. */
function versionOf(file: string): string {
  const beside = dirname(realpathSync(file));
  const ofPackage = join(dirname(file), "..", "pulumi-frontdoor", "dist", "plugin");
  const schema = [beside, ofPackage].map((folder) => join(folder, "schema.json")).find((path) => existsSync(path));
  return versionIn(schema ?? "") ?? "of an unknown version";
}

function parsed(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? "");
  } catch {
    return undefined;
  }
}

const versioned = z.object({ version: z.string() });

/**
 * Returns the version of the package in the nearest `node_modules`, undefined if there is none. Reads only text: code in the user's
 * folder must not run, because this process holds the token.
 */
export function packageVersionHere(folder: string): string | undefined {
  const version = versionIn(join(folder, "node_modules", "pulumi-frontdoor", "package.json"));
  const parent = dirname(folder);
  return version ?? (parent === folder ? undefined : packageVersionHere(parent));
}

/** Returns the version in a JSON file; undefined if there is none. */
function versionIn(path: string): string | undefined {
  try {
    // Reading a pipe could wait forever.
    return statSync(path).isFile() ? versioned.parse(JSON.parse(readFileSync(path, "utf8"))).version : undefined;
  } catch {
    return undefined;
  }
}

/** The variables that are no settings of a stack. */
const others = ["FRONTDOOR_TAKE_OVER", "FRONTDOOR_STATE_DIR", "FRONTDOOR_CACHE_DIR", "FRONTDOOR_LOG"];

/** Checks the settings. Returns a problem for each wrong or unknown setting, and the configuration if the settings are complete. */
export function checkSettings(
  { settings, stackKeys, stackProblem }: CommandSettings,
  { env: environment, clock }: Io,
): { checks: Check[]; config: Config | undefined } {
  const unknown = [
    ...unknownIn(
      stackKeys,
      configKeys.map((key) => `frontdoor:${key}`),
    ),
    ...unknownIn(
      Object.keys(environment).filter((name) => name.startsWith("FRONTDOOR_")),
      [...configKeys.map(environmentName), ...others],
    ),
  ];
  const checked = checkConfig(settings);
  const problems = "problems" in checked ? checked.problems.map(({ problem }) => problem) : [];
  if (!settings["frontdoorId"]) problems.push(noFrontDoor);
  const checks = [
    ...unknown,
    ...problems.map((problem) => {
      const place = "in the stack's configuration or the environment";
      const action =
        problem === noFrontDoor ? `run "npx pulumi-frontdoor ids", and set its id ${place}` : `fix it ${place}`;
      const remedy = `${action} [${codeOf(problem) ?? "invalid-setting"}]`;
      return wrong("settings", problemIn(problem), remedy);
    }),
  ];
  if (problems.length > 0 && stackProblem !== undefined)
    checks.push(
      note(
        "settings",
        stackProblem,
        "select one with `pulumi stack select`, log in as for Pulumi, or give --stack-config",
      ),
    );
  if (checks.length === 0) checks.push(ok("settings", "complete, none unknown"));
  const config = "config" in checked ? checked.config : undefined;
  if (config?.logFile !== undefined) checks.push(checkLog(config.logFile));
  return { checks: config ? [...checks, ...credentialsIn(config, clock), ...environmentIn(config)] : checks, config };
}

/** Opens the request log for appending, as a run does. */
function checkLog(file: string): Check {
  try {
    appendFileSync(file, "", { mode: 0o600 });
    return ok("request log", `${file} (FRONTDOOR_LOG)`);
  } catch (error) {
    const { code = "unknown" } = error as NodeJS.ErrnoException;
    const remedy = "set FRONTDOOR_LOG to a file in a folder that you can write to [log-not-written]";
    return note("request log", `${file} can't be written (${code}), so runs continue without it`, remedy);
  }
}

/** Finds credentials of one environment with the URL of another. */
function environmentIn(config: Config): Check[] {
  const { credentials, baseUrl } = config;
  const place = placeOf(config, "baseUrl");
  const tokenUrl = credentials.kind === "client" ? credentials.tokenUrl : "";
  const theirs = environmentOf(tokenUrl);
  if (theirs === undefined || baseUrl.startsWith(`${gatewayOf(tokenUrl)}/`)) return [];
  const remedy = `remove ${place}, or use credentials of its environment [invalid-setting]`;
  return [wrong("environment", `the credentials are of ${theirs}, and ${place} is ${baseUrl}`, remedy)];
}

/** Names the place of the credentials, and the end of a token that tells it. */
function credentialsIn({ credentials, warning }: Config, clock: Clock): Check[] {
  const { source } = credentials;
  const what =
    credentials.kind === "client"
      ? `${source}, by a ${credentials.request} request to ${new URL(credentials.tokenUrl).host}`
      : `${credentials.kind === "basic" ? "user name and token" : "token"} in ${source}`;
  const { isOver, words } = expiryOf(credentials, clock) ?? {};
  const found = words === undefined ? what : `${what}: it ${words}`;
  const used = isOver
    ? note("credentials", found, `set a new token in ${source} [token-refused]`)
    : ok("credentials", found);
  return [used, ...noteOf("credentials", warning)];
}

/** Returns a warning of the provider, if there is one. */
function noteOf(name: string, warning: string | undefined): Check[] {
  const [, found, remedy] = /^frontdoor: (.*?)\. (.*)$/.exec(warning ?? "") ?? [];
  return found === undefined || remedy === undefined ? [] : [note(name, found, remedy.replace(/\. \[/, " ["))];
}

function unknownIn(names: string[], known: string[]): Check[] {
  return names
    .filter((name) => !known.includes(name))
    .map((name) => {
      const meant = nearest(name, known);
      const remedy = meant === undefined ? "remove it" : `did you mean ${meant}?`;
      return wrong("settings", `${name} is no setting and has no effect`, `${remedy} [unknown-setting]`);
    });
}
