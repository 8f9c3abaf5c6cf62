import * as z from "zod";
import { hashOf } from "../../provider/run/creation-records";
import type { OwnFolder } from "../../provider/run/files";
import type { Clock } from "../../provider/time";

export interface Seen {
  kind: "tunnel" | "share";
  id: string;
  name: string;
  status: string;
  /** The time when a poll first showed this status, in milliseconds of a clock that only grows. */
  sinceMs: number;
}

export interface Change {
  at: string;
  kind: Seen["kind"];
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
export function changesBetween(clock: Clock, before: Seen[], after: Seen[]): { changes: Change[]; now: Seen[] } {
  const known = new Map(before.map((each) => [keyOf(each), each]));
  const polledMs = after[0]?.sinceMs ?? clock.now();
  const at = new Date(clock.wall()).toISOString();
  const changes: Change[] = [];
  const tell = (each: Seen, old: Seen | undefined) => {
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
export const keyOf = ({ kind, id }: Pick<Seen, "kind" | "id">): string => `${kind} ${id}`;

const since = z.object({
  status: z.enum(["UP", "DOWN"]),
  /** Wall-clock milliseconds. */
  sinceMs: z.number(),
  /** True if a read just before showed another status. Else the connection has its status for at least so long. */
  isExact: z.boolean(),
});
/** The time since which a connection is UP or DOWN. */
export type Since = z.output<typeof since>;

const kept = z.object({ atMs: z.number(), connections: z.record(z.string(), since) });
/** A connection can change twice unseen while nobody reads it for longer. */
export const freshMs = 5 * 60_000;

/** Returns the time since which a connection has this status, from the last own read and from what `pulumi-frontdoor watch` kept. */
export function sinceOf(
  status: Since["status"],
  own: Since | undefined,
  kept: Since | undefined,
  nowMs: number,
): Since {
  if (own && own.status !== status) return { status, sinceMs: nowMs, isExact: true };
  const isBetter = kept?.status === status && !own?.isExact && kept.sinceMs <= (own?.sinceMs ?? nowMs);
  return (isBetter ? kept : own) ?? { status, sinceMs: nowMs, isExact: false };
}

/** The file by which `pulumi-frontdoor watch` tells its next run and the dashboard of a front door since when connections are UP or DOWN. */
export class SinceFile {
  private readonly file: string;

  constructor(
    private readonly folder: Pick<OwnFolder, "read" | "write">,
    baseUrl: string,
    frontdoorId: string,
  ) {
    this.file = `${hashOf([baseUrl, frontdoorId])}.since.json`;
  }

  /** Returns the times by tunnel id; none if the file is missing, old or unreadable. */
  read(nowMs: number): Map<string, Since> {
    try {
      const { atMs, connections } = kept.parse(JSON.parse(this.folder.read(this.file) ?? ""));
      return new Map(Math.abs(nowMs - atMs) < freshMs ? Object.entries(connections) : []);
    } catch {
      return new Map();
    }
  }

  /** @throws UnsafePath, or the error of the file system. */
  write(connections: ReadonlyMap<string, Since>, atMs: number): void {
    this.folder.write(this.file, JSON.stringify({ atMs, connections: Object.fromEntries(connections) }));
  }
}
