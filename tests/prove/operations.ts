import type { Adapter, Answer, Subject } from "../model/adapter";
import type { Clock } from "../../provider/time";

/** A create, update or delete, as the engine called it, or a check or diff that failed. */
export interface Operation {
  does: "check" | "diff" | "create" | "update" | "delete";
  urn: string;
  kind: string;
  id: string | undefined;
  /** Seconds of its deadline. */
  limit: number;
  /** Milliseconds of the run. Without an end, the operation was killed. */
  beganMs: number;
  endedMs?: number;
  error?: string;
  /** How many requests the run had sent when the operation ended. */
  sent?: number;
}

/** Seconds (contract: Resources). */
const deadlines = { tunnels: 3_600, shares: 900, sets: 900, connections: 900 };

/** The adapter, whose operations are written down. */
export function watched(
  adapter: Adapter,
  seen: { operations: Operation[]; requests: readonly unknown[] },
  clock: Clock,
): Adapter {
  const watch = async <T extends Answer | undefined>(
    does: Operation["does"],
    { urn, kind, timeouts }: Subject,
    id: string | undefined,
    work: () => Promise<T>,
  ): Promise<T> => {
    const given = does === "check" || does === "diff" ? undefined : timeouts?.[does];
    const limit = Number.parseFloat(given ?? "") || deadlines[kind];
    const operation: Operation = { does, urn, kind, id, limit, beganMs: clock.now() };
    seen.operations.push(operation);
    const end = (error?: Error) => {
      Object.assign(operation, { endedMs: clock.now(), sent: seen.requests.length, error: error?.message });
    };
    try {
      const made = await work();
      if (made) operation.id = made.id;
      end(made?.unfinished);
      return made;
    } catch (error) {
      end(error as Error);
      throw error;
    }
  };
  const note = (does: "check" | "diff", { urn, kind }: Subject, error: string) => {
    const beganMs = clock.now();
    seen.operations.push({ does, urn, kind, id: undefined, limit: 0, beganMs, error, sent: seen.requests.length });
  };
  return {
    ...adapter,
    check: async (of, olds, news) => {
      const checked = await adapter.check(of, olds, news);
      for (const { reason } of checked.failures) note("check", of, reason);
      return checked;
    },
    diff: (of, old, news) =>
      adapter.diff(of, old, news).catch((error: unknown) => {
        note("diff", of, (error as Error).message);
        throw error;
      }),
    read: (of, old) => adapter.read(of, old),
    create: (of, inputs) => watch("create", of, undefined, () => adapter.create(of, inputs)),
    update: (of, old, news) => watch("update", of, old.id, () => adapter.update(of, old, news)),
    delete: async (of, old) => {
      await watch("delete", of, old.id, async () => {
        await adapter.delete(of, old);
        return undefined;
      });
    },
  };
}
