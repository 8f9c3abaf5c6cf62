import type { ExchangeAction } from "./exchange";

type Json = Record<string, unknown>;

/** Each value of the wrong type: text for numbers, numbers for text, an object for a list. */
function wrongTypes(value: unknown): unknown {
  if (Array.isArray(value)) return { 0: wrongTypes(value[0]) };
  if (typeof value === "object" && value !== null) return mapped(value, wrongTypes);
  return typeof value === "string" ? 7 : "seven";
}

const mapped = (value: object, change: (each: unknown) => unknown): Json =>
  Object.fromEntries(Object.entries(value).map(([key, each]: [string, unknown]) => [key, change(each)]));

/** The resources of an answer, whether it is one or a list of them. */
function eachResource(body: unknown, change: (resource: Json) => Json): unknown {
  const { content } = body as { content?: Json[] };
  return content === undefined ? change(body as Json) : { ...(body as Json), content: content.map(change) };
}

const surplus = { quota: { used: 3 }, labels: ["a"], __proto_: 1, constructor: "x" };

/** The changes of an answer's JSON. */
const shapes = {
  "wrong types": wrongTypes,
  nulls: (body: unknown) => mapped(body as Json, () => null),
  "null body": () => null,
  list: (body: unknown) => [body],
  text: () => "accepted",
  empty: () => ({}),
  "unknown fields": (body: unknown) =>
    eachResource({ ...(body as Json), ...surplus }, (resource) => ({ ...resource, ...surplus })),
  "unknown status": (body: unknown) => eachResource(body, (resource) => ({ ...resource, status: "REBALANCING" })),
  "no id": (body: unknown) => eachResource(body, ({ id: _id, ...rest }) => rest),
  "other id": (body: unknown) => eachResource(body, (resource) => ({ ...resource, id: "other-1" })),
} satisfies Record<string, (body: unknown) => unknown>;

export type Shape = keyof typeof shapes;
export const shapeNames = Object.keys(shapes) as [Shape, ...Shape[]];

/** Does the work and changes the JSON of its answer. Other answers stay as they are. */
export function reshaping({ shape }: { shape: Shape }): ExchangeAction {
  return async (work) => {
    const answer = await work();
    const text = await answer.clone().text();
    if (!text.startsWith("{")) return answer;
    return Response.json(shapes[shape](JSON.parse(text)), { status: answer.status });
  };
}

/**
 * Shifts the pages of a list, as if the list changed between two pages. From the second page on, `skip` omits the first entry, and
 * `repeat` repeats the last entry of the previous page.
 */
export function shifting({ change }: { change: "skip" | "repeat" }): ExchangeAction {
  let before: unknown[] = [];
  return async (work, { query }) => {
    const answer = await work();
    if (!answer.ok) return answer;
    const body = (await answer.clone().json()) as { content?: unknown[] };
    const { content } = body;
    if (!content) return answer;
    const isFirst = (new URLSearchParams(query).get("page") ?? "0") === "0";
    const shifted = isFirst ? content : change === "skip" ? content.slice(1) : [...before.slice(-1), ...content];
    before = content;
    return Response.json({ ...body, content: shifted }, { status: answer.status });
  };
}
