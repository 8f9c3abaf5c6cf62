import type { Clock } from "../time/clock";
import { batches } from "../api/batches";
import type { Collection } from "../api/collection";
import { Absence } from "./absence";
import type { ListTrouble } from "./list-trouble";
import type { Ask } from "./gatherer";
import type { Awaited, Found, Look } from "./poller";

/** The last look of a wait is on its deadline, and may take a while itself. */
const lastLookMs = 2_000;

/**
 * Looks at many ids with one list for each hundred, all at the same time. What a list shows in part only is read by its id. Of those
 * that it lacks, and that are not proven to be gone, five are read by id, and all others too where one of the five has come to an end.
 * Without a list all are lacking.
 */
export function lookTogether<Wire extends { id: string; status: string }>(
  calls: Pick<Collection<Wire>, "list" | "get">,
  isComplete: (entry: Wire) => boolean,
  clock: Pick<Clock, "now" | "random">,
  trouble: ListTrouble,
): Look<Wire> {
  const absence = new Absence();

  const lookAt = async (asks: Ask<Awaited, Found<Wire>>[]): Promise<void> => {
    const earliestMs = Math.min(...asks.map(({ what }) => what.deadlineMs));
    const until = { deadlineMs: Math.max(earliestMs, clock.now() + lastLookMs) };
    const read = async ({ what: { id, isLeaving }, tell }: Ask<Awaited, Found<Wire>>) => {
      const seen = await calls.get(id, until, true).catch((error: unknown) => error as Error);
      const found: Found<Wire> = seen ?? "absent";
      tell(found);
      return { isLeaving, found };
    };
    // The youngest first and last: they are the most likely to be shown, and what is shown proves what is asked for between.
    const ids = [...new Set([...asks.slice(-1), ...asks].map(({ what }) => what.id))];
    const query = ids.map((id): [string, string] => ["id", id]);
    // Where the service ignores the filter, a list of more pages than there are ids is not worth it.
    const listed = (await trouble.ask(() => calls.list(query, until, { once: true, mostPages: ids.length }))) ?? noList;

    const gone = new Set(absence.learn(ids, listed));
    const shown = new Map(listed.entries.map((entry) => [entry.id, entry]));
    const lacking: typeof asks = [];
    for (const ask of turned(asks, clock.random())) {
      const { id } = ask.what;
      const entry = shown.get(id);
      if (entry && isComplete(entry)) ask.tell(entry);
      else if (gone.has(id)) ask.tell("absent");
      else if (listed.ids.has(id)) void read(ask);
      else lacking.push(ask);
    }
    const sample = await Promise.all(lacking.splice(0, 5).map(read));
    if (sample.some(({ isLeaving, found }) => isLeaving && isThere(found))) absence.doubt(listed);
    const isWorth = sample.some(({ isLeaving, found }) => hasEnded(found, isLeaving));
    for (const ask of lacking) {
      if (isWorth) void read(ask);
      else ask.tell("untold");
    }
  };

  return (asks) => {
    for (const portion of batches(asks, ({ what }) => what.id))
      lookAt(portion).catch((error: unknown) => {
        for (const { fail } of portion) fail(error);
      });
  };
}

const noList = { entries: [], ids: new Set<string>(), odd: [], pages: 0, length: 0, isWhole: false };

/** From another one on each time, so that not always the same ones are the sample. */
function turned<Item>(items: Item[], random: number): Item[] {
  const at = Math.floor(random * items.length);
  return [...items.slice(at), ...items.slice(0, at)];
}

type AnyFound = Found<{ status: string }>;

const isThere = (found: AnyFound) =>
  typeof found === "object" && !(found instanceof Error) && found.status !== "DELETED";

/** What a list has lacked is no longer under way. */
function hasEnded(found: AnyFound, isLeaving: boolean): boolean {
  if (found === "absent") return isLeaving;
  return typeof found === "object" && !(found instanceof Error) && !["NEW", "DELETING"].includes(found.status);
}
