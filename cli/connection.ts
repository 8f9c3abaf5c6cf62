import type { Command } from "commander";
import { type Config, readConfig } from "../provider/config";
import { Reads } from "../provider/functions/reads";
import { openPool } from "../provider/http/send";
import { openService } from "../provider/service";
import { systemClock } from "../provider/time/clock";
import { readText } from "./files";
import { Misuse } from "./outcome";
import { readStackConfig, type Settings } from "./stack-config";

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

/** Options, then the stack configuration, then the environment (contract: Command line). @throws Misuse where they are wrong. */
export async function connectionOf(options: ConnectionOptions, environment: NodeJS.ProcessEnv): Promise<Connection> {
  const { stackConfig, baseUrl, frontdoorId, username, tokenFile } = options;
  const inStack = stackConfig === undefined ? {} : await readStackConfig(stackConfig);
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
  const config = configOf(settingOf, environment);
  if (config.frontdoorId === undefined)
    throw new Misuse("which front door? Name it by --frontdoor-id, in the --stack-config file or in FRONTDOOR_ID");
  const configured = [inStack["frontdoor:frontdoorId"], environment["FRONTDOOR_ID"]].find((id) => id);
  return { frontdoorId: config.frontdoorId, isConfigured: config.frontdoorId === configured, config };
}

function configOf(settingOf: (key: string) => string | undefined, environment: NodeJS.ProcessEnv): Config {
  try {
    return readConfig(settingOf, environment);
  } catch (error) {
    throw new Misuse((error as Error).message);
  }
}

/** Reads from the service as long as `use` takes. @throws FrontdoorError. */
export async function reading<Result>(config: Config, use: (reads: Reads) => Promise<Result>): Promise<Result> {
  const nothingIsCreated = { read: () => [], write: () => undefined, remove: () => undefined };
  const service = openService({
    ...{ config, clock: systemClock, transport: openPool(), records: nothingIsCreated },
    say: (line) => process.stderr.write(`${line}\n`),
  });
  try {
    return await use(new Reads(service));
  } finally {
    await service.close();
  }
}
