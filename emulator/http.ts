import { BlockList, isIPv4 } from "node:net";
import type { HttpBindings } from "@hono/node-server";
import type { Context } from "hono";
import * as z from "zod";
import type { Settings } from "./settings";
import { living, shownAt, type State, type Table, type World } from "./world";
import type { Kind, Status } from "./records";

/** An answer with an error, thrown at the place of the decision (spec: Errors). */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly error: string,
    message: string,
  ) {
    super(message);
  }
}

/** Returns a 400 in the only form of message that the spec shows. */
export function invalid(settings: Settings, property: string, type: string): Refusal {
  const quote = settings.messageQuote;
  return new Refusal(
    400,
    "invalid_request",
    `Value for ${quote}${property}${quote} must be of ${quote}${type}${quote}`,
  );
}

/** Returns a 401: the token is missing, invalid or expired. */
export function unauthorized(settings: Settings): Refusal {
  return new Refusal(401, "unauthorized", settings.tokenRejectedMessage);
}

/** Returns a 403. The spec calls a front door without access not found. */
export function noSuchFrontdoor(frontdoorId: string): Refusal {
  return new Refusal(403, "not_found", `Front door with identifier ${frontdoorId} was not found`);
}

/** Returns the answer for an unknown tunnel, share or path. The spec does not show its status and code. */
export function notFound(settings: Settings, what: string): Refusal {
  return new Refusal(settings.notFoundStatus, settings.notFoundError, `${what} was not found`);
}

/** Returns the answer for a write that conflicts with an existing resource. The spec does not show it. */
export function conflict(settings: Settings, message: string): Refusal {
  const status = settings.conflictStatus;
  return new Refusal(status, status === 400 ? "invalid_request" : "conflict", message);
}

/** Returns the answer for a refusal, or for a defect of the emulator. */
export function refusalAnswer(error: unknown): Response {
  if (error instanceof Refusal) {
    return Response.json({ error: error.error, message: error.message }, { status: error.status });
  }
  if (error instanceof z.ZodError || error instanceof SyntaxError) {
    // Only the admin endpoints let these through: the service's own bodies have the spec's message.
    const message = error instanceof z.ZodError ? z.prettifyError(error) : error.message;
    return Response.json({ error: "invalid_request", message }, { status: 400 });
  }
  const message = error instanceof Error ? error.message : String(error);
  return Response.json({ error: "internal_error", message: `The emulator failed: ${message}` }, { status: 500 });
}

/** Returns the content type that the Accept header asks for: JSON or HAL. */
function jsonAnswer(accept: string | undefined, body: unknown, status = 200): Response {
  const hal = accept?.includes("application/hal+json") && !accept.includes("application/json");
  return Response.json(body, {
    status,
    headers: { "content-type": hal ? "application/hal+json" : "application/json" },
  });
}

/** Returns the answer to an accepted write: the resource or no body. */
export function acceptedAnswer(accept: string | undefined, body: unknown, status: number, withBody: boolean): Response {
  return withBody && status !== 204 ? jsonAnswer(accept, body, status) : new Response(null, { status });
}

export interface Routes {
  Bindings: HttpBindings;
}

export type Request = Context<Routes>;

/** Answers with JSON, in the content type that the client accepts. */
export function answer(c: Request, body: unknown): Response {
  return jsonAnswer(c.req.header("accept"), body);
}

/** Answers with a page of a list, as in the spec or as HAL. An empty HAL list has no `_embedded`. */
export function listAnswer(world: World, c: Request, kind: Kind, page: Page<object>): Response {
  const { listForm } = world.settings;
  const accept = c.req.header("accept") ?? "";
  const wantsHal = accept.includes("application/hal+json") && !accept.includes("application/json");
  if (listForm === "content" || (listForm === "as accepted" && !wantsHal)) return answer(c, page);
  const { content, pageable, totalElements, totalPages } = page;
  const { pathname } = new URL(c.req.url);
  const name = `ipsec${kind.charAt(0).toUpperCase()}${kind.slice(1)}s`;
  return answer(c, {
    ...(content.length > 0 && { _embedded: { [name]: content } }),
    _links: { self: { href: pathname } },
    page: { size: pageable.pageSize, totalElements, totalPages, number: pageable.pageNumber },
  });
}

/** Returns the resource for a GET, with the read lag. @throws Refusal if it is not found. */
export function readState<Fields extends { frontdoorId: string }>(
  world: World,
  table: Table<Fields>,
  c: Request,
): State<Fields> {
  const id = c.req.param("id") ?? "";
  const history = table.get(id, c.req.param("frontdoorId"));
  const state = history && shownAt(world, history, world.clock.now() - world.settings.readLagMs);
  if (!state || state.fields.frontdoorId !== c.req.param("frontdoorId")) {
    throw notFound(world.settings, `IPsec ${table.kind} ${id}`);
  }
  return state;
}

