import { lagMs, startsWithinMs } from "../consistency";
import { type Clock, inTime, isOver, persist, type Until } from "../time";

/** The state of an id in this run. `moving`: an update takes the share to another tunnel. `leaving`: Pulumi deletes it in this run. */
export type IdState = "unknown" | "owned" | "moving" | "leaving";

/** An event about an id, as Pulumi's calls show it. */
export type LedgerEvent =
  /** A diff of a declared resource finds no change. */
  | "unchanged"
  /** The update of a share begins, and the share stays moving until its move has ended. */
  | "update begins"
  /** A create gets the id, an adopt or the update of a tunnel begins, or the update of a share ends, even with an error. */
  | "acquired"
  /** The diff of a tunnel answers "replace". */
  | "replaced"
  /** Pulumi replaces the tunnel of a share delete first: the diff of the share has an unknown tunnel. */
  | "tunnel unknown"
  /** The diff of a share has another known tunnel. */
  | "moved"
  /** Pulumi asks to delete the id. */
  | "deleted"
  /** The tunnel of a share is deleted. */
  | "tunnel deleted"
  /** The service refuses another share, because this share has the port. */
  | "port needed";

type LedgerAnswer =
  | "none"
  /** For diff. */
  | "replace"
  | "unchanged"
  /** For delete: send the DELETE, or skip it and say so. */
  | "delete"
  | "skip"
  /** For the delete of its tunnel, or a share that needs its port: refuse, or wait until the move or the delete has ended. */
  | "refuse"
  | "wait";

interface Transition {
  next: IdState;
  answer: LedgerAnswer;
}

const to = (next: IdState, answer: LedgerAnswer = "none"): Transition => ({ next, answer });

/** The rules of the ledger: one row per event, one column per state. docs/how-it-works.md shows the same table. */
export const ledgerTable: Record<LedgerEvent, Record<IdState, Transition>> = {
  unchanged: { unknown: to("owned"), owned: to("owned"), moving: to("moving"), leaving: to("leaving") },
  "update begins": { unknown: to("owned"), owned: to("owned"), moving: to("moving"), leaving: to("leaving") },
  acquired: { unknown: to("owned"), owned: to("owned"), moving: to("owned"), leaving: to("owned") },
  replaced: { unknown: to("leaving"), owned: to("leaving"), moving: to("leaving"), leaving: to("leaving") },
  "tunnel unknown": {
    unknown: to("leaving", "replace"),
    owned: to("owned", "unchanged"),
    moving: to("moving", "unchanged"),
    leaving: to("leaving", "replace"),
  },
  moved: { unknown: to("moving"), owned: to("owned"), moving: to("moving"), leaving: to("leaving") },
  deleted: {
    unknown: to("leaving", "delete"),
    owned: to("owned", "skip"),
    moving: to("leaving", "delete"),
    leaving: to("leaving", "delete"),
  },
  "tunnel deleted": {
    unknown: to("unknown", "refuse"),
    owned: to("owned", "refuse"),
    moving: to("moving", "wait"),
    leaving: to("leaving", "wait"),
  },
  "port needed": {
    unknown: to("unknown", "refuse"),
    owned: to("owned", "refuse"),
    moving: to("moving", "wait"),
    leaving: to("leaving", "wait"),
  },
};

/** The name and the port of a resource, for which another resource may wait. A delete frees both, and a move frees the port. */
interface Taken {
  name?: string;
  /** The name that the program gives, if an adopted resource has another one in the service. */
  checkedName?: string;
  tunnelId?: string;
  ingressPort?: number;
}

/** The order of Pulumi's steps when it replaces a tunnel. */
type ReplaceOrder = "create first" | "delete first";

interface Entry {
  state: IdState;
  taken: Taken;
  /** Set for a tunnel that this run replaces. */
  order?: ReplaceOrder | undefined;
  /** Set once the id is moving or leaving. */
  ending?: Ending | undefined;
}

/** What this run can bring about: a tunnel is DEPLOYED, a location or a port is free, a resource is gone. */
type Done = "deployed" | "port freed" | "location freed" | "gone";

/** Records what this run has brought about, because the service need not show it yet. */
class News {
  private readonly times = new Map<string, number>();

  constructor(private readonly clock: Clock) {}

  /** Records what this run has brought about just now. */
  note(done: Done, what: string): void {
    this.times.set(`${done} ${what}`, this.clock.now());
  }

