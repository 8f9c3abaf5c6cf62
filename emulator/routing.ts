import type { HttpBindings } from "@hono/node-server";
import type { Context } from "hono";
import { checkAccept, invalid, jsonAnswer, notFound } from "./answers";
import type { State } from "./history";
import type { Page } from "./listing";
import type { Kind, Status } from "./records";
import type { Settings } from "./settings";
import type { Table } from "./store";
import { living, shownAt, type World } from "./world";

export interface Routes {
  Bindings: HttpBindings;
}

export type Request = Context<Routes>;

const what: Record<Kind, string> = { tunnel: "IPsec tunnel", share: "IPsec share" };

/** Answers with JSON, in the content type that the client accepts. */
export function answer(world: World, c: Request, body: unknown): Response {
  const accept = c.req.header("accept");
  checkAccept(world.settings, accept, ["application/json", "application/hal+json"]);
  return jsonAnswer(accept, body);
}

/** Answers with a page of a list, as in the spec or as HAL. An empty HAL list has no `_embedded`. */
export function listAnswer(world: World, c: Request, page: Page<object>): Response {
  const { listForm } = world.settings;
  const accept = c.req.header("accept") ?? "";
  const isHalAsked = accept.includes("application/hal+json") && !accept.includes("application/json");
  if (listForm === "content" || (listForm === "as accepted" && !isHalAsked)) return answer(world, c, page);
  const { content, pageable, totalElements, totalPages } = page;
  const { pathname } = new URL(c.req.url);
  const name = pathname.endsWith("tunnels") ? "ipsecTunnels" : "ipsecShares";
  return answer(world, c, {
    ...(content.length > 0 && { _embedded: { [name]: content } }),
    _links: { self: { href: pathname } },
    page: { size: pageable.pageSize, totalElements, totalPages, number: pageable.pageNumber },
  });
}

/** Returns the resource for a GET, with the read lag. @throws Refusal if it is not found. */
export function readState<Fields extends { frontdoorId: string }>(
  world: World,
  table: Table<Fields>,
  kind: Kind,
  c: Request,
): State<Fields> {
  const id = c.req.param("id") ?? "";
  const history = table.get(id, c.req.param("frontdoorId"));
  const state = history && shownAt(world, history, world.clock.now() - world.settings.readLagMs);
  if (!state || state.fields.frontdoorId !== c.req.param("frontdoorId")) {
    throw notFound(world.settings, `${what[kind]} ${id}`);
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
  kind: Kind,
  c: Request,
): State<Fields> {
  const id = c.req.param("id") ?? "";
  const frontdoorId = c.req.param("frontdoorId");
  const state = living(world, table).find((each) => each.id === id && each.fields.frontdoorId === frontdoorId);
  if (!state) {
    throw notFound(world.settings, `${what[kind]} ${id}`);
  }
  return state;
}

/** Returns the parsed body. It refuses a body that is no JSON with 400. */
export async function jsonBody(settings: Settings, c: Request): Promise<unknown> {
  const type = c.req.header("content-type") ?? "";
  if (settings.contentTypeRequired && !/^application\/(?:[a-z.]+\+)?json *(?:;|$)/i.test(type)) {
    throw invalid(settings, "Content-Type", "application/json");
  }
  try {
    return JSON.parse(await c.req.text()) as unknown;
  } catch {
    throw invalid(settings, "body", "JSON object");
  }
}

/** Returns null and "" in the form of the settings. */
export function shown(settings: Settings, record: object, empty: readonly string[]): Record<string, unknown> {
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