/** Returns the resources of one front door for a list, with the list lag, in order of creation. */
export function listStates<Fields extends { frontdoorId: string }>(
  world: World,
  table: Table<Fields>,
  frontdoorId: string,
): State<Fields>[] {
  const time = world.clock.now() - world.settings.listLagMs;
  return table
    .all()
    .flatMap((history) => shownAt(world, history, time) ?? [])
    .filter(({ fields }) => fields.frontdoorId === frontdoorId)
    .filter(({ status }) => status !== "DELETED" || world.settings.deletedListed);
}

/** Returns the present resource for a write, without lag. @throws Refusal if it is not found or DELETED. */
export function writableState<Fields extends { frontdoorId: string }>(
  world: World,
  table: Table<Fields>,
  c: Request,
): State<Fields> {
  const id = c.req.param("id") ?? "";
  const state = living(world, table, c.req.param("frontdoorId")).find((each) => each.id === id);
  if (!state) {
    throw notFound(world.settings, `IPsec ${table.kind} ${id}`);
  }
  return state;
}

/** Returns the parsed body. It refuses a body that is no JSON with 400. */
export async function jsonBody(settings: Settings, c: Request): Promise<unknown> {
  const type = c.req.header("content-type") ?? "";
  if (!/^application\/(?:[a-z.]+\+)?json *(?:;|$)/i.test(type)) {
    throw invalid(settings, "Content-Type", "application/json");
  }
  try {
    return JSON.parse(await c.req.text()) as unknown;
  } catch {
    throw invalid(settings, "body", "JSON object");
  }
}

/** Returns the fields as an answer shows them: null and "" in the form of the settings. */
export function answerFields(settings: Settings, record: object, empty: readonly string[]): Record<string, unknown> {
  const entries = Object.entries(respelled(settings, record)).map(([key, value]: [string, unknown]) => {
    if (value === null) return [key, settings.unsetAs] as const;
    if (value === "" && empty.includes(key)) return [key, settings.emptyAs] as const;
    return [key, value] as const;
  });
  return Object.fromEntries(entries.filter(([, value]) => value !== "absent"));
}

const spellings = {
  upper: (text: string) => text.toUpperCase(),
  lower: (text: string) => text.toLowerCase(),
  text: (text: string) => text,
  other: (text: string) => (text.startsWith("x-") ? text : `x-${text}`),
};

/** Returns the record in the spelling of the settings. Filters compare with it. */
export function respelled<Item extends object>({ spellings: chosen }: Settings, record: Item): Item {
  const entries = Object.entries(record).map(([key, value]: [string, unknown]) => {
    const spelling = chosen[key];
    const isText = typeof value === "number" || (typeof value === "string" && value !== "");
    return [key, spelling && isText ? spellings[spelling](String(value)) : value];
  });
  return Object.fromEntries(entries) as Item;
}

/** True if a setting lists the status. */
export const isIn = (states: readonly Status[], status: Status): boolean => states.includes(status);

/** Spec: Paged list envelope. */
interface Page<Item> {
  content: Item[];
  pageable: { pageNumber: number; pageSize: number };
  totalElements: number;
  totalPages: number;
}

type Value = string | number | null;

interface ListQuery {
  settings: Settings;
  query: URLSearchParams;
  /** Properties to filter and sort by. */
  properties: readonly string[];
  /** The meaning of a repeated filter. */
  repeated: "any" | "first";
}

const control = ["page", "size", "sort"];

/** Filters, sorts and returns a page (spec: Endpoints). It refuses a wrong property with 400. */
export function listPage<Item extends object>(items: Item[], listQuery: ListQuery): Page<Item> {
  const { settings, query, properties } = listQuery;
  const stray = [...query.keys()].find((key) => !control.includes(key) && !properties.includes(key));
  if (stray !== undefined && settings.unknownQuery === "refused") throw invalid(settings, stray, "known property");

  const pageNumber = integer(settings, query, "page", 0, 0);
  const requestedSize = integer(settings, query, "size", settings.defaultPageSize, 1);
  if (requestedSize > settings.maxPageSize && settings.oversizedPage === "refused") {
    throw invalid(settings, "size", `integer from 1 to ${settings.maxPageSize}`);
  }
  const pageSize = Math.min(requestedSize, settings.maxPageSize);

  const found = items.filter(matches(listQuery)).sort(inOrder(listQuery));
  return {
    content: found.slice(pageNumber * pageSize, (pageNumber + 1) * pageSize),
    pageable: { pageNumber, pageSize },
    totalElements: found.length,
    totalPages: Math.ceil(found.length / pageSize),
  };
}

function integer(settings: Settings, query: URLSearchParams, name: string, fallback: number, least: number): number {
  const text = query.get(name);
  if (text === null) return fallback;
  const value = /^[0-9]{1,9}$/.test(text) ? Number(text) : -1;
  if (value < least) throw invalid(settings, name, "integer");
  return value;
}