  /** Returns the milliseconds since this run brought it about; undefined if it has not. */
  sinceMs(done: Done, what: string): number | undefined {
    const atMs = this.times.get(`${done} ${what}`);
    return atMs === undefined ? undefined : this.clock.now() - atMs;
  }

  /** True if this run brought it about in the last 30 s: the service need not show it yet. */
  isRecent(done: Done, what: string): boolean {
    return (this.sinceMs(done, what) ?? Infinity) < lagMs;
  }
}

/** Records what this run knows about each id of one kind on one front door. The rules are in `ledgerTable`. */
export class Ledger {
  private readonly entries = new Map<string, Entry>();
  readonly news: News;

  constructor(private readonly clock: Clock) {
    this.news = new News(clock);
  }

  /** Applies the table to an event about an id, and returns the answer. */
  record(event: LedgerEvent, id: string, taken?: Taken, order?: ReplaceOrder): LedgerAnswer {
    const before = this.entries.get(id);
    const { next, answer } = ledgerTable[event][this.stateOf(id)];
    if (next === "unknown") return answer;
    if (next === "owned") before?.ending?.end();
    // If a move becomes a delete, those who wait for the end of the move wait for the end of the delete.
    const ending = before?.ending ?? (isPending(next) ? new Ending() : undefined);
    this.entries.set(id, { state: next, taken: { ...before?.taken, ...taken }, order: order ?? before?.order, ending });
    return answer;
  }

  stateOf(id: string): IdState {
    return this.entries.get(id)?.state ?? "unknown";
  }

  /** True if this run moves or deletes the id. */
  isPending(id: string): boolean {
    return isPending(this.stateOf(id));
  }

  /** True if this run replaces any tunnel. Always false for shares: only the diff of a tunnel records an order. */
  get isReplacing(): boolean {
    return [...this.entries.values()].some(({ state, order }) => state === "leaving" && order !== undefined);
  }

  /** Returns the order in which this run replaces a tunnel, or undefined if it does not replace the tunnel. */
  orderOf(id: string): ReplaceOrder | undefined {
    const entry = this.entries.get(id);
    return entry?.state === "leaving" ? entry.order : undefined;
  }

  /** Does the move or the delete of this id. Then the waits for its end are over. */
  async untilEnded<Result>(
    id: string,
    work: () => Promise<Result>,
    errorOf: (result: Result) => Error | undefined = () => undefined,
  ): Promise<Result> {
    const ending = this.entries.get(id)?.ending;
    ending?.begin();
    try {
      const result = await work();
      ending?.end(errorOf(result));
      return result;
    } catch (error) {
      ending?.end(error as Error);
      failQueuedDeletes(this.entries.get(id), this.entries.values(), error as Error);
      throw error;
    }
  }

  /** Waits for the move or the delete of this id. Returns undefined once it has succeeded, else the reason. */
  async awaitEnd(id: string, until: Until): Promise<Error | undefined> {
    const { ending, taken } = this.entries.get(id) ?? {};
    const isOtherStepRunning = () =>
      [...this.entries.values()].some(
        (each) => each.taken.tunnelId === taken?.tunnelId && each.ending?.isUnderWay === true,
      );
    return ending?.within(this.clock, until, isOtherStepRunning);
  }

  /** Returns the ids that will free this name, or this port of this tunnel. */
  pendingAt({ name, tunnelId, ingressPort }: Taken & { name: string }): string[] {
    const hasPort = (taken: Taken) =>
      ingressPort !== undefined && taken.tunnelId === tunnelId && taken.ingressPort === ingressPort;
    const willFree = ({ state, taken }: Entry) =>
      isPending(state) && (hasPort(taken) || (state === "leaving" && [taken.name, taken.checkedName].includes(name)));
    return [...this.entries].flatMap(([id, entry]) => (willFree(entry) ? [id] : []));
  }
}

/** True if the id will free its port. */
const isPending = (state: IdState): boolean => state === "moving" || state === "leaving";

/** Ends the waits for the shares of the tunnel whose delete has not begun: after a failed delete, Pulumi need not start another one. */
function failQueuedDeletes(failed: Entry | undefined, entries: Iterable<Entry>, error: Error): void {
  if (failed?.state !== "leaving") return;
  for (const { state, taken, ending } of entries)
    if (state === "leaving" && taken.tunnelId === failed.taken.tunnelId && ending?.isUnderWay !== true)
      ending?.end(error);
}

