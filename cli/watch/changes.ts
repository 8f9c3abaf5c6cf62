export interface Seen {
  kind: "tunnel" | "share";
  id: string;
  name: string;
  status: string;
  /** When it was first seen so; milliseconds that only grow. */
  sinceMs: number;
}

export interface Change {
  at: string;
  kind: Seen["kind"];
  id: string;
  name: string;
  /** Undefined for what is new. */
  from: string | undefined;
  to: string;
  /** How long it was seen as it was before. */
  afterSeconds: number;
}

/** Stands for the status of what lists show no more. */
const gone = "gone";

/** What has changed from one look to the next; what has not keeps the moment from which it is so. */
export function changesBetween(before: Seen[], after: Seen[]): { changes: Change[]; now: Seen[] } {
  const known = new Map(before.map((each) => [keyOf(each), each]));
  const lookedMs = after[0]?.sinceMs ?? performance.now();
  const at = new Date().toISOString();
  const changes: Change[] = [];
  const tell = (each: Seen, old: Seen | undefined) => {
    const { kind, id, name, status } = each;
    const afterSeconds = old ? Math.round((lookedMs - old.sinceMs) / 1000) : 0;
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

const keyOf = ({ kind, id }: Seen): string => `${kind} ${id}`;
