import { readConfig } from "../config";
import { openPool } from "../http/send";
import { openService } from "../run/service";
import { systemClock } from "../time";
import { ReadCache } from "./functions";

export { strangeSetting } from "../config";
export { near } from "../nearest";

/** Opens reads by the configuration of this run (contract: Configuration). @throws FrontdoorError if the configuration is wrong. */
export function openReads(stackConfig: (key: string) => string | undefined, environment: NodeJS.ProcessEnv): ReadCache {
  const config = readConfig(stackConfig, environment);
  const warn = (line: string) => void process.stderr.write(`${line}\n`);
  if (config.warning !== undefined) warn(config.warning);
  const transport = openPool(config.requestTimeoutMs);
  // Reads create nothing, so there are no creation records.
  const records = { read: () => [], write: () => undefined, remove: () => undefined };
  return new ReadCache(openService({ config, clock: systemClock, transport, say: warn, records }));
}
