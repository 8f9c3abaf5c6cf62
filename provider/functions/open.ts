import { readConfig } from "../config";
import { openPool } from "../http/send";
import { openService } from "../service";
import { systemClock } from "../time/clock";
import { Once } from "./once";
import { Reads } from "./reads";

export { strangeSetting } from "../config";

/** Reads by the configuration of this run (contract: Configuration). @throws FrontdoorError where it is wrong. */
export function openReads(stackConfig: (key: string) => string | undefined, environment: NodeJS.ProcessEnv): Once {
  const config = readConfig(stackConfig, environment);
  const transport = openPool(config.requestTimeoutMs);
  const opening = { config, clock: systemClock, transport, say: () => undefined, records: noRecords };
  return new Once(new Reads(openService(opening)));
}

/** Nothing is created here. */
const noRecords = { read: () => [], write: () => undefined, remove: () => undefined };
