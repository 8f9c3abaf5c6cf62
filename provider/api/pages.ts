import type * as z from "zod";
import { FrontdoorError, isRefused } from "../errors";
import { halves, lengthOf, type Query } from "./batches";
import { listBody, type ListBody, type Listed, Listing } from "./listing";

/** Sends one list request; what `read` makes of its body, or throws of it, is the answer. */
type Ask = (
  query: Query,
  isMore: boolean,
  read: (body: unknown, status: number, length?: number) => ListBody,
) => Promise<ListBody>;

/** Ways of asking for a list, from the cheapest to the plainest: the spec shows neither the largest page nor all filters. */
const plainest = { size: undefined, isFiltered: false };
const ways = [
  { size: 100, isFiltered: true },
  { size: 20, isFiltered: true },
  { size: 100, isFiltered: false },
  { size: 20, isFiltered: false },
  plainest,
];

export interface ListOptions {
  /** Looks of a wait are not repeated: the wait itself looks again. */
  once?: true;
  /** A list of more pages ends with the first one that tells so. */
  mostPages?: number;
}

/** Reads lists page by page, in the way the service does not refuse. */
export class Pages<Wire extends { id: string }> {
  /** The way of asking that has not been refused. */
  private way = 0;
  /** The length of the shortest query that was refused as too long. */
  private tooLong = Infinity;

  constructor(
    private readonly schema: z.ZodType<Wire>,
    /** How messages call a list request. */
    private readonly label: string,
  ) {}

  /**
   * Every entry the filters match, from as many pages as there are, or from so many at the most; filters the service ignores
   * are the caller's to repeat. Where it refuses an address as too long, it is asked in parts.
   */
  async list(query: Query, ask: Ask, options: ListOptions): Promise<Listed<Wire>> {
    const length = lengthOf(query);
    try {
      if (length < this.tooLong) return await this.inSomeWay(query, ask, options);
    } catch (error) {
      if (query.length === 0 || !isRefused(error, 414, 431)) throw error;
    }
    const parts = halves(query);
    // Where one value alone is too long, the others need not be.
    if (!parts) return this.list([], ask, options);
    this.tooLong = Math.min(this.tooLong, length);
    return together(await this.list(parts[0], ask, options), await this.list(parts[1], ask, options));
  }

  private async inSomeWay(query: Query, ask: Ask, options: ListOptions): Promise<Listed<Wire>> {
    for (let way = this.way; ; way++) {
      const { size, isFiltered } = ways[way] ?? plainest;
      try {
        const listed = await this.pages(isFiltered ? query : [], size, ask, options);
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
    ask: Ask,
    { mostPages = Infinity }: ListOptions,
  ): Promise<Listed<Wire>> {
    const listing = new Listing(this.schema);
    while (!listing.isLast && listing.length <= mostPages) {
      const page: Query = [["page", String(listing.pages)]];
      if (size !== undefined) page.push(["size", String(size)]);
      let characters = 0;
      const body = await ask([...query, ...page], listing.pages > 0, (body, status, length = 0) => {
        characters = length;
        return listBody(body, status, this.label);
      });
      listing.add(body, characters);
      if (listing.isTooLong) throw endless(this.label);
    }
    return listing.listed();
  }
}

const endless = (label: string) =>
  new FrontdoorError(
    `${label}: the service's list does not end. The provider stopped reading it. Check frontdoor:baseUrl. [list-too-long]`,
    { kind: "unexpected-response", status: 200, paths: ["content"] },
  );

/** Two lists, each of a part of the values of one filter, as the one list that was wanted. */
function together<Wire extends { id: string }>(one: Listed<Wire>, other: Listed<Wire>): Listed<Wire> {
  return {
    entries: [...one.entries, ...other.entries.filter(({ id }) => !one.ids.has(id))],
    byId: new Map([...other.byId, ...one.byId]),
    ids: new Set([...one.ids, ...other.ids]),
    odd: [...one.odd, ...other.odd.filter(({ id }) => !one.ids.has(id))],
    pages: Math.max(one.pages, other.pages),
    length: Math.max(one.length, other.length),
    isWhole: one.isWhole && other.isWhole,
  };
}
