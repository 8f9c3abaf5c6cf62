import type { Adapter, Answer } from "../model/adapter";
import type { Clock } from "../../provider/time/clock";
import type { Ran } from "./run";

/** A create, update or delete, as the engine called it. */
export interface Operation {
  does: "create" | "update" | "delete";
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
export function watched(adapter: Adapter, seen: Pick<Ran, "operations" | "requests">, clock: Clock): Adapter {
  const watch = async <T extends Answer | void>(
    does: Operation["does"],
    { urn, kind, timeouts }: Parameters<Adapter["create"]>[0],
    id: string | undefined,
    work: () => Promise<T>,
  ): Promise<T> => {
    const limit = Number.parseFloat(timeouts?.[does] ?? "") || deadlines[kind];
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
  return {
    ...adapter,
    check: (of, olds, news) => adapter.check(of, olds, news),
    diff: (of, old, news) => adapter.diff(of, old, news),
    read: (of, old) => adapter.read(of, old),
    create: (of, inputs) => watch("create", of, undefined, () => adapter.create(of, inputs)),
    update: (of, old, news) => watch("update", of, old.id, () => adapter.update(of, old, news)),
    delete: (of, old) => watch("delete", of, old.id, () => adapter.delete(of, old)),
  };
}
