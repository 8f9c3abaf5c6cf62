import * as z from "zod";
import { checked } from "./wire";

/** A number of entries or pages, which some services send as text. Any other value reads as undefined. */
const count = z.unknown().transform((value) => {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof number === "number" && Number.isSafeInteger(number) && number >= 0 ? number : undefined;
});

/** A body without content is an empty page only if it says so: the `{}` of another server proves nothing. */
const envelope = z
  .object({
    content: z.array(z.unknown()).nullish(),
    totalElements: count.optional(),
    totalPages: count.optional(),
  })
  .refine(({ content, totalElements }) => content != null || totalElements === 0, { path: ["content"] });

/** One page of a list (spec: Paged list envelope), and how long its body is. */
export type ListBody = Partial<z.output<typeof envelope>> & { characters: number };

/** Reads a body as a page; 204 is an empty page. @throws FrontdoorError `unexpected-response`. */
export const listBody = (body: unknown, status: number, label: string): Omit<ListBody, "characters"> =>
  status === 204 ? { content: [] } : checked(envelope, body, label);

const named = z.object({ id: z.string(), name: z.string().optional().catch(undefined) });

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
  pages: number;
  /** The number of pages in all, as far as the service says. */
  length: number;
  /** False if there are more pages than were read, or if the list may lack entries. */
  isWhole: boolean;
}

/** Gathers the pages of one list. */
export class Listing<Wire extends { id: string }> {
  pages = 0;
  /** The number of pages in all: one more than were read if the service does not say. */
  length = 1;
  private readonly found = new Map<string, Wire>();
  private readonly odd = new Map<string, Odd>();
  /** Entries without an id. */
  private unknown = 0;
  private characters = 0;
  private total: number | undefined;
  private isSteady = true;

  constructor(private readonly schema: z.ZodType<Wire>) {}

  get isLast(): boolean {
    return this.pages >= this.length;
  }

  get isTooLong(): boolean {
    const { entries, pages, characters } = longest;
    return this.size + this.unknown > entries || this.pages > pages || this.characters > characters;
  }

  add({ content, totalElements, totalPages, characters }: ListBody): void {
    const before = this.size;
    this.characters += characters;
    for (const entry of content ?? []) this.addEntry(entry);
    this.pages += 1;
    // If entries went away meanwhile, others can have slipped from the next page to one that was read.
    this.isSteady &&= totalElements === undefined || totalElements >= (this.total ?? 0);
    this.total = totalElements ?? this.total;
    if (this.rest === 0 || this.size === before) this.length = this.pages;
    // The number of elements counts first: that of pages can be for the page size that was asked for.
    else if (this.rest !== undefined) this.length = this.pages + Math.ceil((this.rest * this.pages) / this.size);
    else this.length = totalPages ?? this.pages + 1;
  }

  listed(): Listed<Wire> {
    const isComplete = this.rest === undefined ? this.isLast : this.rest === 0;
    return {
      entries: [...this.found.values()],
      byId: this.found,
      odd: [...this.odd.values()],
      ids: new Set([...this.found.keys(), ...this.odd.keys()]),
      pages: this.pages,
      length: this.length,
      isWhole: this.isSteady && this.unknown === 0 && isComplete,
    };
  }

  private get size(): number {
    return this.found.size + this.odd.size;
  }

  /** The number of entries on pages not yet read, if the service says. */
  private get rest(): number | undefined {
    return this.total === undefined ? undefined : Math.max(this.total - this.size - this.unknown, 0);
  }

  private addEntry(entry: unknown): void {
    const { data } = named.safeParse(entry);
    if (!data) {
      this.unknown += 1;
      return;
    }
    const { id, name } = data;
    const wire = this.schema.safeParse(entry);
    this.odd.delete(id);
    this.found.delete(id);
    if (wire.success) this.found.set(id, wire.data);
    else this.odd.set(id, { id, name });
  }
}
