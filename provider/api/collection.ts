import type * as z from "zod";
import type { Until } from "../time";
import { idPattern } from "../config";
import { failed, FrontdoorError, isHidden, isMisfit, isRefused, problemIn, type Trouble } from "../errors";
import { valueOf } from "../fields/field";
import type { Call } from "../http/client";
import { type Listed, type ListOptions, Lists, type Odd, type Query } from "./lists";
import { answeredIdWrong, listedIdWrong } from "../messages";
import { checked, isPresent, type Named, wireId } from "./wire";

/** The calls that tunnels and shares have in common (spec: Endpoints), for one front door. */
export class Collection<Wire extends { id: string; status: string }> extends Lists<Wire> {
  /** Counts every PUT, PATCH and DELETE, and each end of a delete: a list from before may be stale. */
  changeCount = 0;

  /** Returns a list that adds up, and reads it again if it does not. @throws FrontdoorError, also if it still does not. */
  async listWhole(query: Query, until: Until, options: ListOptions = {}): Promise<Listed<Wire>> {
    const first = await this.list(query, until, options);
    const listed = first.isWhole ? first : await this.list(query, until, options);
    if (!listed.isWhole) throw contradicting(this.path, listed);
    return listed;
  }

  /** Returns one entry with all its fields, or undefined if the service itself says that there is none. @throws FrontdoorError. */
  async get(id: string, until: Until, isPoll?: true): Promise<Wire | undefined> {
    const label = `GET ${this.path}/${id}`;
    const { urlPlace } = this.client;
    const read = (body: unknown) => entryWithId(checked(this.schema, body, label, urlPlace), id, label, urlPlace);
    return (await this.body(id, { until, read, ...(isPoll && { isPoll }) })) as Wire | undefined;
  }

  /** Returns an entry with all that the service shows of it; an empty object if the service says that there is none. @throws FrontdoorError. */
  async shown(id: string, until: Until): Promise<object> {
    const body = await this.body(id, { until });
    return typeof body === "object" && body !== null ? body : {};
  }

  /** Returns the body of one entry; undefined if the service itself says that there is none. @throws FrontdoorError. */
  private async body(id: string, call: Pick<Call, "until" | "read" | "isPoll">): Promise<unknown> {
    try {
      return (await this.client.call({ ...call, method: "GET", path: this.pathOf(id) })).body;
    } catch (error) {
      await refuseUnlessGone(this, id, error, call.until);
      return undefined;
    }
  }

  /**
   * Sends a create; returns the id in the answer, if it has one. Calls `onSend` before each request.
   * @throws FrontdoorError, also if the id has other characters than an id can have.
   */
  async create(body: object, until: Until, onSend: () => void): Promise<string | undefined> {
    const answer = await this.client.call({ method: "POST", path: this.path, body, until, onSend });
    const id = typeof answer.body === "object" && answer.body ? valueOf(answer.body, "id") : undefined;
    // A number need not be an id of this collection: a list has to tell.
    if (id == null || id === "" || typeof id === "number")
      return wireId.safeParse(idIn(answer.location, this.path)).data;
    const parsed = wireId.safeParse(id);
    if (!parsed.success) throw failed(answeredIdWrong(`POST ${this.path}`, id));
    return parsed.data;
  }

  /** Sends a full (PUT) or partial (PATCH) update. Calls `onSend` before each request. @throws FrontdoorError, also if the answer describes another entry. */
  async write(method: "PUT" | "PATCH", id: string, body: object, until: Until, onSend: () => void): Promise<void> {
    const read = (shown: unknown) => {
      // The answer need not describe an entry at all (spec: not shown).
      const wire = this.schema.safeParse(shown).data;
      return wire && entryWithId(wire, id, `${method} ${this.path}/${id}`, this.client.urlPlace);
    };
    const path = this.pathOf(id);
    this.changeCount += 1;
    try {
      await this.client.call({ method, path, body, until, read, onSend });
    } finally {
      this.changeCount += 1;
    }
  }

