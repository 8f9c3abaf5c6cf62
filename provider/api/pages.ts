import * as z from "zod";
import { isRefused } from "../errors";
import { checked } from "./wire";

/** Filters and order of a list call; a repeated name matches any of its values. */
export type Query = [name: string, value: string][];

/** Sends one list request and answers its body. */
type Ask = (query: Query, once: true | undefined) => Promise<unknown>;

/** Ways of asking for a list, from the cheapest to what the spec's examples show: it shows neither the largest page nor all filters. */
const plainest = { size: 20, isFiltered: false };
const ways = [{ size: 100, isFiltered: true }, { size: 20, isFiltered: true }, plainest];

export interface ListOptions {
  /** Looks of a wait are not repeated: the wait itself looks again. */
  once?: true;
  /** No more requests than this. */
  mostPages?: number;
}

export interface Listed<Wire> {
  entries: Wire[];
  /** Ids of all entries, those included that have not the shape of one. */
  ids: Set<string>;
  pages: number;
  /** False where there were more pages than wanted, or entries can have been missed. */
  isWhole: boolean;
}

/** A body without content is an empty page only where it says so: another server's `{}` proves nothing. */
const envelope = z
  .object({ content: z.array(z.unknown()).nullish(), totalElements: z.int().nullish(), totalPages: z.int().nullish() })
  .refine(({ content, totalElements }) => content != null || totalElements === 0, { path: ["content"] });

const anyEntry = z.object({ id: z.string() });

/** Reads lists page by page, in the way the service does not refuse. */
export class Pages<Wire> {
  /** The way of asking that has not been refused. */
  private way = 0;

  constructor(
    private readonly schema: z.ZodType<Wire>,
    /** How messages call a list request. */
    private readonly label: string,
  ) {}

  /**
   * Every entry the filters match, from as many pages as there are, or from so many at the most; filters the service ignores
   * are the caller's to repeat.
   */
  async list(query: Query, ask: Ask, options: ListOptions): Promise<Listed<Wire>> {
    for (let way = this.way; ; way++) {
      const { size, isFiltered } = ways[way] ?? plainest;
      try {
        const listed = await this.pages(isFiltered ? query : [], size, ask, options);
        this.way = way;
        return listed;
      } catch (error) {
        if (way >= ways.length - 1 || !isRefused(error, 400, 405, 414, 422, 431, 501)) throw error;
      }
    }
  }

  private async pages(
    query: Query,
    size: number,
    ask: Ask,
    { once, mostPages = 10_000 }: ListOptions,
  ): Promise<Listed<Wire>> {
    const found = new Map<string, Wire | undefined>();
    let total: number | undefined;
    let isSteady = true;
    for (let pages = 1; ; pages++) {
      const known = found.size;
      const body = await ask([...query, ["page", String(pages - 1)], ["size", String(size)]], once);
      const { content, totalElements, totalPages } = checked(envelope, body, this.label);
      for (const entry of content ?? []) {
        // What can't be read as ours can still be told by its id; it is read by that when it matters.
        const { id } = checked(anyEntry, entry, this.label);
        found.set(id, this.schema.safeParse(entry).data);
      }
      // Where entries went away meanwhile, others can have slipped from a page not yet read to one that was.
      isSteady &&= (totalElements ?? 0) >= (total ?? 0);
      total = totalElements ?? undefined;
      const all = totalElements == null ? totalPages != null && pages >= totalPages : found.size >= totalElements;
      const isLast = all || found.size === known;
      const entries = [...found.values()].filter((entry) => entry !== undefined);
      if (isLast || pages >= mostPages)
        return {
          entries,
          ids: new Set(found.keys()),
          pages,
          isWhole: isSteady && (all || (isLast && total === undefined)),
        };
    }
  }
}
