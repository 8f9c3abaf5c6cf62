import type { Clock } from "../../provider/time";

export interface ResourceStatus {
  kind: "tunnel" | "share";
  id: string;
  name: string;
  status: string;
  /** The time when a poll first showed this status, in milliseconds of a clock that only grows. */
  sinceMs: number;
}

export interface Change {
  at: string;
  kind: ResourceStatus["kind"];
  id: string;
  name: string;
  /** Undefined for a new resource. */
  from: string | undefined;
  to: string;
  /** The time for which the polls showed the previous status. */
  afterSeconds: number;
}

/** Stands for the status of a resource that the lists no longer show. */
export const gone = "gone";

/** Returns the changes from one poll to the next. An unchanged resource keeps its `sinceMs`. */
export function changesBetween(
  clock: Clock,
  before: ResourceStatus[],
  after: ResourceStatus[],
): { changes: Change[]; now: ResourceStatus[] } {
  const known = new Map(before.map((each) => [keyOf(each), each]));
  const polledMs = after[0]?.sinceMs ?? clock.now();
  const at = new Date(clock.wall()).toISOString();
  const changes: Change[] = [];
  const tell = (each: ResourceStatus, old: ResourceStatus | undefined) => {
    const { kind, id, name, status } = each;
    const afterSeconds = old ? Math.round((polledMs - old.sinceMs) / 1000) : 0;
    changes.push({ at, kind, id, name, from: old?.status, to: status, afterSeconds });
  };
  const now = after.map((each) => {
    const old = known.get(keyOf(each));
    known.delete(keyOf(each));
    if (old?.status === each.status) return old;
    tell(each, old);
    return each;
  });
  for (const old of known.values()) tell({ ...old, status: gone }, old);
  return { changes, now };
}

/** Returns a key such as `tunnel tnl-1`. */
export const keyOf = ({ kind, id }: Pick<ResourceStatus, "kind" | "id">): string => `${kind} ${id}`;

/** The time since which a connection is UP or DOWN. */
export interface Since {
  status: "UP" | "DOWN";
  /** Wall-clock milliseconds. */
  sinceMs: number;
  /** True if a read just before showed another status. Else the connection has its status for at least so long. */
  isExact: boolean;
}