  /** Sends a delete; returns true if the service says that there is nothing to delete. Calls `onSend` before the request. @throws FrontdoorError. */
  async remove(id: string, until: Until, onSend: () => void): Promise<boolean> {
    const path = this.pathOf(id);
    this.changeCount += 1;
    try {
      await this.client.call({ method: "DELETE", path, until, onSend });
      return false;
    } catch (error) {
      await refuseUnlessGone(this, id, error, until);
      return true;
    } finally {
      this.changeCount += 1;
    }
  }

  /** Reads below one entry, such as `/tunnel-config`. @throws FrontdoorError. */
  async below<T>(
    id: string,
    name: string,
    schema: z.ZodType<T>,
    call: Pick<Call, "until" | "query" | "accept" | "isPoll">,
  ): Promise<T> {
    const answer = await this.client.call({ ...call, method: "GET", path: `${this.pathOf(id)}/${name}` });
    return checked(schema, answer.body, `GET ${this.path}/${id}/${name}`, this.client.urlPlace);
  }

  /** Returns the path of one entry. @throws FrontdoorError `failed` if the id is not safe in a path. */
  private pathOf(id: string): string {
    return `${this.path}/${checkedId(id)}`;
  }
}

/** True if a whole list lacks the id, or shows it as DELETED. @throws FrontdoorError, also for a list that may lack entries. */
export async function isAbsent<Wire extends { id: string; status: string }>(
  calls: Pick<Collection<Wire>, "listWhole">,
  id: string,
  until: Until,
): Promise<boolean> {
  const { entries, ids } = await calls.listWhole([["id", id]], until);
  return !ids.has(id) || entries.some((entry) => entry.id === id && entry.status === "DELETED");
}

/** Returns the error of a list that does not add up. */
const contradicting = (path: string, { ids, total }: Pick<Listed<never>, "ids" | "total">) =>
  new FrontdoorError(
    `GET ${path}: Frontdoor's pages show ${ids.size} of ${total} entries, also when read again. So the list is not complete. ` +
      "Try again later. If it happens again, report it to NetFoundry. [list-contradicts-itself]",
    { kind: "unexpected-response", status: 200, paths: ["content"], isMisfit: true },
  );

/** Returns the entries of a name that are not DELETING or DELETED. An odd entry of the name, or of none, is read by its id. @throws FrontdoorError. */
export async function present<Wire extends Named>(
  calls: Pick<Collection<Wire>, "get">,
  { entries, odd }: Listed<Wire>,
  isNamed: (name: string) => boolean,
  until: Until,
): Promise<Wire[]> {
  const meant = odd.filter(({ name }) => name === undefined || isNamed(name));
  const unusable = meant.find(({ name, id }) => name !== undefined && !idPattern.test(id));
  if (unusable) throw failed(listedIdWrong(unusable.id));
  const unclear = meant.filter(({ id }) => idPattern.test(id));
  const read = ({ id, name }: Odd) =>
    calls.get(id, until).catch((error: unknown) => {
      // An entry without a name must not block every other name.
      if (name !== undefined || !isMisfit(error)) throw error;
      return undefined;
    });
  return [...entries, ...(await Promise.all(unclear.map(read)))]
    .filter((entry) => entry !== undefined)
    .filter((entry) => isNamed(entry.name) && isPresent(entry));
}

/**
 * Does nothing if the error says that there is no such resource. A 403, and a 404 that names a path, say so only together with the front
 * door's list. @throws the error; or the list's own, if the front door shows no list.
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
  if (!isRefused(error, 403)) throw error;
  const { message, trouble } = error as FrontdoorError;
  const action =
    "The front door's list does not prove that it is gone. Set a token with access to it. [access-refused]";
  throw new FrontdoorError(`${problemIn(message)}. ${action}`, trouble);
}

/** Returns the entry. @throws FrontdoorError `unexpected-response` if it has another id. */
function entryWithId<Wire extends { id: string }>(wire: Wire, id: string, label: string, urlPlace: string): Wire {
  if (wire.id === id) return wire;
  const trouble: Trouble = { kind: "unexpected-response", status: 200, paths: ["id"] };
  throw new FrontdoorError(
    `${label}: the response describes another resource. Check the URL in ${urlPlace}. [unusable-answer]`,
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
