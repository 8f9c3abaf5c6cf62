import * as z from "zod";
import { checked } from "./wire";

/** One page of a list (spec: Paged list envelope). */
export interface ListBody {
  content?: unknown[] | null | undefined;
  totalElements?: number | undefined;
  totalPages?: number | undefined;
}

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

const noContent = 204;

/** The page that a body is. @throws FrontdoorError `unexpected-response`. */
export const listBody = (body: unknown, status: number, label: string): ListBody =>
  status === noContent ? { content: [] } : checked(envelope, body, label);

const named = z.object({ id: z.string(), name: z.string().optional().catch(undefined) });

export interface Listed<Wire extends { id: string }> {
  entries: Wire[];
  /** Ids of all entries, those included that have not the shape of one. */
  ids: Set<string>;
  /** Those that have not, which can only be read by their id. */
  odd: Odd[];
  pages: number;
  /** False where there were more pages than wanted, or entries can have been missed. */
  isWhole: boolean;
  /** What it is read on from where there were more pages than wanted. */
  rest?: Listing<Wire> | undefined;
  /** How many more pages there seem to be. */
  pagesLeft?: number;
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
  /** True once there is nothing more to read. */
  isLast = false;
  private readonly found = new Map<string, Wire | Odd>();
  private readonly readable = new Set<string>();
  private all = false;
  /** Entries that can't even be told by an id. */
  private lost = 0;
  private total: number | undefined;
  private totalPages: number | undefined;
  private isSteady = true;

  constructor(
    private readonly schema: z.ZodType<Wire>,
    /** The way in which it is asked for: pages of another one would not fit. */
    readonly way: number,
  ) {}

  add({ content, totalElements, totalPages }: ListBody): void {
    const known = this.found.size;
    for (const entry of content ?? []) this.take(entry);
    this.pages += 1;
    // Where entries went away meanwhile, others can have slipped from a page not yet read to one that was.
    this.isSteady &&= totalElements === undefined || totalElements >= (this.total ?? 0);
    this.total = totalElements ?? this.total;
    this.totalPages = totalPages ?? this.totalPages;
    this.all =
      this.total === undefined
        ? this.pages >= (this.totalPages ?? Infinity)
        : this.found.size + this.lost >= this.total;
    this.isLast = this.all || this.found.size === known;
  }

  listed(): Listed<Wire> {
    const entries = [...this.found.values()];
    return {
      entries: entries.filter((entry): entry is Wire => this.readable.has(entry.id)),
      ids: new Set(this.found.keys()),
      odd: entries.filter((entry): entry is Odd => !this.readable.has(entry.id)),
      pages: this.pages,
      isWhole: this.isSteady && this.lost === 0 && (this.all || (this.isLast && this.total === undefined)),
      rest: this.isLast ? undefined : this,
      pagesLeft: this.pagesLeft(),
    };
  }

  private take(entry: unknown): void {
    const told = named.safeParse(entry);
    if (!told.success) {
      this.lost += 1;
      return;
    }
    // What can't be read as ours can still be told by its id; it is read by that when it matters.
    const wire = this.schema.safeParse(entry);
    const { id, name } = told.data;
    this.found.set(id, wire.success ? wire.data : { id, name });
    if (wire.success) this.readable.add(id);
    else this.readable.delete(id);
  }

  private pagesLeft(): number {
    if (this.isLast) return 0;
    if (this.total !== undefined) return Math.ceil((this.total * this.pages) / this.found.size) - this.pages;
    return (this.totalPages ?? 2 * this.pages) - this.pages;
  }
}
