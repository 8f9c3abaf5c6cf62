import type * as z from "zod";
import type { Until } from "../time";
import { idPattern } from "../config";
import { failed, FrontdoorError, isHidden, isRefused, problemIn, type Trouble } from "../errors";
import { valueOf } from "../fields/field";
import type { Answer, Call, Client } from "../http/client";
import { isAbsent, lacking, type Listed, type ListOptions, Lists, type Query } from "./lists";
import { answeredIdWrong } from "../messages";
import { checked, wireId } from "./wire";

/** The calls that tunnels and shares have in common (spec: Endpoints), for one front door. */
export class Collection<Wire extends { id: string; status: string }> {
  /** Counts every PUT, PATCH and DELETE, and each end of a delete: a list from before may be stale. */
  changeCount = 0;
  private readonly lists: Lists<Wire>;

  constructor(
    private readonly client: Client,
    readonly path: string,
    private readonly schema: z.ZodType<Wire>,
  ) {
    this.lists = new Lists(schema, `GET ${path}`);
  }

  /** Returns every entry that the filters match, or more: the service may ignore filters. @throws FrontdoorError. */
  list(query: Query, until: Until, options: ListOptions = {}): Promise<Listed<Wire>> {
    const { isPoll } = options;
    return this.lists.read(
      query,
      async (asked, isMore, read) =>
        (await this.call("GET", "", { query: asked, until, isMore, read, ...(isPoll && { isPoll }) }))
          .body as ReturnType<typeof read>,
      options,
    );
  }

  /** Returns a list that adds up, and reads it again if it does not. @throws FrontdoorError, also if it still does not. */
  async listWhole(query: Query, until: Until, options: ListOptions = {}): Promise<Listed<Wire>> {
    const first = await this.list(query, until, options);
    const listed = first.isWhole ? first : await this.list(query, until, options);
    if (!listed.isWhole) throw lacking(this.path, listed);
    return listed;
  }

  /** Returns one entry with all its fields, or undefined if the service itself says that there is none. @throws FrontdoorError. */
  async get(id: string, until: Until, isPoll?: true): Promise<Wire | undefined> {
    try {
      const label = `GET ${this.path}/${id}`;
      const read = (body: unknown) => entryWithId(checked(this.schema, body, label), id, label);
      return (await this.call("GET", `/${checkedId(id)}`, { until, read, ...(isPoll && { isPoll }) })).body as Wire;
    } catch (error) {
      await refuseUnlessGone(this, id, error, until);
      return undefined;
    }
  }

  /**
   * Sends a create; returns the id in the answer, if it has one. Calls `onSend` before each request.
   * @throws FrontdoorError, also if the id has other characters than an id can have.
   */
  async create(body: object, until: Until, onSend: () => void): Promise<string | undefined> {
    const answer = await this.call("POST", "", { body, until, onSend });
    const id = typeof answer.body === "object" && answer.body ? valueOf(answer.body, "id") : undefined;
    if (id == null || id === "") return wireId.safeParse(idIn(answer.location, this.path)).data;
    const parsed = wireId.safeParse(id);
    if (!parsed.success) throw failed(answeredIdWrong(`POST ${this.path}`, id));
    return parsed.data;
  }

  /** Sends a full (PUT) or partial (PATCH) update. Calls `onSend` before each request. @throws FrontdoorError, also if the answer describes another entry. */
  async write(
    method: "PUT" | "PATCH",
    id: string,
    body: object,
    until: Until,
    onSend: () => void = () => undefined,
  ): Promise<void> {
    const read = (shown: unknown) => {
      // The answer need not describe an entry at all (spec: not shown).
      const wire = this.schema.safeParse(shown).data;
      return wire && entryWithId(wire, id, `${method} ${this.path}/${id}`);
    };
    await this.call(method, `/${checkedId(id)}`, { body, until, read, onSend });
  }

  /** Sends a delete; returns true if the service says that there is nothing to delete. @throws FrontdoorError. */
  async remove(id: string, until: Until): Promise<boolean> {
    try {
      await this.call("DELETE", `/${checkedId(id)}`, { until });
      return false;
    } catch (error) {
      await refuseUnlessGone(this, id, error, until);
      return true;
    }
  }

  /** Reads below one entry, such as `/tunnel-config`. @throws FrontdoorError. */
  async below<T>(
    id: string,
    name: string,
    schema: z.ZodType<T>,
    call: Pick<Call, "until" | "query" | "accept" | "isPoll">,
  ): Promise<T> {
    const answer = await this.call("GET", `/${checkedId(id)}/${name}`, call);
    return checked(schema, answer.body, `GET ${this.path}/${id}/${name}`);
  }

  private async call(method: Call["method"], path: string, call: Omit<Call, "method" | "path">): Promise<Answer> {
    const isChange = method !== "GET" && method !== "POST";
    if (isChange) this.changeCount += 1;
    try {
      return await this.client.call({ ...call, method, path: `${this.path}${path}` });
    } finally {
      if (isChange) this.changeCount += 1;
    }
  }
}

/**
 * Returns if the error says that there is no such resource. A 403 says so only together with the front door's list, because it can also
 * mean that the token grants no access. @throws the error; or the list's own, if the front door shows no list.
 */
async function refuseUnlessGone<Wire extends { id: string; status: string }>(
  calls: Pick<Collection<Wire>, "listWhole">,
  id: string,
  error: unknown,
  until: Until,
): Promise<void> {
  if (isRefused(error, 404, 410)) return;
  if (!isHidden(error)) throw error;
  if (await isAbsent(calls, id, until)) return;
  const { message, trouble } = error as FrontdoorError;
  const action =
    "The front door's list does not prove that it is gone. Set a token with access to it. [access-refused]";
  throw new FrontdoorError(`${problemIn(message)}. ${action}`, trouble);
}

/** Returns the entry. @throws FrontdoorError `unexpected-response` if it has another id. */
function entryWithId<Wire extends { id: string }>(wire: Wire, id: string, label: string): Wire {
  if (wire.id === id) return wire;
  const trouble: Trouble = { kind: "unexpected-response", status: 200, paths: ["id"] };
  throw new FrontdoorError(
    `${label}: the answer describes another resource. Check the address in frontdoor:baseUrl. [unusable-answer]`,
    trouble,
  );
}

/** Returns the id of a `Location` in this collection; the `Location` of an operation has none. */
const idIn = (location: string | undefined, path: string): string | undefined =>
  location
    ?.replace(/[?#].*$/, "")
    .split(`${path.slice(path.lastIndexOf("/"))}/`)
    .at(1);

/** Returns the id if it is safe in a path. @throws FrontdoorError `failed`. */
function checkedId(id: string): string {
  if (idPattern.test(id)) return id;
  throw failed(
    "An id must be 1 to 128 letters, digits or characters of `._:~-`. Nothing was sent. Correct the id of this resource. [invalid-id]",
  );
}
