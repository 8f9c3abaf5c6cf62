import { type Entry, failures, skip, stoppedText, unmetText } from "./operation";

// The workflow imports this file, so it has no imports of Node's.

/** Temporal takes at most 2,000 pending activities of a workflow, and advises 500. */
const mostAtOnce = 200;

/** Hands out the stacks of one wave: dependencies first, within the limit of each front door, until the wave is stopped. Each call takes constant time, unless it skips stacks. */
export class WaveQueue {
  running = 0;
  private failed: number;
  private readonly wave: { name: string; stopAfter: number };
  private readonly entries: Entry[];
  private readonly byName: Map<string, Entry>;
  private readonly dependents = new Map<string, Entry[]>();
  /** The number of stacks that each waiting stack still needs. */
  private readonly unmet = new Map<string, number>();
  /** The free slots of each front door. */
  private readonly freeSlots = new Map<string, number>();
  /** The stacks that wait for a slot of their front door. */
  private readonly queues = new Map<string, Entry[]>();
  /** The stacks that have a slot of their front door. */
  private readonly ready: Entry[] = [];

  /** Stacks that other waves have can't be needed here: the run skips what needs a failed one. */
  constructor(entries: Entry[], wave: { name: string; stopAfter: number }, perFrontDoor: number) {
    this.entries = entries;
    this.wave = wave;
    this.failed = failures(entries);
    this.byName = new Map(entries.map((each) => [each.name, each]));
    for (const { frontDoor } of entries) this.freeSlots.set(frontDoor, perFrontDoor);
    for (const entry of entries) {
      const needs = entry.needs.flatMap((name) => this.byName.get(name) ?? []);
      for (const { name } of needs) listIn(this.dependents, name).push(entry);
      this.unmet.set(entry.name, needs.filter(({ state }) => state !== "done").length);
    }
    for (const entry of entries) if (isUnsuccessful(entry)) this.skipDependents(entry);
    this.stop();
    for (const entry of entries) if (entry.state === "waiting" && this.unmet.get(entry.name) === 0) this.admit(entry);
  }

  /** Returns a stack that may begin now, and counts it as running; undefined if none may. */
  next(): Entry | undefined {
    if (this.running >= mostAtOnce || this.failed >= this.wave.stopAfter) return undefined;
    const entry = this.ready.shift();
    if (!entry) return undefined;
    entry.state = "running";
    this.running += 1;
    return entry;
  }

  /** Notes how a stack ended. */
  end(entry: Entry, ending: Partial<Entry>): void {
    Object.assign(entry, ending);
    this.running -= 1;
    this.freeSlots.set(entry.frontDoor, (this.freeSlots.get(entry.frontDoor) ?? 0) + 1);
    const following = this.queues.get(entry.frontDoor)?.shift();
    if (following) this.admit(following);
    if (entry.state === "failed") this.failed += 1;
    if (isUnsuccessful(entry)) this.skipDependents(entry);
    if (entry.state === "failed") this.stop();
    if (entry.state !== "done") return;
    for (const { name } of this.dependents.get(entry.name) ?? []) {
      const unmet = (this.unmet.get(name) ?? 0) - 1;
      this.unmet.set(name, unmet);
      const dependent = this.byName.get(name);
      if (unmet === 0 && dependent?.state === "waiting") this.admit(dependent);
    }
  }

  private admit(entry: Entry): void {
    const { frontDoor } = entry;
    const free = this.freeSlots.get(frontDoor) ?? 0;
    if (free > 0) {
      this.freeSlots.set(frontDoor, free - 1);
      this.ready.push(entry);
      return;
    }
    listIn(this.queues, frontDoor).push(entry);
  }

  private skipDependents(failed: Entry): void {
    const all = [failed];
    for (const { name } of all)
      for (const dependent of this.dependents.get(name) ?? [])
        if (dependent.state === "waiting") {
          skip(dependent, unmetText(name));
          all.push(dependent);
        }
  }

  private stop(): void {
    if (this.failed < this.wave.stopAfter) return;
    for (const entry of this.entries)
      if (entry.state === "waiting") skip(entry, stoppedText(this.wave.name, this.failed));
  }
}

/** Returns the list of a key, which it makes if there is none. */
function listIn(lists: Map<string, Entry[]>, key: string): Entry[] {
  const list = lists.get(key) ?? [];
  lists.set(key, list);
  return list;
}

const isUnsuccessful = ({ state }: Entry) => state === "failed" || state === "skipped" || state === "cancelled";
