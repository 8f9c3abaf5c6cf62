import * as z from "zod";
import { FrontdoorError, isRefused } from "../errors";
import type { Client } from "../http/client";
import type { Until } from "../time";
import { checked, count } from "./wire";

// Queries

/** The filters and the order of a list call. A repeated name matches any of its values. */
export type Query = [name: string, value: string][];

/** The wanted values by property. An entry matches if each of these properties has one of its values. */
export type Filters = ReadonlyMap<string, readonly string[]>;

/** The longest query. Many servers and proxies refuse more than 8 kB with headers. A hundred UUIDs fit. */
const mostCharacters = 4_400;

/** Splits values of one filter so that each batch fits one address and one page. */
export function batches<Value>(values: Value[], textOf: (value: Value) => string, most = 100): Value[][] {
  const all: Value[][] = [];
  let room = 0;
  for (const value of values) {
    // "&name=" has six characters.
    const length = encodeURIComponent(textOf(value)).length + 6;
    const last = all.at(-1);
    const fits = last !== undefined && last.length < most && length <= room;
    if (fits) last.push(value);
    else all.push([value]);
    room = (fits ? room : mostCharacters) - length;
  }
  return all;
}

/** Returns the filters with at most so many values that fit into one address. `matches` does the others. */
export function filterQuery(filters: Filters, mostValues: number): Query {
  let room = mostCharacters;
  return [...filters].flatMap(([property, values]) => {
    const length = values.reduce((sum, value) => sum + property.length + encodeURIComponent(value).length + 2, 0);
    if (values.length > mostValues || length > room) return [];
    room -= length;
    return values.map((value): [string, string] => [property, value]);
  });
}

/** True if the entry has the wanted values: a service may ignore filters. */
export const matches = (entry: object, filters: Filters): boolean =>
  [...filters].every(([property, values]) => values.includes(String(valueOf(entry, property) ?? "")));

const valueOf = (entry: object, property: string) => (entry as Record<string, string | number | undefined>)[property];

/** Returns a comparison of two entries by a property: numbers by size, texts by code unit, no value first. */
export const inOrder = (property: string, direction: string) => (a: object, b: object) => {
  const [one, other] = [valueOf(a, property) ?? "", valueOf(b, property) ?? ""];
  const areNumbers = typeof one === "number" && typeof other === "number";
  const [left, right] = areNumbers ? [one, other] : [String(one), String(other)];
  return (left < right ? -1 : left > right ? 1 : 0) * (direction === "asc" ? 1 : -1);
};

// Pages

/** A number of entries or pages, which some services send as text. Any other value reads as undefined. */
const total = count
  .refine((number) => number >= 0)
  .optional()
  .catch(undefined);

const totals = { totalElements: total, totalPages: total };
const object = z.record(z.string(), z.unknown()).nullish();
const envelope = z.object({
  ...totals,
  content: z.array(z.unknown()).nullish(),
  page: z.object(totals).nullish().catch(undefined),
  pageable: object.catch(undefined),
  _embedded: object,
  _links: object.catch(undefined),
});

const listed = z.object({ content: z.array(z.unknown()) });

/** One page of a list, and how long its body is. */
export interface ListBody {
  content: unknown[];
  totalElements: number | undefined;
  totalPages: number | undefined;
  characters: number;
}

/**
 * Reads a body as a page: the entries are in `content` (spec: Paged list envelope), or in the only array under `_embedded` (HAL). An array is
 * a list of one page. A body with neither is an empty page, but only if it shows that it is a list: the `{}` of another server proves nothing. So is a 204.
 * @throws FrontdoorError `unexpected-response`.
 */
function listBody(body: unknown, status: number, characters: number, label: string, urlPlace: string): ListBody {
  if (status === 204) return { content: [], totalElements: undefined, totalPages: undefined, characters };
  if (Array.isArray(body)) return { content: body, totalElements: undefined, totalPages: 1, characters };
  const { content, page, pageable, _embedded, _links, ...outer } = checked(envelope, body, label, urlPlace);
  const arrays = Object.values(_embedded ?? {}).filter((each) => Array.isArray(each));
  const isList = [page, pageable, _embedded, _links].some((mark) => mark != null) || outer.totalElements === 0;
  const entries = content ?? (arrays.length === 1 ? arrays[0] : arrays.length === 0 && isList ? [] : undefined);
  return {
    content: checked(listed, { content: entries }, label, urlPlace).content,
    totalElements: outer.totalElements ?? page?.totalElements,
    totalPages: outer.totalPages ?? page?.totalPages,
    characters,
  };
}

