import { type Config, warningsOf } from "../config";
import { openPool } from "../http/send";
import { durationFiles } from "../ledger/duration-files";
import { recordFiles, recordFolder, runFolder, sayOnce } from "../ledger/record-files";
import { runFiles } from "../ledger/run-files";
import { openService, type Service } from "../service";
import { systemClock } from "../time/clock";
import { engineAddress } from "./process";

/** Opens the service with this machine's clock, network and creation records. */
export function openHere(config: Config, say: (line: string) => void): Service {
  const sayProblem = sayOnce(say);
  for (const line of warningsOf(config)) say(line);
  const records = recordFiles(recordFolder(config.baseUrl, process.env), sayProblem);
  const run = runFiles(runFolder(engineAddress(process.argv) ?? "", process.env), sayProblem);
  const durations = durationFiles(config.baseUrl);
  const transport = openPool(config.requestTimeoutMs);
  return openService({ config, clock: systemClock, transport, say, records, run, durations });
}
