import type { Config } from "../../provider/config";
import { readDurations } from "../../provider/ledger/files";
import { Misuse } from "../outcome";
import type { Change } from "./changes";

/** A weekly window, in minutes of the wall clock of a time zone. */
export interface Window {
  /** 0 is Sunday; every day if empty. */
  days: number[];
  begins: number;
  /** Beyond a day if the window passes midnight. */
  ends: number;
  timeZone: string;
}

const days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
const dayMinutes = 24 * 60;

/** Returns `Sat 22:00-02:00 Europe/Berlin` or `Mon,Tue 01:00-03:00 UTC` as a window. @throws Misuse. */
export function windowIn(text: string): Window {
  const [, names = "", from = "", to = "", timeZone = ""] =
    /^(?:([A-Za-z,]+) )?([\d:]+)-([\d:]+) (\S+)$/.exec(text) ?? [];
  const named = names === "" ? [] : names.split(",").map((name) => days.indexOf(name));
  const [begins, until] = [minutesIn(from), minutesIn(to)];
  if (begins === undefined || until === undefined || named.includes(-1) || !isTimeZone(timeZone))
    throw new Misuse(
      '--window must be days, hours and a time zone, such as "Sat 22:00-02:00 Europe/Berlin". [invalid-option]',
    );
  return { days: named, begins, ends: until > begins ? until : until + dayMinutes, timeZone };
}

/** Returns the seconds that are left in the window; 0 outside of it. */
export function secondsLeft({ days: named, begins, ends, timeZone }: Window, nowMs: number): number {
  const { day, minutes, seconds } = wallClock(nowMs, timeZone);
  // The window may have begun today or yesterday.
  const [left = 0] = [0, 1]
    .filter((ago) => named.length === 0 || named.includes((day + 7 - ago) % 7))
    .map((ago) => minutes + ago * dayMinutes)
    .filter((now) => now >= begins && now < ends)
    .map((now) => (ends - now) * 60 - seconds);
  if (left === 0) return 0;
  // Clocks that are set forward or back meanwhile shift the end.
  const shift = wallClock(nowMs + left * 1000, timeZone).minutes - (ends % dayMinutes);
  const shortest = ((shift + dayMinutes * 1.5) % dayMinutes) - dayMinutes / 2;
  return Math.max(0, left - shortest * 60);
}

function wallClock(ms: number, timeZone: string) {
  const clock = { weekday: "short", hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" } as const;
  const parts = new Intl.DateTimeFormat("en-US", { timeZone, ...clock }).formatToParts(ms);
  const of = (type: string) => parts.find((part) => part.type === type)?.value ?? "";
  return {
    day: days.indexOf(of("weekday")),
    minutes: Number(of("hour")) * 60 + Number(of("minute")),
    seconds: Number(of("second")),
  };
}

function minutesIn(text: string): number | undefined {
  const [, hours, minutes] = /^([01]?\d|2[0-3]):([0-5]\d)$/.exec(text) ?? [];
  return hours === undefined ? undefined : Number(hours) * 60 + Number(minutes);
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== "" && name !== "";
  } catch {
    return false;
  }
}

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