const idAndName = z.object({ id: z.string(), name: z.string().optional().catch(undefined) });

/** The limits of one list: no front door has more. */
const longest = { entries: 100_000, pages: 5_000, characters: 64_000_000 };

/** An entry of a list that lacks fields, so that only a read by its id can show it. */
export interface Odd {
  id: string;
  name: string | undefined;
}

export interface Listed<Wire extends { id: string }> {
  entries: Wire[];
  byId: ReadonlyMap<string, Wire>;
  odd: Odd[];
  /** The ids of `entries` and `odd`. */
  ids: ReadonlySet<string>;
  /** The number of pages that were read. */
  pagesRead: number;
  /** The number of pages in all, as far as the service says. */
  pageCount: number;
  /** The number of entries by the service's total, or those that were read. */
  total: number;
  /** False if there are more pages than were read, or if the list may lack entries. */
  isWhole: boolean;
}

/** Gathers the pages of one list. */
class Listing<Wire extends { id: string }> {
  pagesRead = 0;
  /** The number of pages in all: one more than were read if the service does not say. */
  pageCount = 1;
  private readonly found = new Map<string, Wire>();
  private readonly odd = new Map<string, Odd>();
  /** Entries without an id. */
  private unknown = 0;
  private characters = 0;
  /** The largest total of any page: if entries went away meanwhile, others can have slipped to a page that was read. */
  private total: number | undefined;

  constructor(
    private readonly schema: z.ZodType<Wire>,
    /** The number of entries of a full page; Infinity if the list cannot go on after a full page. */
    private readonly fullSize: number,
  ) {}

  get isLast(): boolean {
    return this.pagesRead >= this.pageCount;
  }

  get isTooLong(): boolean {
    const { entries, pages, characters } = longest;
    return this.size + this.unknown > entries || this.pagesRead > pages || this.characters > characters;
  }

  add({ content, totalElements, totalPages, characters }: ListBody): void {
    const before = this.size;
    this.characters += characters;
    for (const entry of content) this.addEntry(entry);
    this.pagesRead += 1;
    if (totalElements !== undefined) this.total = Math.max(this.total ?? 0, totalElements);
    // A service that counts pages from 1 answers the first page twice.
    const isRepeat = this.size === before && content.length > 0 && this.pagesRead === 2;
    // Totals can end with the first full page.
    const isFull = content.length >= this.fullSize;
    if (this.size === before && !isRepeat) this.pageCount = this.pagesRead;
    else this.pageCount = Math.max(this.lengthBy(totalPages), isFull || isRepeat ? this.pagesRead + 1 : 0);
  }

  /** Returns the number of pages in all. If a total contradicts the pages, the list ends with the page that adds nothing. */
  private lengthBy(totalPages = 0): number {
    const { pagesRead, size, total, unknown } = this;
    if (total === undefined) return totalPages >= pagesRead ? totalPages : pagesRead + 1;
    const rest = total - size - unknown;
    // The number of elements counts first: that of pages can be for the page size that was asked for.
    if (rest > 0) return pagesRead + Math.ceil((rest * pagesRead) / size);
    return rest === 0 ? Math.max(pagesRead, totalPages) : pagesRead + 1;
  }

  listed(): Listed<Wire> {
    const { isLast, size, unknown, pagesRead, pageCount } = this;
    const total = Math.max(this.total ?? 0, size + unknown);
    return {
      entries: [...this.found.values()],
      byId: this.found,
      odd: [...this.odd.values()],
      ids: new Set([...this.found.keys(), ...this.odd.keys()]),
      pagesRead,
      pageCount,
      total,
      isWhole: size === total && (isLast || size === this.total),
    };
  }

  private get size(): number {
    return this.found.size + this.odd.size;
  }

  private addEntry(entry: unknown): void {
    const { id, name } = idAndName.safeParse(entry).data ?? {};
    if (id === undefined) {
      this.unknown += 1;
      return;
    }
    const wire = this.schema.safeParse(entry).data;
    this.odd.delete(id);
    this.found.delete(id);
    if (wire) this.found.set(id, wire);
    else this.odd.set(id, { id, name });
  }
}

