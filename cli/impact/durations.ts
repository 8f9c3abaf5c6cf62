import type { Config } from "../../provider/config";
import { readDurations } from "../../provider/ledger/duration-files";
import { Misuse } from "../outcome";
import type { Change } from "./changes";

type Kind = Change["kind"];
export type Write = "create" | "update" | "delete";

/** How long an operation takes, in seconds: usually, and at most. */
export interface Duration {
  typical: number;
  worst: number;
  /** The durations in this machine's record that it follows from; 0 if it is given or assumed. */
  seen: number;
}

export type Durations = (kind: Kind, write: Write) => Duration;

/** Without a record: a usual time, and the deadline at which the provider gives up (contract: Resources). */
const assumed: Record<Kind, Duration> = {
  share: { typical: 60, worst: 15 * 60, seen: 0 },
  tunnel: { typical: 10 * 60, worst: 60 * 60, seen: 0 },
};

/** Returns durations from the options, else from this machine's record of the service, else assumed ones. */
export function durationsOf(given: Partial<Record<Kind, Duration>>, baseUrl: Config["baseUrl"]): Durations {
  const known = new Map<string, Duration>();
  return (kind, write) => {
    const key = `${kind}-${write}`;
    const duration = given[kind] ?? known.get(key) ?? seen(readDurations(baseUrl, kind, write)) ?? assumed[kind];
    known.set(key, duration);
    return duration;
  };
}

/** The median and the longest. */
function seen(ms: number[]): Duration | undefined {
  const sorted = ms.map((each) => each / 1000).sort((a, b) => a - b);
  const [typical, worst] = [sorted[Math.floor(sorted.length / 2)], sorted.at(-1)];
  return typical === undefined || worst === undefined ? undefined : { typical, worst, seen: sorted.length };
}

/** Returns `20,90` or `20` as a duration, in units of so many seconds. @throws Misuse. */
export function durationIn(text: string, option: string, unit: number): Duration {
  const [typical = NaN, worst = typical, ...rest] = text.split(",").map(Number);
  if (!(typical > 0 && worst >= typical && worst < 1e6) || rest.length > 0)
    throw new Misuse(`${option} must be a number, or a usual and a longest number such as 20,90. [invalid-option]`);
  return { typical: typical * unit, worst: worst * unit, seen: 0 };
}
