import { Misuse } from "../outcome";
import type { Change } from "./changes";
import type { Preview, Step } from "./preview";

/** A part of the run, in seconds from its begin. */
export interface Span {
  begins: number;
  /** Infinity if the tunnel or share is removed for good. */
  ends: number;
}

/**
 * Returns when users notice each change, in Pulumi's order:
 *
 * - A write waits for the writes of what it depends on.
 * - A delete-first replacement first deletes what depends on it, one after another.
 * - All other deletes come after all writes, dependents first.
 *
 * Everything else runs at the same time.
 */
export function scheduleOf(
  preview: Preview,
  changes: Change[],
  durations: Durations,
  measure: keyof Duration,
): Map<Change, Span> {
  const run = new Run(preview, changes, (change) => durations(change.kind)[measure]);
  return new Map(changes.map((change) => [change, run.spanOf(change)]));
}

const latest = (seconds: number[]): number => seconds.reduce((most, each) => Math.max(most, each), 0);

/** The course of a run. A URN in an edge that the preview does not change takes no time. */
class Run {
  private readonly steps: ReadonlyMap<string, Step>;
  private readonly changes: ReadonlyMap<string, Change[]>;
  /** By URN, what depends on it in the state. */
  private readonly followers: ReadonlyMap<string, string[]>;
  private readonly named: ReadonlyMap<string, Change>;
  /** The shares whose ports others of their sets need. */
  private readonly holders: ReadonlySet<string>;
  /** By URN, its place in the order of Pulumi's deletes. */
  private readonly deletedAt: ReadonlyMap<string, number>;
  private readonly known = new Map<string, Span>();

  constructor(
    { steps, deleteOrder }: Pick<Preview, "steps" | "deleteOrder">,
    changes: Change[],
    private readonly took: (change: Change) => number,
  ) {
    this.deletedAt = new Map(deleteOrder.map((urn, index) => [urn, index]));
    this.steps = new Map(steps.map((step) => [step.urn, step]));
    this.changes = grouped(changes.map((change) => [change.urn, change]));
    this.named = new Map(changes.map((change) => [`${change.urn} ${change.name}`, change]));
    this.holders = new Set(changes.flatMap(({ urn, after }) => (after === undefined ? [] : [`${urn} ${after}`])));
    this.followers = grouped(
      steps.flatMap(({ urn, oldState }) => (oldState?.dependencies ?? []).map((on): [string, string] => [on, urn])),
    );
  }

  spanOf(change: Change): Span {
    const { urn, request, effect } = change;
    if (effect === "moved") return this.removal(urn);
    if (effect === "removed") {
      const deleting = this.isDeleteFirst(urn) ? this.freeing(urn) : this.removal(urn);
      const { begins } = this.isUpdate(urn) ? this.write(change) : deleting;
      return { begins, ends: Infinity };
    }
    const { begins, ends } = this.write(change);
    return { begins: request === "DELETE+POST" ? this.freeing(urn).begins : begins, ends };
  }

  /** One write of a resource. All keys of a set are written at the same time, unless one needs the port of another. */
  private write(change: Change): Span {
    const { urn, name, after } = change;
    return this.once(`write ${urn} ${name}`, () => {
      const holder = after === undefined ? undefined : this.named.get(`${urn} ${after}`);
      const begins = Math.max(
        this.start(urn),
        holder ? this.write(holder).ends : 0,
        this.isLast(change) ? this.otherWrites(urn) : 0,
      );
      return { begins, ends: begins + this.took(change) };
    });
  }

  /** True for a key that is deleted after the other writes of its set. */
  private isLast({ urn, name, effect }: Change): boolean {
    return effect === "removed" && !this.holders.has(`${urn} ${name}`);
  }

  private otherWrites(urn: string): number {
    const { ends } = this.once(`other writes ${urn}`, () => {
      const others = this.at(urn).filter((each) => !this.isLast(each));
      return { begins: 0, ends: latest(others.map((each) => this.write(each).ends)) };
    });
    return ends;
  }

  /** The time at which the writes of a resource can begin. */
  private start(urn: string): number {
    const span = this.once(`start ${urn}`, () => {
      const freed = this.isDeleteFirst(urn) ? this.freeing(urn).ends : 0;
      return { begins: latest([freed, ...this.dependencies(urn).map((each) => this.end(each))]), ends: 0 };
    });
    return span.begins;
  }

  /** The time at which the writes of a resource have ended. */
  private end(urn: string): number {
    const span = this.once(`end ${urn}`, () => {
      const writes = this.at(urn).filter(({ effect }) => effect !== "removed" || this.isUpdate(urn));
      return { begins: 0, ends: latest([this.start(urn), ...writes.map((each) => this.write(each).ends)]) };
    });
    return span.ends;
  }

