import * as z from "zod";
import { checked } from "./wire";

/** A number of entries or pages; some services send it as text. What is none is as good as absent. */
const count = z.unknown().transform((value) => {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof number === "number" && Number.isSafeInteger(number) && number >= 0 ? number : undefined;
});

/** A body without content is an empty page only where it says so: another server's `{}` proves nothing. */
const envelope = z
  .object({
    content: z.array(z.unknown()).nullish(),
    totalElements: count.optional(),
    totalPages: count.optional(),
  })
  .refine(({ content, totalElements }) => content != null || totalElements === 0, { path: ["content"] });

/** One page of a list (spec: Paged list envelope). */
export type ListBody = Partial<z.output<typeof envelope>>;

/** The page that a body is; 204 says that there is no content. @throws FrontdoorError `unexpected-response`. */
export const listBody = (body: unknown, status: number, label: string): ListBody =>
  status === 204 ? { content: [] } : checked(envelope, body, label);

const named = z.object({ id: z.string(), name: z.string().optional().catch(undefined) });

/** A list that is longer than one of these has no end. */
const longest = { entries: 100_000, pages: 5_000, characters: 64_000_000 };

export interface Listed<Wire extends { id: string }> {
  entries: Wire[];
  byId: ReadonlyMap<string, Wire>;
  /** Ids of all entries, those included that have not the shape of one. */
  ids: Set<string>;
  /** Those that have not, which can only be read by their id. */
  odd: Odd[];
  /** How many were read. */
  pages: number;
  /** How many there are, as far as the service tells. */
  length: number;
  /** False where there were more pages than wanted, or entries can have been missed. */
  isWhole: boolean;
}

/** An entry of a list that has not the shape of one. */
export interface Odd {
  id: string;
  /** Undefined where it shows none. */
  name: string | undefined;
}

/** A list on its way: what its pages have shown so far. */
export class Listing<Wire extends { id: string }> {
  pages = 0;
  /** Pages in all: one more than read while the service does not tell. */
  length = 1;
  private readonly found = new Map<string, Wire>();
  private readonly odd = new Map<string, Odd>();
  /** Entries that can't even be told by an id. */
  private lost = 0;
  private characters = 0;
  private total: number | undefined;
  private isSteady = true;

  constructor(private readonly schema: z.ZodType<Wire>) {}

  /** True once there is nothing more to read. */
  get isLast(): boolean {
    return this.pages >= this.length;
  }

  /** True if no front door has so much. */
  get isTooLong(): boolean {
    const { entries, pages, characters } = longest;
    return this.shown + this.lost > entries || this.pages > pages || this.characters > characters;
  }

  add({ content, totalElements, totalPages }: ListBody, characters: number): void {
    const known = this.shown;
    this.characters += characters;
    for (const entry of content ?? []) this.take(entry);
    this.pages += 1;
    // Where entries went away meanwhile, others can have slipped from a page not yet read to one that was.
    this.isSteady &&= totalElements === undefined || totalElements >= (this.total ?? 0);
    this.total = totalElements ?? this.total;
    if (this.left === 0 || this.shown === known) this.length = this.pages;
    // The number of elements counts first: that of pages can be one of pages as long as were asked for.
    else if (this.left !== undefined) this.length = this.pages + Math.ceil((this.left * this.pages) / this.shown);
    else this.length = totalPages ?? this.pages + 1;
  }

  listed(): Listed<Wire> {
    return {
      entries: [...this.found.values()],
      byId: this.found,
      ids: new Set([...this.found.keys(), ...this.odd.keys()]),
      odd: [...this.odd.values()],
      pages: this.pages,
      length: this.length,
      isWhole: this.isSteady && this.lost === 0 && (this.left === undefined ? this.isLast : this.left === 0),
    };
  }

  private get shown(): number {
    return this.found.size + this.odd.size;
  }

  /** How many entries the other pages hold, where the service tells. */
  private get left(): number | undefined {
    return this.total === undefined ? undefined : Math.max(this.total - this.shown - this.lost, 0);
  }

  private take(entry: unknown): void {
    const told = named.safeParse(entry);
    if (!told.success) {
      this.lost += 1;
      return;
    }
    const { id, name } = told.data;
    const wire = this.schema.safeParse(entry);
    this.odd.delete(id);
    this.found.delete(id);
    if (wire.success) this.found.set(id, wire.data);
    // What can't be read as ours can still be told by its id; it is read by that when it matters.
    else this.odd.set(id, { id, name });
  }
}
