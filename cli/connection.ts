import type { Command } from "commander";
import type { Config } from "../provider/config";
import type { Reads } from "../provider/functions/reads";
import { readText } from "./files";
import { Misuse } from "./outcome";
import { say } from "./output";
import type { Settings } from "./stack-config";

// What reads configurations and talks to the service is loaded once it is needed: every command declares its options by this file.

/** How every command is told which service and front door it is about. */
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
    .option("--stack-config <file>", "take what a Pulumi.<stack>.yaml says, its secrets by way of pulumi")
    .option("--base-url <url>", "address of the service (FRONTDOOR_BASE_URL)")
    .option("--frontdoor-id <id>", "front door (FRONTDOOR_ID)")
    .option("--token-file <file>", "file that holds the token (FRONTDOOR_TOKEN, which holds the token itself)")
    .option("--username <name>", "user name that goes with the token, for Basic (FRONTDOOR_USERNAME)");

export interface Connection {
  frontdoorId: string;
  /** False where an option has named another front door than the stack configuration and the environment do. */
  isConfigured: boolean;
  config: Config;
}

const credentials = ["token", "username", "tokenUrl", "clientId", "clientSecret"].map((key) => `frontdoor:${key}`);

/** What the options and the stack configuration say of a setting such as `frontdoor:baseUrl`. */
export interface Given {
  settingOf: (key: string) => string | undefined;
  inStack: Settings;
}

/** Options, then the stack configuration; the environment comes after them (contract: Command line). @throws Misuse. */
export async function givenBy(options: ConnectionOptions): Promise<Given> {
  const { stackConfig, baseUrl, frontdoorId, username, tokenFile } = options;
  const inStack =
    stackConfig === undefined ? {} : await (await import("./stack-config.js")).readStackConfig(stackConfig);
  const token = tokenFile === undefined ? undefined : readText(tokenFile).trim();
  if (token === "") throw new Misuse(`${tokenFile ?? ""} is empty: it must hold a token`);
  const given: Settings = {
    "frontdoor:baseUrl": baseUrl,
    "frontdoor:frontdoorId": frontdoorId,
    "frontdoor:username": username,
    "frontdoor:token": token,
  };
  // A token goes for itself: what else the stack would log in with does not belong to it.
  const settingOf = (key: string) =>
    given[key] ?? (token !== undefined && credentials.includes(key) ? undefined : inStack[key]);
  return { settingOf, inStack };
}

export const noFrontDoor = "which front door? Name it by --frontdoor-id, in the --stack-config file or in FRONTDOOR_ID";

/** The service and front door that a command is about. @throws Misuse where its configuration is wrong. */
export async function connectionOf(options: ConnectionOptions, environment: NodeJS.ProcessEnv): Promise<Connection> {
  const { settingOf, inStack } = await givenBy(options);
  const { checkConfig } = await import("../provider/config.js");
  const checked = checkConfig((key) => settingOf(`frontdoor:${key}`), environment);
  if ("problems" in checked) throw new Misuse(checked.problems.map(({ problem }) => problem).join(" "));
  const { config } = checked;
  if (config.frontdoorId === undefined) throw new Misuse(noFrontDoor);
  const configured = [inStack["frontdoor:frontdoorId"], environment["FRONTDOOR_ID"]].find((id) => id);
  return { frontdoorId: config.frontdoorId, isConfigured: config.frontdoorId === configured, config };
}

/** Reads from the service as long as `use` takes. @throws FrontdoorError. */
export async function reading<Result>(config: Config, use: (reads: Reads) => Promise<Result>): Promise<Result> {
  const { openReading } = await import("./reading.js");
  const { reads, close } = openReading(config, say);
  try {
    return await use(reads);
  } finally {
    await close();
  }
}