/** The end of a move or a delete, which others wait for. */
class Ending {
  isUnderWay = false;
  private hasBegun = false;
  private resolve: (end: { error?: Error | undefined }) => void = () => undefined;
  private readonly ended = new Promise<{ error?: Error | undefined }>((resolve) => (this.resolve = resolve));

  begin(): void {
    this.hasBegun = this.isUnderWay = true;
  }

  /** Ends the wait. Only the first call counts. */
  end(error?: Error): void {
    this.isUnderWay = false;
    this.resolve({ error });
  }

  /** Returns undefined once the step has succeeded, else the reason. Until the step begins, it may wait for another step of the tunnel. */
  async within(clock: Clock, until: Until, isOtherStepRunning: () => boolean): Promise<Error | undefined> {
    const ended = await persist(
      clock,
      until,
      () => (this.hasBegun || isOtherStepRunning() ? 0 : undefined),
      () => {
        const checkMs = this.hasBegun ? until.deadlineMs : Math.min(clock.now() + startsWithinMs, until.deadlineMs);
        return inTime(clock, { ...until, deadlineMs: checkMs }, this.ended);
      },
    );
    if (ended) return ended.error;
    return new Error(
      isOver(clock, until) ? "its change or delete did not end in time" : "Pulumi has not started its change or delete",
    );
  }
}

/** A resource of the program. */
interface Declared {
  /** The organization and the URN: no other resource has this origin. */
  origin: string;
  /** The state holds the resource. */
  isInState: boolean;
  /** The program puts the share on a tunnel that does not exist yet. */
  hasUnknownTunnel: boolean;
  /** The program gives the option `retainOnDelete`. */
  isRetained: boolean;
  /** The tunnel names no location, so the service chooses one. */
  isAnywhere: boolean;
}

/**
 * Records the resources of one kind on one front door that the program declares, as soon as check sees them. In a refresh or a destroy,
 * diff is also called for resources that check has not seen.
 */
export class Declarations {
  private readonly byName = new Map<string, Declared>();
  private readonly claims = new Map<string, string>();
  private readonly idsInState = new Map<string, string>();

  /** Records the resource of this name. Returns the origin of another resource that already has the name. */
  declare(name: string, declared: Declared): string | undefined {
    const first = this.byName.get(name) ?? declared;
    if (first.origin !== declared.origin) return first.origin;
    this.byName.set(name, { ...declared, isInState: declared.isInState || first.isInState });
    return undefined;
  }

  /** Returns the resource of this name, or undefined if check has not seen one. */
  named(name: unknown): Declared | undefined {
    return typeof name === "string" ? this.byName.get(name) : undefined;
  }

  /** Returns another tunnel of which the service chooses the location, if this one or that one is new. */
  otherAnywhere({ origin, isInState }: Declared): Declared | undefined {
    return [...this.byName.values()].find(
      (other) => other.isAnywhere && other.origin !== origin && !(other.isInState && isInState),
    );
  }

  /** Returns the origin of one of the resources, to tell the stack: all resources of a run are in the same stack. */
  anyOrigin(): string | undefined {
    return this.byName.values().next().value?.origin;
  }

  /**
   * Records that a resource has something that only one resource can have: an id, a port or a location. Returns the origin of another
   * resource that already has it.
   */
  claim(what: string, origin: string): string | undefined {
    const first = this.claims.get(what) ?? origin;
    this.claims.set(what, first);
    return first === origin ? undefined : first;
  }

  /** Records that the state has the id, under this resource. */
  addInState(id: string, origin: string): void {
    if (!this.idsInState.has(id)) this.idsInState.set(id, origin);
  }

  hasIdInState(id: string): boolean {
    return this.idsInState.has(id);
  }

  /** Returns the ids that the state has for this resource: more than one during a replacement. */
  idsOf(origin: string): string[] {
    return [...this.idsInState].flatMap(([id, each]) => (each === origin ? [id] : []));
  }
}

/** True if the program or its state has the resource. `wantedBy` is the name of another resource that needs its place. */
export const isOfProgram = (
  { ledger, declarations }: { ledger: Ledger; declarations: Declarations },
  { id, name }: { id: string; name: string },
  wantedBy?: string,
): boolean =>
  ledger.stateOf(id) !== "unknown" ||
  declarations.hasIdInState(id) ||
  (name !== wantedBy && declarations.named(name) !== undefined);