// Lists

export interface ListOptions {
  /** Set if a failed request is not sent again. */
  isPoll?: true;
  /** A list of more pages ends with the first page that says so. */
  mostPages?: number;
  /** Set if a user gave the filters and the order: the service's refusal of them is the user's error. */
  isUsers?: true;
}

/** Reads lists of one kind page by page, with filters, as far as the service accepts its queries. */
export class Lists<Wire extends { id: string }> {
  /** What the service has not refused. */
  private form: Form = { size: 100, isSorted: true };
  /** The filters that the service refuses, although it answers the same request without them. */
  private readonly refused = new Set<string>();

  constructor(
    protected readonly client: Client,
    readonly path: string,
    protected readonly schema: z.ZodType<Wire>,
  ) {}

  /**
   * Returns every entry that the filters match, or more: the service may ignore filters, or refuse an address as too long.
   * If the service refuses the provider's own filters, the list is read without them. A refusal of a user's filters is thrown, unless the
   * address is too long (414, 431). @throws FrontdoorError.
   */
  async list(query: Query, until: Until, options: ListOptions = {}): Promise<Listed<Wire>> {
    const sent = options.isUsers ? query : query.filter(([name]) => !this.refused.has(name));
    try {
      return await this.readInForm(sent, until, options);
    } catch (error) {
      const isTooLong = isRefused(error, 414, 431);
      if (sent.length === 0 || !(isTooLong || (isWrongQuery(error) && !options.isUsers))) throw error;
      const listed = await this.readInForm([], until, options);
      if (!isTooLong) for (const [name] of sent) this.refused.add(name);
      return listed;
    }
  }

  /** Reads with a page size and sorted by ids, else with a size, else without both. The form that the service accepts is kept. */
  private async readInForm(query: Query, until: Until, options: ListOptions, form = this.form): Promise<Listed<Wire>> {
    const hasOrder = query.some(([name]) => name === "sort");
    const isSorted = form.isSorted && !hasOrder;
    try {
      const listed = await this.readPages(query, { ...form, isSorted }, until, options);
      this.form = { size: form.size, isSorted: hasOrder ? this.form.isSorted : isSorted };
      return listed;
    } catch (error) {
      if (!isWrongQuery(error) || (!isSorted && form.size === undefined)) throw error;
      return this.readInForm(query, until, options, { size: isSorted ? form.size : undefined, isSorted: false });
    }
  }

  private async readPages(
    query: Query,
    { size, isSorted }: Form,
    until: Until,
    { isPoll, mostPages = Infinity }: ListOptions,
  ): Promise<Listed<Wire>> {
    const { client, path } = this;
    const label = `GET ${path}`;
    // Each id has one entry at most.
    const listing = new Listing(this.schema, query.some(([name]) => name === "id") ? Infinity : (size ?? Infinity));
    const read = (body: unknown, status: number, characters = 0) =>
      listBody(body, status, characters, label, client.urlPlace);
    while (!listing.isLast && listing.pageCount <= mostPages) {
      const wholeQuery: Query = [...query, ["page", String(listing.pagesRead)]];
      if (size !== undefined) wholeQuery.push(["size", String(size)]);
      if (isSorted) wholeQuery.push(["sort", "id,asc"]);
      const call = { method: "GET", path, query: wholeQuery, until, isMore: listing.pagesRead > 0, read } as const;
      listing.add((await client.call({ ...call, ...(isPoll && { isPoll }) })).body as ListBody);
      if (listing.isTooLong)
        throw new FrontdoorError(
          `${label}: Frontdoor's list does not end, so the provider stopped reading. Check the URL in ${client.urlPlace}. [list-too-long]`,
          { kind: "unexpected-response", status: 200, paths: ["content"] },
        );
    }
    return listing.listed();
  }
}

/** The parts of a list's query that the provider adds. */
interface Form {
  /** The size of a page. Undefined once the service has refused it: the specification does not show the largest. */
  size: number | undefined;
  /** False once the service has refused it. By ids, no entry slips to another page while others come and go. */
  isSorted: boolean;
}

const isWrongQuery = (error: unknown) => isRefused(error, 400, 405, 422);
