import type { Collection } from "../api/collection";
import { batches, type Listed } from "../api/lists";
import { isRefused, isTransient } from "../errors";
import type { Clock, Until } from "../time/clock";
import type { Found, Poll, Polled } from "./poller";

/** The last poll of a wait begins at its deadline and has this long. */
export const lastPollMs = 2_000;
/** After so many failed lists in a row, each failed list is replaced by reads by id. */
const mostFailures = 3;

interface Entry {
  id: string;
  status: string;
}

/** Returns a poll that lists a hundred ids at a time and reads each id that the list cannot answer for. */
export function pollTogether<Wire extends Entry>(
  calls: Pick<Collection<Wire>, "list" | "get">,
  isComplete: (entry: Wire) => boolean,
  clock: Pick<Clock, "now">,
): Poll<Wire> {
  const proofs = new Proofs();
  let failures = 0;

  const list = async (ids: string[], until: Until): Promise<Listed<Wire> | undefined> => {
    const query = ids.map((id): [string, string] => ["id", id]);
    try {
      // If the service ignores the filter, a list of more pages than ids is not worth its requests.
      const listed = await calls.list(query, until, { isPoll: true, mostPages: ids.length });
      failures = 0;
      return listed;
    } catch (error) {
      if (!isTransient(error) || isRefused(error, 429) || ++failures <= mostFailures) throw error;
      return undefined;
    }
  };

  return (asks) => {
    for (const batch of batches(asks, ({ question }) => question.id)) {
      const earliestMs = Math.min(...batch.map(({ question }) => question.deadlineMs));
      const until = { deadlineMs: Math.max(earliestMs, clock.now() + lastPollMs) };
      // The two newest ids are first and last in the filter: the service most likely shows them, and `Proofs` compares both ends.
      const ids = [...new Set([...batch.slice(-1), ...batch].map(({ question }) => question.id))];
      const listing = list(ids, until).then((listed) => ({ listed, gone: proofs.learn(ids, listed) }));
      const find = async ({ id, mayBeLate }: Polled): Promise<Found<Wire>> => {
        const { listed, gone } = await listing;
        const entry = listed?.byId.get(id);
        if (entry && isComplete(entry)) return entry;
        if (gone.has(id)) return "absent";
        if (mayBeLate && listed?.isWhole && !listed.ids.has(id)) return "unlisted";
        return (await calls.get(id, until, true)) ?? "absent";
      };
      for (const { question, answer } of batch) answer(find(question));
    }
  };
}

/**
 * Proofs by lists that an id is gone. An earlier list showed the id as DELETING, and a whole list of one page lacks the id. A service may
 * ignore some values of a repeated filter. It has honoured all values if the list shows the first and the last id, else as many as the
 * list shows. A list with a longer filter proves nothing.
 */
class Proofs {
  /** The service honours a filter of at least so many ids. */
  private mostIds = 0;
  private readonly deleting = new Set<string>();

  /** Returns the ids that this list proves to be gone. */
  learn(asked: string[], listed: Listed<Entry> | undefined): Set<string> {
    if (!listed) return new Set();
    const { ids, entries, pages, isWhole } = listed;
    const found = asked.filter((id) => ids.has(id));
    const hasBothEnds = found[0] === asked[0] && found.at(-1) === asked.at(-1);
    this.mostIds = Math.max(this.mostIds, hasBothEnds ? asked.length : found.length);
    const isProof = isWhole && pages === 1 && asked.length <= this.mostIds;
    const gone = new Set(isProof ? asked.filter((id) => !ids.has(id) && this.deleting.has(id)) : []);
    for (const { id, status } of entries) {
      if (status === "DELETING") this.deleting.add(id);
      else this.deleting.delete(id);
    }
    return gone;
  }
}
