import type * as z from "zod";
import { isRefused } from "../errors";
import { halves, lengthOf, type Query } from "./batches";
import { listBody, type ListBody, type Listed, Listing } from "./listing";

/** Sends one list request; what `read` makes of its body, or throws of it, is the answer. */
type Ask = (query: Query, read: (body: unknown, status: number) => ListBody) => Promise<ListBody>;

/** Ways of asking for a list, from the cheapest to the plainest: the spec shows neither the largest page nor all filters. */
const plainest = { size: undefined, isFiltered: false };
const ways = [
  { size: 100, isFiltered: true },
  { size: 20, isFiltered: true },
  { size: 100, isFiltered: false },
  { size: 20, isFiltered: false },
  plainest,
];

export interface ListOptions<Wire extends { id: string }> {
  /** Looks of a wait are not repeated: the wait itself looks again. */
  once?: true;
  /** No more requests than this. */
  mostPages?: number;
  /** The same list, cut short before: only its other pages are read. */
  readOn?: Listing<Wire> | undefined;
}

/** Reads lists page by page, in the way the service does not refuse. */
export class Pages<Wire extends { id: string }> {
  /** The way of asking that has not been refused. */
  private way = 0;
  /** Longer queries have been refused. */
  private longest = Infinity;

  constructor(
    private readonly schema: z.ZodType<Wire>,
    /** How messages call a list request. */
    private readonly label: string,
  ) {}

  /**
   * Every entry the filters match, from as many pages as there are, or from so many at the most; filters the service ignores
   * are the caller's to repeat. Where it refuses an address as too long, it is asked in parts.
   */
  async list(query: Query, ask: Ask, options: ListOptions<Wire>): Promise<Listed<Wire>> {
    if (lengthOf(query) > this.longest) return this.inParts(query, ask, options);
    try {
      return await this.inSomeWay(query, ask, options);
    } catch (error) {
      if (query.length === 0 || !isRefused(error, 414, 431)) throw error;
      const listed = await this.inParts(query, ask, options);
      // The next one, of other values, can be a little shorter and still too long.
      if (halves(query)) this.longest = Math.min(this.longest, 0.9 * lengthOf(query));
      return listed;
    }
  }

  private async inParts(query: Query, ask: Ask, options: ListOptions<Wire>): Promise<Listed<Wire>> {
    const parts = halves(query);
    if (!parts) return this.list([], ask, options);
    return together(await this.list(parts[0], ask, options), await this.list(parts[1], ask, options));
  }

  private async inSomeWay(query: Query, ask: Ask, options: ListOptions<Wire>): Promise<Listed<Wire>> {
    for (let way = this.way; ; way++) {
      const { size, isFiltered } = ways[way] ?? plainest;
      try {
        const listed = await this.pages(isFiltered ? query : [], size, way, ask, options);
        this.way = way;
        return listed;
      } catch (error) {
        if (way >= ways.length - 1 || !isRefused(error, 400, 405, 422, 501)) throw error;
      }
    }
  }

  private async pages(
    query: Query,
    size: number | undefined,
    way: number,
    ask: Ask,
    { readOn, mostPages = 10_000 }: ListOptions<Wire>,
  ): Promise<Listed<Wire>> {
    const listing = readOn?.way === way ? readOn : new Listing(this.schema, way);
    for (let pages = 0; !listing.isLast && pages < mostPages; pages++) {
      const page: Query = [["page", String(listing.pages)]];
      if (size !== undefined) page.push(["size", String(size)]);
      listing.add(await ask([...query, ...page], (body, status) => listBody(body, status, this.label)));
    }
    return listing.listed();
  }
}

/** Two lists, each of a part of the values of one filter, as the one list that was wanted. */
function together<Wire extends { id: string }>(one: Listed<Wire>, other: Listed<Wire>): Listed<Wire> {
  return {
    entries: [...one.entries, ...other.entries.filter(({ id }) => !one.ids.has(id))],
    ids: new Set([...one.ids, ...other.ids]),
    odd: [...one.odd, ...other.odd.filter(({ id }) => !one.ids.has(id))],
    pages: Math.max(one.pages, other.pages),
    isWhole: one.isWhole && other.isWhole,
  };
}
