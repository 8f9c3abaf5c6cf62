import type { Hono } from "hono";
import type * as z from "zod";
import {
  acceptedAnswer,
  answer,
  answerFields,
  conflict,
  invalid,
  isIn,
  jsonBody,
  listAnswer,
  listPage,
  listStates,
  readBody,
  readState,
  type Request,
  respelled,
  type Routes,
  writableState,
} from "./http";
import type { Status } from "./records";
import type { Settings } from "./settings";
import { beginWork, forgetDeleted, insert, type State, type Table, type World } from "./world";

/** The stored fields that every kind has. */
interface Stored {
  frontdoorId: string;
}

/** What one kind of resource has of its own. `Body` is what a client sends. */
export interface Definition<Fields extends Stored = Stored, Body = unknown> {
  /** Ids are this and a number. */
  idPrefix: string;
  /** The wire fields in order. Lists are filtered and sorted by them. */
  properties: readonly string[];
  /** The fields of list entries and of answers to writes; all when left out. */
  entryProperties?: readonly string[];
  /** Fields that are "" until the resource has been DEPLOYED. */
  untilDeployed?: readonly string[];
  body: z.ZodObject & z.ZodType<Body>;
  /** The body of a PATCH. Without it there is no PATCH and no PUT. */
  patch?: z.ZodObject;
  /** Returns the fields that the write leads to. `old` is the resource of an update. @throws Refusal if they are not possible now. */
  placed(world: World, frontdoorId: string, body: Body, old?: State<Fields>): Fields;
  /** @throws Refusal if the resource must stay. */
  checkDelete?(world: World, state: State<Fields>): void;
  /** What a get shows; all fields when left out. */
  shown?(world: World, state: State<Fields>): Record<string, unknown>;
  /** The meaning of a filter given more than once; any of the values when left out. */
  repeatedFilter?(settings: Settings): "any" | "first";
  /** Adds the endpoints that only this kind has. */
  routes?(app: Hono<Routes>, world: World): void;
}

/** Returns all wire fields. */
export function recordOf<Fields extends Stored>(
  { properties, untilDeployed = [] }: Pick<Definition, "properties" | "untilDeployed">,
  { id, fields, status, deployed }: Omit<State<Fields>, "seq" | "since">,
) {
  const values = new Map<string, unknown>(Object.entries({ ...fields, id, status }));
  const isUnknown = (property: string) => !deployed && untilDeployed.includes(property);
  const entries = properties.map((property) => [property, isUnknown(property) ? "" : values.get(property)] as const);
  return Object.fromEntries(entries) as Omit<Fields, "psk"> & { id: string; status: Status };
}

/** Adds the endpoints of a kind (spec: Endpoints). */
export function resourceRoutes(app: Hono<Routes>, world: World, table: Table<Stored>, definition: Definition): void {
  const { settings } = world;
  const { properties, entryProperties = properties } = definition;
  const frontdoorOf = (c: Request) => c.req.param("frontdoorId") ?? "";

  const entry = (record: object) =>
    answerFields(
      settings,
      Object.fromEntries(Object.entries(record).filter(([key]) => entryProperties.includes(key))),
      [],
    );
  const accepted = (c: Request, state: Parameters<typeof recordOf>[1], status: number, withBody: boolean) => {
    const body = entry(recordOf(definition, state));
    const response = acceptedAnswer(c.req.header("accept"), body, status, withBody);
    return c.newResponse(response.body, response);
  };
  const written = (state: State<Stored>, op: "update" | "delete", fields: Stored) => {
    const history = table.get(state.id, state.fields.frontdoorId);
    const isDeployed = op === "delete" && state.deployed;
    if (history) table.append(history, beginWork(world, { kind: table.kind, op }, fields, isDeployed));
  };

  app.get("/", (c) => {
    const records = listStates(world, table, frontdoorOf(c)).map((state) =>
      respelled(settings, recordOf(definition, state)),
    );
    const query = new URL(c.req.url).searchParams;
    const repeated = definition.repeatedFilter?.(settings) ?? "any";
    const page = listPage(records, { settings, query, properties, repeated });
    return listAnswer(world, c, table.kind, { ...page, content: page.content.map(entry) });
  });

  app.get("/:id", (c) => {
    const state = readState(world, table, c);
    return answer(c, definition.shown?.(world, state) ?? answerFields(settings, recordOf(definition, state), []));
  });

  app.post("/", async (c) => {
    const body = readBody(settings, definition.body, await jsonBody(settings, c), "drop");
    const fields = definition.placed(world, frontdoorOf(c), body);
    forgetDeleted(world, table);
    const { id } = insert(world, table, beginWork(world, { kind: table.kind, op: "create" }, fields, false));
    if (settings.createLocationHeader) c.header("location", `${new URL(c.req.url).pathname}/${id}`);
    return accepted(c, { id, fields, status: "NEW", deployed: false }, settings.createStatus, settings.createBody);
  });

  app.delete("/:id", (c) => {
    const state = writableState(world, table, c);
    if (!isIn(settings.deleteAcceptedIn, state.status)) {
      throw conflict(settings, `IPsec ${table.kind} ${state.id} is ${state.status} and cannot be deleted now`);
    }
    definition.checkDelete?.(world, state);
    // A second DELETE, where it is accepted, must not begin the teardown anew.
    if (state.status !== "DELETING") written(state, "delete", state.fields);
    return accepted(c, { ...state, status: "DELETING" }, settings.deleteStatus, settings.deleteBody);
  });

  definition.routes?.(app, world);
  const { patch } = definition;
  if (!patch) return;

  const updatable = (c: Request) => {
    const state = writableState(world, table, c);
    if (isIn(settings.updateAcceptedIn, state.status)) return state;
    throw conflict(settings, `IPsec ${table.kind} ${state.id} is ${state.status} and cannot be updated now`);
  };
  /** An update recreates the resource, with the same path as a create (spec). */
  const update = (c: Request, state: State<Stored>, body: unknown) => {
    const fields = definition.placed(world, state.fields.frontdoorId, body, state);
    written(state, "update", fields);
    return accepted(c, { ...state, fields, status: "NEW" }, settings.updateStatus, settings.updateBody);
  };

  app.put("/:id", async (c) => {
    const body = readBody(settings, definition.body, await jsonBody(settings, c), "drop");
    return update(c, updatable(c), body);
  });

  app.patch("/:id", async (c) => {
    const changes = readBody(settings, patch, await jsonBody(settings, c), "keep");
    const state = updatable(c);
    const named = Object.keys(changes).length > 0;
    if (!named && settings.emptyPatch === "refused") {
      throw invalid(settings, "body", "object with a property to change");
    }
    if (!named && settings.emptyPatch === "ignored") {
      return accepted(c, state, settings.updateStatus, settings.updateBody);
    }
    // A null clears: the service chooses as if the client had named none.
    const merged = Object.entries<unknown>({ ...state.fields, ...changes }).filter(([, value]) => value !== null);
    return update(c, state, Object.fromEntries(merged));
  });
}
