import { consistencyMs } from "../inventory/acceptors";
import type { Clock, Until } from "../time/clock";
import { Ending } from "./ending";
import type { RunStore } from "./run-files";
import { type IdState, type LedgerAnswer, type LedgerEvent, ledgerTable } from "./table";

/** The name and the port of a resource, for which another resource may wait. A delete frees both, and a move frees the port. */
export interface Place {
  name?: string;
  tunnelId?: string;
  ingressPort?: number;
}

/** The order of Pulumi's steps when it replaces a tunnel. */
export type ReplaceOrder = "create first" | "delete first";

interface Entry {
  state: IdState;
  place: Place;
  /** Set for a tunnel that this run replaces. */
  order?: ReplaceOrder | undefined;
  /** Set once the id is moving or leaving. */
  ending?: Ending | undefined;
}

/** What this run can bring about: a tunnel is DEPLOYED, a location or a port is free, a resource is gone. */
export type Done = "deployed" | "freed" | "gone";

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
    return (this.sinceMs(done, what) ?? Infinity) < consistencyMs;
  }
}

/** Records what this run knows about each id of one kind on one front door. The rules are the table in table.ts. */
export class Ledger {
  private readonly entries = new Map<string, Entry>();
  readonly news: News;

  /** `keyOf` returns a key for an id that no other kind, front door or service has. */
  constructor(
    private readonly clock: Clock,
    private readonly run: RunStore,
    private readonly keyOf: (id: string) => string,
  ) {
    this.news = new News(clock);
  }

  /** Applies the table to an event about an id, and returns the answer. */
  record(event: LedgerEvent, id: string, place?: Place, order?: ReplaceOrder): LedgerAnswer {
    const before = this.entries.get(id);
    const { next, answer } = ledgerTable[event][this.stateOf(id)];
    if (next === "unknown") return answer;
    if (next === "owned") {
      if (before?.state !== "owned") this.run.claim(this.keyOf(id), "owned");
      before?.ending?.end();
    }
    // If a move becomes a delete, those who wait for the end of the move wait for the end of the delete.
    if (isPending(next) && before?.state !== next) this.run.claim(this.keyOf(id), "pending");
    const ending = before?.ending ?? (isPending(next) ? new Ending() : undefined);
    this.entries.set(id, { state: next, place: { ...before?.place, ...place }, order: order ?? before?.order, ending });
    return answer;
  }

  /** Returns the state of an id. An id that another provider process of this run owns is owned. */
  stateOf(id: string): IdState {
    const known = this.entries.get(id)?.state;
    return known ?? (this.run.claimOfAnother(this.keyOf(id)) === "owned" ? "owned" : "unknown");
  }

  /** True if this run moves or deletes the id, in whichever of its provider processes. */
  isPendingInRun(id: string): boolean {
    const known = this.entries.get(id)?.state;
    return known === undefined ? this.run.claimOfAnother(this.keyOf(id)) === "pending" : isPending(known);
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
  async during<Result>(
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
    const { ending, place } = this.entries.get(id) ?? {};
    const isOtherStepRunning = () =>
      [...this.entries.values()].some(
        (each) => each.place.tunnelId === place?.tunnelId && each.ending?.isUnderWay === true,
      );
    return ending?.within(this.clock, until, isOtherStepRunning);
  }

  /** Returns the ids that will free this name, or this port of this tunnel. */
  pendingAt({ name, tunnelId, ingressPort }: Place): string[] {
    const hasPort = (place: Place) =>
      ingressPort !== undefined && place.tunnelId === tunnelId && place.ingressPort === ingressPort;
    const willFree = ({ state, place }: Entry) =>
      isPending(state) && (hasPort(place) || (state === "leaving" && place.name === name));
    return [...this.entries].flatMap(([id, entry]) => (willFree(entry) ? [id] : []));
  }
}

/** True if the id will free its port. */
const isPending = (state: IdState): boolean => state === "moving" || state === "leaving";

/** Ends the waits for the other shares of the tunnel. Pulumi deletes them one after the other, so it starts no delete after a failed one. */
function failQueuedDeletes(failed: Entry | undefined, entries: Iterable<Entry>, error: Error): void {
  if (failed?.state !== "leaving") return;
  for (const { state, place, ending } of entries)
    if (state === "leaving" && place.tunnelId === failed.place.tunnelId) ending?.end(error);
}
