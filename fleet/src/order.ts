import type { Fleet } from "./fleet.ts";
import type { Entry, RunInput } from "./operation.ts";

/** Returns the entries of a run, wave by wave. A destroy has the reverse order: the last wave first, and dependents first. */
export function entriesOf({ fleet, operation, stacks }: RunInput): Entry[] {
  const isBackwards = operation === "destroy";
  const chosen = fleet.stacks.filter(({ name }) => stacks.includes(name));
  const needsOf = (name: string): string[] => {
    const dependents = chosen.filter((each) => each.dependsOn.includes(name)).map((each) => each.name);
    const needed = chosen.find((each) => each.name === name)?.dependsOn.filter((each) => stacks.includes(each)) ?? [];
    return isBackwards ? dependents : needed;
  };
  return wavesOf(fleet, isBackwards).flatMap(({ name: wave }) =>
    chosen
      .filter((each) => each.wave === wave)
      .map(({ name, frontDoor }) => ({ name, frontDoor, wave, needs: needsOf(name), state: "waiting", attempts: 0 })),
  );
}

export const wavesOf = ({ waves }: Fleet, isBackwards: boolean): Fleet["waves"] =>
  isBackwards ? waves.toReversed() : waves;

const isOver = ({ state }: Entry) => state !== "waiting" && state !== "running";

/** Marks the stacks that can no longer begin as skipped: those of a stopped wave, and those that need a failed stack. */
export function skipHopeless(entries: Entry[], waves: Fleet["waves"]): void {
  const failures = (wave: string) => entries.filter((each) => each.wave === wave && each.state === "failed").length;
  const stopped = waves.findIndex(({ name, stopAfter }) => failures(name) >= stopAfter);
  const skip = (entry: Entry, reason: string) => Object.assign(entry, { state: "skipped", reason });
  for (const entry of entries) {
    if (entry.state !== "waiting" || stopped === -1) continue;
    const wave = waves[stopped]?.name ?? "";
    if (waves.findIndex(({ name }) => name === entry.wave) >= stopped)
      skip(entry, `wave ${wave} was stopped: ${failures(wave)} failed`);
  }
  // Until nothing changes, because a stack that needs a skipped one is also skipped.
  for (let isChanged = true; isChanged;) {
    isChanged = false;
    for (const entry of entries.filter(({ state }) => state === "waiting")) {
      const missing = entry.needs.find((name) =>
        entries.some((each) => each.name === name && isOver(each) && each.state !== "done"),
      );
      if (missing !== undefined) {
        skip(entry, `needs ${missing}, which did not succeed`);
        isChanged = true;
      }
    }
  }
}

/** Returns the stacks of a wave that may begin now, within the limit of each front door. */
export function due(entries: Entry[], wave: string, perFrontDoor: number): Entry[] {
  const busy = new Map<string, number>();
  const isDone = (name: string) => entries.some((each) => each.name === name && each.state === "done");
  for (const { state, frontDoor } of entries)
    if (state === "running") busy.set(frontDoor, (busy.get(frontDoor) ?? 0) + 1);
  return entries.filter((entry) => {
    if (entry.wave !== wave || entry.state !== "waiting" || !entry.needs.every(isDone)) return false;
    const underWay = busy.get(entry.frontDoor) ?? 0;
    if (underWay >= perFrontDoor) return false;
    busy.set(entry.frontDoor, underWay + 1);
    return true;
  });
}
