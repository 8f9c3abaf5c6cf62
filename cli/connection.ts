import { basename, dirname, resolve } from "node:path";
import type { Command } from "commander";
import type { Config } from "../provider/config";
import type { Reads } from "../provider/functions/reads";
import { readText } from "./files";
import { Misuse } from "./outcome";
import { say } from "./output";
import type { Settings } from "./stack-config";

// Every command declares its options with this file, so the parts that read configurations and call the service are loaded later.

/** The options with which every command finds its service and front door. */
export interface ConnectionOptions {
  stackConfig?: string;
  baseUrl?: string;
  frontdoorId?: string;
  username?: string;
  tokenFile?: string;
}

/** Adds the options of ConnectionOptions. */
export const withConnection = (command: Command): Command =>
  command
    .option(
      "--stack-config <file>",
      "read the settings of a Pulumi.<stack>.yaml, by default of the selected stack; pulumi decrypts its secrets",
    )
    .option("--base-url <url>", "address of the service (FRONTDOOR_BASE_URL)")
    .option("--frontdoor-id <id>", "front door (FRONTDOOR_ID)")
    .option("--token-file <file>", "file that holds the token (FRONTDOOR_TOKEN holds the token itself)")
    .option("--username <name>", "user name for the token, for Basic authentication (FRONTDOOR_USERNAME)");

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
}

/**
 * Returns the settings: options first, then the stack configuration. The environment comes after both, as for the provider
 * (contract: Configuration). @throws Misuse.
 */
export async function givenBy(options: ConnectionOptions, environment = process.env): Promise<Given> {
  const { stackConfig, baseUrl, frontdoorId, username, tokenFile } = options;
  const inStack = await (stackConfig === undefined ? ofSelectedStack(options, environment) : ofFile(stackConfig));
  const token = tokenFile === undefined ? undefined : readText(tokenFile).trim();
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
  return { settingOf, placeOf, inStack };
}

/** A relative path in the settings begins at the project's folder, as for the provider. */
async function ofFile(file: string, project = dirname(file)): Promise<Settings> {
  const settings = await (await import("./stack-config.js")).readStackConfig(file);
  const path = settings["frontdoor:credentialsFile"];
  return path ? { ...settings, "frontdoor:credentialsFile": resolve(project, path) } : settings;
}

/** The settings of the selected stack; none if an option names another service, or other credentials. */
async function ofSelectedStack(
  { baseUrl, tokenFile }: ConnectionOptions,
  environment: NodeJS.ProcessEnv,
): Promise<Settings> {
  if (baseUrl !== undefined || tokenFile !== undefined) return {};
  const file = (await import("./selected-stack.js")).selectedStack(process.cwd(), environment)?.file;
  if (file === undefined) return {};
  const settings = await ofFile(file, process.cwd());
  if (Object.keys(settings).length > 0) say(`settings of the selected stack: ${basename(file)}`);
  return settings;
}

/** Returns a problem with an action that works also outside of a Pulumi project. */
const ofCommand = (problem: string): string =>
  problem.replace(
    /Run .*(\[token-missing\])$/,
    "Set FRONTDOOR_TOKEN or FRONTDOOR_CREDENTIALS_FILE, or name a stack's settings with --stack-config. $1",
  );

export const noFrontDoor =
  'no front door is named. Give --frontdoor-id. "frontdoor ids" lists front doors. [front-door-missing]';

/** Returns the configuration of a command, which may name no front door. @throws Misuse if it is wrong. */
export async function configOf(
  options: ConnectionOptions,
  environment: NodeJS.ProcessEnv,
): Promise<{ config: Config; inStack: Settings }> {
  const { settingOf, placeOf, inStack } = await givenBy(options, environment);
  const { checkConfig, ignoredVariables, settingsDiffer } = await import("../provider/config.js");
  const checked = checkConfig((key) => settingOf(`frontdoor:${key}`), environment, placeOf);
  if ("problems" in checked) throw new Misuse(checked.problems.map(({ problem }) => ofCommand(problem)).join(" "));
  const line = settingsDiffer(ignoredVariables((key) => inStack[`frontdoor:${key}`], environment));
  if (line !== undefined) say(line);
  if (checked.config.warning !== undefined) say(checked.config.warning);
  return { config: checked.config, inStack };
}

/** Returns the service and the front door of a command. @throws Misuse if the configuration is wrong. */
export async function connectionOf(options: ConnectionOptions, environment: NodeJS.ProcessEnv): Promise<Connection> {
  const { config, inStack } = await configOf(options, environment);
  if (config.frontdoorId === undefined) throw new Misuse(noFrontDoor);
  const configured = [inStack["frontdoor:frontdoorId"], environment["FRONTDOOR_ID"]].find((id) => id);
  return { frontdoorId: config.frontdoorId, isConfigured: config.frontdoorId === configured, config };
}

/** Opens the service for reads until `use` ends. @throws FrontdoorError. */
export async function reading<Result>(config: Config, use: (reads: Reads) => Promise<Result>): Promise<Result> {
  const { openReading } = await import("./reading.js");
  const { reads, close } = openReading(config, say);
  try {
    return await use(reads);
  } finally {
    await close();
  }
}