function matches({ settings, query, properties, repeated }: ListQuery): (item: object) => boolean {
  const honoured = (property: string) =>
    Array.isArray(settings.filtersHonoured) ? settings.filtersHonoured.includes(property) : settings.filtersHonoured;
  const filters = properties
    .filter((property) => query.has(property) && honoured(property))
    .map((property) => {
      const values = query.getAll(property);
      if (property === "ingressPort" && !values.every((value) => /^[0-9]+$/.test(value))) {
        throw invalid(settings, property, "integer");
      }
      return { property, values: new Set(repeated === "any" ? values : values.slice(0, 1)) };
    });
  return (item) => filters.every(({ property, values }) => values.has(String(valueOf(item, property) ?? "")));
}

function inOrder({ settings, query, properties }: ListQuery): (a: object, b: object) => number {
  const sorts = query.getAll("sort");
  const orders = (sorts.length > 0 ? sorts : settings.defaultSort === null ? [] : [settings.defaultSort]).map(
    (sort) => {
      const [property = "", direction = "", ...more] = sort.split(",");
      if (!properties.includes(property) || !["asc", "desc"].includes(direction) || more.length > 0) {
        throw invalid(settings, "sort", "<property>,<asc|desc>");
      }
      return { property, sign: direction === "asc" ? 1 : -1 };
    },
  );
  return (a, b) => {
    for (const { property, sign } of orders) {
      const order = compare(valueOf(a, property), valueOf(b, property));
      if (order !== 0) return sign * order;
    }
    return 0;
  };
}

const valueOf = (item: object, property: string): Value => (item as Record<string, Value>)[property] ?? null;

function compare(a: Value, b: Value): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  const [left, right] = [String(a ?? ""), String(b ?? "")];
  return left < right ? -1 : left > right ? 1 : 0;
}

/* The message of each check is the `<type>` that the spec's 400 names. */

export const text = z.string({ error: "string" }).min(1, { error: "string" });
export const ipv4 = text.refine(isIPv4, { error: "IPv4 address" });
export const cidr = text.refine(isCidr, { error: "IPv4 CIDR block" });
export const hostAndPort = text.refine(isHostAndPort, { error: "host:port" });

/** Spec: the name of a share. */
export const shareName = text
  .max(63, { error: "string of 1 to 63 characters" })
  .regex(/^[A-Za-z0-9-]+$/, { error: "string of letters, digits and hyphens" })
  .regex(/^[^-]/, { error: "string that does not start with a hyphen" })
  .regex(/[^-]$/, { error: "string that does not end with a hyphen" });

/** Accepts read-only fields, because clients send back whole resources. */
const readOnly = ["id", "frontdoorId", "status", "envId", "nlbDnsName", "vpnConnectionId"];

/** Returns the properties that the schema knows. A `locationId` of null is left out, or kept. @throws Refusal for a wrong one. */
export function readBody<Body>(
  settings: Settings,
  schema: z.ZodObject & z.ZodType<Body>,
  body: unknown,
  nullLocation: "drop" | "keep",
): Body {
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    throw invalid(settings, "body", "JSON object");
  }
  const { envId, ...rest } = body as Record<string, unknown>;
  const properties: Record<string, unknown> = rest;
  if ("envZId" in schema.shape && envId !== undefined) {
    if (properties["envZId"] !== undefined && properties["envZId"] !== envId && settings.bothEnvIds === "refused") {
      throw invalid(settings, "envId", "string equal to envZId");
    }
    properties["envZId"] ??= envId;
  }
  if (properties["locationId"] === null) {
    if (settings.nullLocation === "refused") throw invalid(settings, "locationId", "string");
    if (nullLocation === "drop") delete properties["locationId"];
  }
  const known = [...Object.keys(schema.shape), ...readOnly];
  const stray = Object.keys(properties).find((key) => !known.includes(key));
  if (stray !== undefined && settings.unknownProperty === "refused") throw invalid(settings, stray, "known property");
  const parsed = schema.safeParse(properties);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw invalid(settings, String(issue?.path[0] ?? "body"), issue?.message ?? "JSON object");
}

function isCidr(value: string): boolean {
  const [, address = "", length = ""] = /^([0-9.]+)\/([0-9]|[12][0-9]|3[0-2])$/.exec(value) ?? [];
  return length !== "" && isIPv4(address);
}

export function hasHostBits(value: string): boolean {
  const [address = "", length = "32"] = value.split("/");
  const bits = address.split(".").reduce((sum, octet) => sum * 256 + Number(octet), 0);
  return bits % 2 ** (32 - Number(length)) !== 0;
}

function isHostAndPort(value: string): boolean {
  const [, port = ""] = /^(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\]):([0-9]{1,5})$/.exec(value) ?? [];
  return port !== "" && Number(port) >= 1 && Number(port) <= 65535;
}

/** Documentation ranges count as public, because examples use them. */
export const notPublic = new BlockList();
for (const [net, length] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.168.0.0", 16],
  ["224.0.0.0", 3],
] as const) {
  notPublic.addSubnet(net, length);
}
