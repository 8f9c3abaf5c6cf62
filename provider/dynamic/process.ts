import { readConfig } from "../config";
import type { Service } from "../service";
import { watchEngine } from "../engine/process";
import { openHere } from "../engine/open";
import { leaveErrorsToTheAnswer } from "./printing";
import { passTimeoutsOn } from "./timeouts";

export type Settings = (key: string) => string | undefined;

/**
 * Services of this process, by their configuration. The engine starts one process for all dynamic resources of a run and makes a
 * provider object for each kind: what these share can only be found here.
 */
const services = new Map<string, Service>();

/** Whether this process looks after its engine already. */
let isWatching = false;

/** The engine shows a line of this process among the run's messages. */
const say = (line: string): void => {
  process.stderr.write(`${line}\n`);
};

/** The service that these settings and the environment lead to; it stops with the engine. @throws FrontdoorError where they are wrong. */
export function serviceOfProcess(settings: Settings): Service {
  if (!isWatching) {
    isWatching = true;
    watchEngine({
      onSaved: () => {
        for (const service of services.values()) service.saved();
      },
      onGone: () => {
        for (const service of services.values()) service.stop();
      },
    });
    passTimeoutsOn();
    leaveErrorsToTheAnswer();
  }
  const config = readConfig(settings, process.env);
  const key = JSON.stringify(config);
  const known = services.get(key);
  if (known) return known;
  const service = openHere(config, say);
  services.set(key, service);
  return service;
}
