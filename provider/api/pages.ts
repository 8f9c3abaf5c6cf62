import type * as z from "zod";
import { FrontdoorError, isRefused } from "../errors";
import type { Query } from "./batches";
import { listBody, type ListBody, type Listed, Listing } from "./listing";

/** Sends one list request and returns what `read` makes of its body. */
type Ask = (query: Query, isMore: boolean, read: ReturnType<typeof readerOf>) => Promise<ListBody>;

const readerOf =
  (label: string) =>
  (body: unknown, status: number, characters = 0): ListBody => ({ ...listBody(body, status, label), characters });

/** The ways to request a list, the cheapest first: the specification names neither the largest page nor every filter. */
const plainest = { size: undefined, isFiltered: false };
const ways = [true, false].flatMap((isFiltered) => [100, 20].map((size) => ({ size, isFiltered })));

export interface ListOptions {
  /** Set if a failed request is not sent again. */
  isPoll?: true;
  /** A list of more pages ends with the first page that says so. */
  mostPages?: number;
}

/** Reads lists page by page, in a way that the service does not refuse. */
export class Pages<Wire extends { id: string }> {
  /** The first way that the service has not refused. */
  private way = 0;

  constructor(
    private readonly schema: z.ZodType<Wire>,
    /** The name of a list request in messages. */
    private readonly label: string,
  ) {}

  /** Returns every entry that the filters match, or more: the service may ignore filters or refuse an address as too long. */
  async list(query: Query, ask: Ask, options: ListOptions): Promise<Listed<Wire>> {
    try {
      return await this.inSomeWay(query, ask, options);
    } catch (error) {
      if (query.length === 0 || !isRefused(error, 414, 431)) throw error;
      return this.inSomeWay([], ask, options);
    }
  }

  private async inSomeWay(query: Query, ask: Ask, options: ListOptions): Promise<Listed<Wire>> {
    for (let way = this.way; ; way++) {
      const { size, isFiltered } = ways[way] ?? plainest;
      try {
        const listed = await this.pages(isFiltered ? query : [], size, ask, options);
        this.way = way;
        return listed;
      } catch (error) {
        if (way >= ways.length || !isRefused(error, 400, 405, 422, 501)) throw error;
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
      listing.add(await ask([...query, ...page], listing.pages > 0, readerOf(this.label)));
      if (listing.isTooLong) throw endless(this.label);
    }
    return listing.listed();
  }
}

const endless = (label: string) =>
  new FrontdoorError(
    `${label}: the service's list does not end, so the provider stopped reading. Check the address in frontdoor:baseUrl. [list-too-long]`,
    { kind: "unexpected-response", status: 200, paths: ["content"] },
  );
