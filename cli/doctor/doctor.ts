import { problemIn, safeText } from "../../provider/errors";
import { type ConnectionOptions, givenBy } from "../connection";
import { CheckFailed, Misuse, Unreachable } from "../outcome";
import { print, printJson } from "../output";
import { styled } from "../style";
import { columns } from "../table";
import { type Check, wrong } from "./check";
import { checkMachine } from "./machine";
import { checkNetwork } from "./network";
import { checkService } from "./service";
import { checkSettings } from "./settings";

export interface DoctorOptions extends ConnectionOptions {
  json?: true;
}

/** Runs all checks and changes nothing. @throws CheckFailed if a check found a problem, Unreachable if the service does not answer. */
export async function doctor(options: DoctorOptions): Promise<void> {
  const [{ checks, isReached }, machine] = await Promise.all([aboutService(options), checkMachine()]);
  const all = [...checks, ...machine];
  const found = all.filter(({ state }) => state === "wrong");
  if (options.json) printJson({ isWell: found.length === 0, checks: all });
  else print(columns(all.map(rowOf)));
  const names = [...new Set(found.map(({ name }) => name))].join(", ");
  const problems = `problems with ${names}. Follow the remedy in each line that begins with "wrong". [problems-found]`;
  if (!isReached) throw new Unreachable(`the service could not be reached: ${problems}`);
  if (found.length > 0) throw new CheckFailed(`the checks found ${problems}`);
}

async function aboutService(options: ConnectionOptions): Promise<{ checks: Check[]; isReached: boolean }> {
  const given = await givenBy(options).catch(settingsUnread);
  if ("name" in given) return { checks: [given], isReached: true };
  const { checks, config } = checkSettings(given, process.env);
  if (!config) return { checks, isReached: true };
  const network = await checkNetwork(config.baseUrl);
  checks.push(...network);
  if (network.some(({ state }) => state === "wrong")) return { checks, isReached: false };
  if (config.frontdoorId === undefined) return { checks, isReached: true };
  const service = await checkService(config, config.frontdoorId);
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
