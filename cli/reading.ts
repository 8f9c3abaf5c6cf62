import type { Config } from "../provider/config";
import { readsOf } from "../provider/functions/reads";
import { openPool } from "../provider/http/send";
import { openService } from "../provider/service";
import { systemClock } from "../provider/time/clock";
import { redactPrintedBy } from "./characters";

const nothingIsCreated = { read: () => [], write: () => undefined, remove: () => undefined };

/** Opens the service only for reads, until `close`. */
export function openReading(
  config: Config,
  say: (line: string) => void,
  transport = openPool(config.requestTimeoutMs),
) {
  const service = openService({ config, clock: systemClock, transport, records: nothingIsCreated, say });
  redactPrintedBy((text) => service.redacted(text));
  return { reads: readsOf(service), service, close: () => service.close() };
}
