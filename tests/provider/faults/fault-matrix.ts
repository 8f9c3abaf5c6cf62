import type { Faults as FaultQueue } from "../../../emulator";
import { openWorld, type World } from "../world";
import type { BareFault } from "./fault-list";
import type { End, Scenario } from "./fault-scenarios";

/** A kind of request, and an operation that sends it. */
export interface Kind {
  where: { method: string; path: RegExp };
  scenario: () => Scenario;
  isTokenFetched?: true;
}

/** Nothing but the provider itself keeps a second share from being made. */
const settings = { deletedRetentionMs: 1e9, duplicateIngressPort: "allowed" } as const;

const longBodies = ["an endless body", "a gzip bomb"];

/** How often a fault comes until the end of the operation that meets it; reading long bodies takes too long. */
const untilItHeals = (fault: string) => (longBodies.includes(fault) ? 8 : Infinity);

const fetched = ({ tokenUrl }: { tokenUrl: string }) => ({
  "frontdoor:token": "",
  "frontdoor:tokenUrl": tokenUrl,
  "frontdoor:clientId": "emulator-client",
  "frontdoor:clientSecret": "emulator-client-secret",
});

/** Counts the work that writes set off. */
function countWrites(faults: FaultQueue): () => number {
  let count = 0;
  const match = () => {
    count += 1;
    return false;
  };
  faults.onWork({ match, times: 1, action: "stuck" });
  return () => count;
}

/** What a user is told: one line, with the id where something exists, and with what to do next. */
function expectTold({ id, error, isUnfinished }: End) {
  if (!error) return;
  expect(error.message).not.toMatch(/\p{C}|client-secret/u);
  expect(error.stack).toBe("");
  if (isUnfinished) {
    expect(error.message).toContain(id);
    expect(error.message).toMatch(/Run `pulumi up` again.*\[[a-z-]+\]$/);
  }
}

async function meet(kind: Kind, fault: BareFault, times: number, world: World) {
  const scenario = kind.scenario();
  const { emulator } = world;
  await scenario.before(world);
  world.nextRun();
  const written = countWrites(emulator.faults);
  emulator.faults.add({ ...fault, ...kind.where, times });
  emulator.requests.length = 0;

  const end = await scenario.meet(world);

  const { method, path } = kind.where;
  expect(emulator.requests.filter((sent) => sent.method === method && path.test(sent.path))).not.toHaveLength(0);
  expectTold(end);
  const writtenThen = written();
  expect(writtenThen).toBeLessThanOrEqual(scenario.writes);
  emulator.faults.clear();
  emulator.clock.advance(60_000);
  world.nextRun();
  await scenario.again(world, end);
  expect(emulator.tunnels()).toHaveLength(scenario.objects.tunnels);
  expect(emulator.shares()).toHaveLength(scenario.objects.shares);
  return { end, writtenThen };
}

type Faults = Record<string, BareFault>;

/** These faults at each of these kinds of requests. Slow ones take real time. */
export function faultsAt(kinds: Record<string, Kind>, faults: { once: Faults; untilItHeals: Faults; slow: Faults }) {
  const named = (of: Faults, how: string, timesOf: (name: string) => number, settings: Record<string, string> = {}) =>
    Object.entries(of).map(([name, fault]) => ({ name: `${name}, ${how}`, fault, times: timesOf(name), settings }));
  const all = [
    ...named(faults.once, "once", () => 1),
    ...named(faults.untilItHeals, "until it heals", untilItHeals),
    ...named(faults.slow, "once", () => 1, { "frontdoor:requestTimeout": "1" }),
  ];
  describe.each(Object.entries(kinds))("%s", (_name, kind) => {
    it.each(all)("$name", async ({ fault, times, settings: more }) => {
      const world = await openWorld(settings, undefined, (emulator) => ({
        ...more,
        ...(kind.isTokenFetched && fetched(emulator)),
      }));
      try {
        const { end, writtenThen } = await meet(kind, fault, times, world);
        // An error without an id is a clean one: nothing was made.
        const isClean = end.error !== undefined && end.id === undefined && !("frontdoor:requestTimeout" in more);
        if (isClean) expect(writtenThen).toBe(0);
      } finally {
        await world.close();
      }
    });
  });
}
