import { checkConfig, type Config, configKeys, environmentName } from "../../provider/config";
import { codeOf, problemIn } from "../../provider/errors";
import { nearest } from "../../provider/nearest";
import { type Given, noFrontDoor } from "../connection";
import { type Check, note, ok, wrong } from "./check";
import { expiryOf } from "./token";

/** The variables that are no settings of a stack: folders of this machine, and the secret of alerts. */
const others = ["FRONTDOOR_STATE_DIR", "FRONTDOOR_CACHE_DIR", "FRONTDOOR_WEBHOOK_SECRET"];

/** Checks the settings. Returns a problem for each wrong or unknown setting, and the configuration if the settings are complete. */
export function checkSettings(
  { settingOf, placeOf, inStack }: Given,
  environment: NodeJS.ProcessEnv,
): { checks: Check[]; config: Config | undefined } {
  const unknown = [
    ...unknownIn(
      Object.keys(inStack),
      configKeys.map((key) => `frontdoor:${key}`),
    ),
    ...unknownIn(
      Object.keys(environment).filter((name) => name.startsWith("FRONTDOOR_")),
      [...configKeys.map(environmentName), ...others],
    ),
  ];
  const checked = checkConfig((key) => settingOf(`frontdoor:${key}`), environment, placeOf);
  const problems = "problems" in checked ? checked.problems.map(({ problem }) => problem) : [];
  const frontDoor = settingOf("frontdoor:frontdoorId") ?? environment[environmentName("frontdoorId")] ?? "";
  if (frontDoor === "") problems.push(noFrontDoor);
  const checks = [
    ...unknown,
    ...problems.map((problem) => {
      const remedy = `fix it in the stack's configuration or the environment [${codeOf(problem) ?? "invalid-setting"}]`;
      return wrong("settings", problemIn(problem), remedy);
    }),
  ];
  if (checks.length === 0) checks.push(ok("settings", "complete, none unknown"));
  const config = "config" in checked ? checked.config : undefined;
  return { checks: config ? [...checks, ...credentialsIn(config)] : checks, config };
}

/** Names the place of the credentials, and the end of a token that tells it. */
function credentialsIn({ credentials, warning }: Config): Check[] {
  const { source } = credentials;
  const what =
    credentials.kind === "client"
      ? `${source}, by a ${credentials.request} request to ${new URL(credentials.tokenUrl).host}`
      : `${credentials.kind === "basic" ? "user name and token" : "token"} in ${source}`;
  const { isOver, words } = expiryOf(credentials) ?? {};
  const found = words === undefined ? what : `${what}: it ${words}`;
  const used = isOver
    ? note("credentials", found, `set a new token in ${source} [token-refused]`)
    : ok("credentials", found);
  const [, open, remedy] = /^frontdoor: (.*?)\. (.*)$/.exec(warning ?? "") ?? [];
  return open === undefined || remedy === undefined ? [used] : [used, note("credentials", open, remedy)];
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