  /** The delete of a resource that is replaced delete-first. */
  private freeing(urn: string): Span {
    const root = this.rootOf(urn);
    this.once(`freeing ${root}`, () => {
      const others = this.dependencies(root).filter((each) => !this.isDeleteFirst(each));
      let begins = latest(others.map((each) => this.end(each)));
      const place = (each: string) => this.deletedAt.get(each) ?? 0;
      for (const each of [...this.takenAlong(root)].reverse().sort((a, b) => place(a) - place(b))) {
        const ends = begins + this.deleting(each);
        this.known.set(`freeing ${each}`, { begins, ends });
        begins = ends;
      }
      return { begins, ends: begins + this.deleting(root) };
    });
    return this.known.get(`freeing ${urn}`) ?? { begins: 0, ends: 0 };
  }

  /** The resource whose replacement deletes this one. */
  private rootOf(urn: string, seen = new Set<string>()): string {
    seen.add(urn);
    const on = this.steps.get(urn)?.oldState?.dependencies.find((each) => this.isDeleteFirst(each) && !seen.has(each));
    return on === undefined ? urn : this.rootOf(on, seen);
  }

  private takenAlong(root: string): Set<string> {
    const all = new Set<string>();
    const add = (urn: string) => {
      for (const each of this.followers.get(urn) ?? [])
        if (this.isDeleteFirst(each) && this.rootOf(each) === root && !all.has(each)) {
          all.add(each);
          add(each);
        }
    };
    add(root);
    return all;
  }

  /** A delete after all writes. */
  private removal(urn: string): Span {
    return this.once(`removal ${urn}`, () => {
      const dependents = (this.followers.get(urn) ?? []).filter((each) => this.isRemoved(each));
      const writes = this.once("writes", () => ({
        begins: 0,
        ends: latest([...this.steps.keys()].map((each) => this.end(each))),
      }));
      const begins = latest([writes.ends, ...dependents.map((each) => this.removal(each).ends)]);
      return { begins, ends: begins + this.deleting(urn) };
    });
  }

  private isRemoved(urn: string): boolean {
    if (this.isUpdate(urn) || this.isDeleteFirst(urn)) return false;
    return this.at(urn).some(({ effect }) => effect === "moved" || effect === "removed");
  }

  private readonly at = (urn: string) => this.changes.get(urn) ?? [];
  private readonly isUpdate = (urn: string) => this.steps.get(urn)?.op === "update";
  private readonly isDeleteFirst = (urn: string) => {
    const { op, oldState } = this.steps.get(urn) ?? {};
    const isTakenAlong = op === "delete" && oldState?.pendingReplacement === true;
    return isTakenAlong || this.at(urn).some(({ request }) => request === "DELETE+POST");
  };
  private readonly dependencies = (urn: string) =>
    (this.steps.get(urn)?.newState?.dependencies ?? []).filter((each) => this.steps.has(each) && each !== urn);
  private readonly deleting = (urn: string) => latest(this.at(urn).map((each) => this.took(each)));

  /** Computes a span once. In a cycle, which Pulumi does not have, it takes no time. */
  private once(key: string, compute: () => Span): Span {
    const known = this.known.get(key);
    if (known) return known;
    this.known.set(key, { begins: 0, ends: 0 });
    const span = compute();
    this.known.set(key, span);
    return span;
  }
}

/** Returns the values by key, in order. */
export function grouped<Value>(pairs: [string, Value][]): Map<string, Value[]> {
  const groups = new Map<string, Value[]>();
  for (const [key, value] of pairs) {
    const known = groups.get(key);
    if (known) known.push(value);
    else groups.set(key, [value]);
  }
  return groups;
}

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

/** How long an operation takes, in seconds: usually, and at most. */
export interface Duration {
  typical: number;
  worst: number;
}

export type Durations = (kind: Kind) => Duration;

/** A usual time, and the deadline at which the provider gives up (contract: Resources). */
const assumed: Record<Kind, Duration> = {
  share: { typical: 60, worst: 15 * 60 },
  tunnel: { typical: 10 * 60, worst: 60 * 60 },
};

/** Returns durations from the options, else assumed ones. */
export const durationsOf =
  (given: Partial<Record<Kind, Duration>>): Durations =>
  (kind) =>
    given[kind] ?? assumed[kind];

/** Returns `20,90` or `20` as a duration, in units of so many seconds. @throws Misuse. */
export function durationIn(text: string, option: string, unit: number): Duration {
  const [typical = NaN, worst = typical, ...rest] = text.split(",").map(Number);
  if (!(typical > 0 && worst >= typical && worst < 1e6) || rest.length > 0)
    throw new Misuse(`${option} must be a number, or a usual and a longest number such as 20,90. [invalid-option]`);
  return { typical: typical * unit, worst: worst * unit };
}
