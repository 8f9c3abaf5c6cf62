import { VirtualClock } from "../../tests/provider/virtual-clock";
import { FrontDoor, type Outage, type Service } from "./front-door";
import { type Shape, Site } from "./site";
import { Slots } from "./slots";

export interface Plan extends Shape, Service {
  sites: number;
  frontDoors: number;
  /** Stacks that run at once, in all and on each front door. */
  stacksAtOnce: number;
  stacksPerFrontDoor: number;
  /** Of the front door of this number. */
  outages: (frontDoor: number) => Outage[];
  seed: number;
}

export interface Outcome {
  /** When each site was complete, in order. */
  doneMs: number[];
  /** Requests that arrived at the service, by second. */
  perSecond: number[];
  /** The most that arrived at one front door in one second. */
  mostPerSecond: number;
  requests: number;
  /** Answered with 429. */
  refused: number;
  /** Writes that were done while their answers were lost. */
  lostWrites: number;
  /** Runs that failed and were repeated. */
  repeated: number;
  /** What the service holds beside what was declared. */
  duplicates: number;
}

/** A failed run is repeated after this, twice as long each time. */
const firstPauseMs = 30_000;
const longestPauseMs = 240_000;

/** No more than that: a run that fails as often fails for good. */
const mostRuns = 20;

/** Brings every site up, each as a stack of its own. */
export async function simulate(plan: Plan): Promise<Outcome> {
  const clock = new VirtualClock(() => undefined, plan.seed);
  const doors: FrontDoor[] = [];
  for (let n = 0; n < plan.frontDoors; n++) doors.push(await FrontDoor.open(`fd-${n}`, plan, plan.outages(n), clock));
  const slots = new Slots<FrontDoor>(plan.stacksAtOnce, plan.stacksPerFrontDoor);
  const doneMs: number[] = [];
  let repeated = 0;

  const bringUp = async (site: Site) => {
    for (let runs = 1; ; runs++) {
      const failure = await slots.take(site.frontDoor, () => failureOf(site.up()));
      if (!failure) break;
      if (runs >= mostRuns) throw failure;
      repeated += 1;
      await clock.sleep(Math.min(firstPauseMs * 2 ** (runs - 1), longestPauseMs));
    }
    if (!site.isComplete()) throw new Error(`site ${site.number}: the run succeeded, and not all is there`);
    doneMs.push(clock.now());
  };

  try {
    // At each front door in turn.
    const sites = Array.from({ length: plan.sites }, (_, number) => number).flatMap((number) => {
      const door = doors[number % doors.length];
      return door ? [new Site(number, door, plan, clock)] : [];
    });
    await Promise.all(sites.map(bringUp));
    return { doneMs, repeated, ...counted(doors), duplicates: madeAt(doors) - plan.sites * (1 + plan.shares) };
  } finally {
    await Promise.all(doors.map(({ emulator }) => emulator.close()));
  }
}

const failureOf = (work: Promise<unknown>): Promise<Error | undefined> =>
  work.then(
    () => undefined,
    (error: unknown) => error as Error,
  );

function counted(doors: FrontDoor[]) {
  const seconds = Math.max(...doors.map(({ perSecond }) => perSecond.length));
  const each = doors.map((door) => Array.from({ length: seconds }, (_, second) => door.perSecond[second] ?? 0));
  const perSecond = Array.from({ length: seconds }, (_, second) =>
    each.reduce((sum, counts) => sum + (counts[second] ?? 0), 0),
  );
  return {
    perSecond,
    mostPerSecond: Math.max(...each.map((counts) => Math.max(...counts))),
    requests: perSecond.reduce((sum, count) => sum + count, 0),
    refused: doors.reduce((sum, { refused }) => sum + refused, 0),
    lostWrites: doors.reduce((sum, { lostWrites }) => sum + lostWrites, 0),
  };
}

const madeAt = (doors: FrontDoor[]) =>
  doors.reduce((sum, { emulator }) => sum + emulator.tunnels().length + emulator.shares().length, 0);
