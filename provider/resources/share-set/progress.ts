import { seconds } from "../../errors";
import { writesPerSecond } from "../../http/pace";
import type { Service } from "../../service";
import type { Until } from "../../time/clock";

/** A set that needs longer announces its writes before the first one. */
const longMs = 10_000;
const reportEveryMs = 1_000;

/** Shows how many shares of a set are done. */
export interface SetProgress {
  /** Shows how long so many writes will take, if that is long. */
  announce(writes: number): void;
  countOne: () => void;
  /** Reports once a second at most: each share reports its polls. */
  report: () => void;
}

export function setProgress({ config, clock, say }: Service, label: string, total: number, until: Until): SetProgress {
  let doneCount = 0;
  let reportedMs = -Infinity;
  return {
    announce(writes) {
      const sendingMs = (writes / writesPerSecond(config.requestsPerSecond)) * 1000;
      if (sendingMs < longMs) return;
      say(
        `${label}: ${writes} shares to write at ${config.requestsPerSecond} requests a second: about ${seconds(sendingMs)}, and the time that the service takes`,
      );
    },
    countOne() {
      doneCount += 1;
    },
    report() {
      const now = clock.now();
      if (now - reportedMs < reportEveryMs) return;
      reportedMs = now;
      until.report?.(`${doneCount}/${total} shares done after ${seconds(now - (until.startedMs ?? now))}`);
    },
  };
}
