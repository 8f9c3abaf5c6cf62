import { z } from "zod";
import type { Until } from "../clock";
import { idPattern } from "../config";
import { FrontdoorError, isRefused, troubleOf } from "../errors";
import type { Answer, Call, Client } from "../http/client";

/** A text field the service may leave out, null or empty while it has no value: all three read as undefined. */
export const maybeText = z
  .string()
  .nullish()
  .transform((text) => (text === "" ? undefined : (text ?? undefined)));

export const wireId = z.string().regex(idPattern);

/** Filters and order of a list call; a repeated name matches any of its values. */
export type Query = [name: string, value: string][];

/** Ways of asking for a list, from the cheapest to what the spec's examples show: it shows neither the largest page nor all filters. */
const plainest = { size: 20, isFiltered: false };
const ways = [{ size: 100, isFiltered: true }, { size: 20, isFiltered: true }, plainest];

interface ListOptions {
  /** Looks of a wait are not repeated: the wait itself looks again. */
  once?: true;
  /** No more requests than this. */
  mostPages?: number;
}

interface Listed<Wire> {
  entries: Wire[];
  /** Ids of all entries, those included that have not the shape of one. */
  ids: Set<string>;
  pages: number;
  /** False where there were more pages than wanted. */
  isWhole: boolean;
}

/** A body without content is an empty page only where it says so: another server's `{}` proves nothing. */
const envelope = z
  .object({ content: z.array(z.unknown()).nullish(), totalElements: z.int().nullish(), totalPages: z.int().nullish() })
  .refine(({ content, totalElements }) => content != null || totalElements === 0, { path: ["content"] });

/** The calls that tunnels and shares have in common (spec: Endpoints), for one front door. */
export class Collection<Wire extends { id: string; status: string }> {
  /** The way of asking for lists that the service has not refused. */
  private way = 0;
  /** How many writes have been sent: what was read before one may no longer hold. */
  writes = 0;

  constructor(
    private readonly client: Client,
    private readonly path: string,
    private readonly schema: z.ZodType<Wire>,
  ) {}

  /**
   * Every entry the filters match, from as many pages as there are, or from so many at the most; filters the service ignores
   * are the caller's to repeat.
   */
  async list(query: Query, until: Until, options: ListOptions = {}): Promise<Listed<Wire>> {
    for (let way = this.way; ; way++) {
      const { size, isFiltered } = ways[way] ?? plainest;
      try {
        const listed = await this.pages(isFiltered ? query : [], size, until, options);
        this.way = way;
        return listed;
      } catch (error) {
        if (way >= ways.length - 1 || !isRefused(error, 400, 405, 422, 501)) throw error;
      }
    }
  }

  private async pages(
    query: Query,
    size: number,
    until: Until,
    { once, mostPages = 10_000 }: ListOptions,
  ): Promise<Listed<Wire>> {
    const found = new Map<string, Wire | undefined>();
    for (let pages = 1; ; pages++) {
      const known = found.size;
      const answer = await this.call("GET", "", {
        query: [...query, ["page", String(pages - 1)], ["size", String(size)]],
        until,
        ...(once && { once }),
      });
      const { content, totalElements, totalPages } = checked(envelope, answer.body, `GET ${this.path}`);
      for (const entry of content ?? []) {
        // What can't be read as ours can still be told by its id; it is read by that when it matters.
        const { id } = checked(z.object({ id: z.string() }), entry, `GET ${this.path}`);
        found.set(id, this.schema.safeParse(entry).data);
      }
      const all = totalElements == null ? totalPages != null && pages >= totalPages : found.size >= totalElements;
      const isWhole = all || found.size === known;
      const entries = [...found.values()].filter((entry) => entry !== undefined);
      if (isWhole || pages >= mostPages) return { entries, ids: new Set(found.keys()), pages, isWhole };
    }
  }

  /** One entry with all its fields; undefined when the service itself says that there is none. */
  async get(id: string, until: Until, once?: true): Promise<Wire | undefined> {
    try {
      return this.entry((await this.call("GET", `/${checkedId(id)}`, { until, ...(once && { once }) })).body, id);
    } catch (error) {
      if (isRefused(error, 404, 410)) return undefined;
      throw error;
    }
  }

  /**
   * True when it is certain that the service has no such id: its own not-found, on a front door that answers and does not list it.
   * A 404 of a wrong address must never look like that.
   */
  async isGone(id: string, until: Until): Promise<boolean> {
    const { entries, ids } = await this.list([["id", checkedId(id)]], until);
    return !ids.has(id) || entries.some((entry) => entry.id === id && entry.status === "DELETED");
  }

  /** Sends a create; the id where the answer tells it. */
  async create(body: object, until: Until): Promise<string | undefined> {
    const answer = await this.call("POST", "", { body, until });
    const id = wireId.safeParse(
      (answer.body as { id?: unknown } | undefined)?.id ?? answer.location?.split("/").at(-1),
    );
    return id.data;
  }

  /** Sends a full (PUT) or partial (PATCH) update. */
  async write(method: "PUT" | "PATCH", id: string, body: object, until: Until): Promise<void> {
    await this.call(method, `/${checkedId(id)}`, { body, until });
  }

  /** Sends a delete; true where the service says that there is nothing to delete. */
  async remove(id: string, until: Until): Promise<boolean> {
    try {
      await this.call("DELETE", `/${checkedId(id)}`, { until });
      return false;
    } catch (error) {
      if (isRefused(error, 404, 410)) return true;
      throw error;
    }
  }

  /** A read below one entry, such as `/tunnel-config`. */
  async below<T>(
    id: string,
    name: string,
    schema: z.ZodType<T>,
    call: Pick<Call, "until" | "query" | "accept">,
  ): Promise<T> {
    const answer = await this.call("GET", `/${checkedId(id)}/${name}`, call);
    return checked(schema, answer.body, `GET ${this.path}/${id}/${name}`);
  }

  private call(method: Call["method"], path: string, call: Omit<Call, "method" | "path">): Promise<Answer> {
    if (method !== "GET") this.writes += 1;
    return this.client.call({ ...call, method, path: `${this.path}${path}` });
  }

  private entry(body: unknown, id: string): Wire {
    const wire = checked(this.schema, body, `GET ${this.path}/${id}`);
    if (wire.id === id) return wire;
    throw new FrontdoorError(`GET ${this.path}/${id}: the answer is about another id`, {
      kind: "unexpected-response",
      status: 200,
      paths: ["id"],
    });
  }
}

/** The id, safe to put in a path. @throws FrontdoorError `failed`. */
function checkedId(id: string): string {
  if (idPattern.test(id)) return id;
  throw new FrontdoorError("an id must be letters, digits and . _ : ~ - (at most 128); nothing was sent", {
    kind: "failed",
  });
}

/** The answer with its known fields only. @throws FrontdoorError `unexpected-response` that names the wrong places. */
function checked<T>(schema: z.ZodType<T>, body: unknown, label: string): T {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const paths = [...new Set(parsed.error.issues.map((issue) => issue.path.join(".") || "body"))];
  throw new FrontdoorError(
    `${label}: the answer is not as the service's: wrong or missing ${paths.slice(0, 5).join(", ")}`,
    {
      kind: "unexpected-response",
      status: 200,
      paths,
    },
  );
}

/** True when nothing says that a write did not reach the service. */
export const mayHaveRun = (error: unknown): boolean => {
  const trouble = troubleOf(error);
  return trouble?.kind === "unexpected-response" || (trouble?.kind === "unreachable" && trouble.mayHaveRun);
};
