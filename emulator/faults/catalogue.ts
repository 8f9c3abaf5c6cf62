import * as z from "zod";
import {
  answering,
  bombing,
  committingLate,
  cutting,
  delaying,
  dropping,
  endless,
  type Exchange,
  type ExchangeAction,
  garbage,
  htmlPage,
  limiting,
  redirecting,
  type Rule,
  sameRequest,
  trickling,
  type RequestFilter,
} from "./actions";
import { kinds } from "../records";

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

type Shape = keyof typeof shapes;
const shapeNames = Object.keys(shapes) as [Shape, ...Shape[]];

/** Does the work and changes the JSON of its answer. Other answers stay as they are. */
function reshaping({ shape }: { shape: Shape }): ExchangeAction {
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
function shifting({ change }: { change: "skip" | "repeat" }): ExchangeAction {
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

const times = z.int().min(1).optional();
const work = { kind: z.enum(kinds), op: z.enum(["create", "update", "delete"]), times };
const skip = z.int().min(0).optional();
const text = z.string().optional();
const where = { method: text, path: text, pathPattern: text, times, skip };
const when = z.enum(["before", "after"]).optional();
const delayMs = z.number().min(0);
const status = z.int().min(200).max(599);
const headerName = z.string().regex(/^[\w!#$%&'*+.^`|~-]+$/, "is no name of an HTTP header");
// eslint-disable-next-line no-control-regex -- HTTP forbids them in a value.
const headerValue = z.string().regex(/^[^\0-\x08\n-\x1f\x7f\u0100-\uffff]*$/, "is no value of an HTTP header");
const answer = { status, headers: z.record(headerName, headerValue).optional(), body: z.unknown().optional() };

/** A fault of requests, as JSON: `fault` says which, `path` is a prefix, `pathPattern` a regular expression. */
export const requestFaultSchema = z.discriminatedUnion("fault", [
  z.strictObject({ fault: z.literal("answer"), ...where, when, ...answer }),
  z.strictObject({ fault: z.literal("html"), ...where, when, status: status.optional() }),
  z.strictObject({ fault: z.literal("garbage"), ...where, when }),
  z.strictObject({ fault: z.literal("redirect"), ...where, when, status, location: headerValue.optional() }),
  z.strictObject({ fault: z.literal("drop"), ...where, when }),
  z.strictObject({ fault: z.literal("delay"), ...where, delayMs }),
  z.strictObject({ fault: z.literal("late"), ...where, delayMs, answer: z.strictObject(answer).optional() }),
  z.strictObject({ fault: z.literal("cut"), ...where }),
  z.strictObject({ fault: z.literal("endless"), ...where }),
  z.strictObject({ fault: z.literal("trickle"), ...where }),
  z.strictObject({ fault: z.literal("bomb"), ...where }),
  z.strictObject({ fault: z.literal("shape"), ...where, shape: z.enum(shapeNames) }),
  z.strictObject({ fault: z.literal("pages"), ...where, change: z.enum(["skip", "repeat"]) }),
  z.strictObject({
    fault: z.literal("limit"),
    ...where,
    perSecond: z.number().positive(),
    retryAfter: headerValue.nullable().optional(),
  }),
]);

/** A fault of work, as JSON. */
export const workFaultSchema = z.discriminatedUnion("fault", [
  z.strictObject({ fault: z.literal("fail"), ...work }),
  z.strictObject({ fault: z.literal("stick"), ...work }),
]);

type Named = z.infer<typeof requestFaultSchema>;

/** The same in code, whose path can be a regular expression. */
export type RequestFault = Named extends infer Each
  ? Each extends Named
    ? Omit<Each, keyof RequestFilter> & RequestFilter
    : never
  : never;

function actionOf(fault: RequestFault): ExchangeAction {
  switch (fault.fault) {
    case "answer":
      return answering(fault);
    case "html":
      return answering({ ...htmlPage(fault.status ?? 200), when: fault.when });
    case "garbage":
      return answering({ ...garbage, when: fault.when });
    case "redirect":
      return redirecting(fault);
    case "drop":
      return dropping(fault);
    case "delay":
      return delaying(fault);
    case "late":
      return committingLate(fault);
    case "cut":
      return cutting;
    case "endless":
      return endless;
    case "trickle":
      return trickling;
    case "bomb":
      return bombing;
    case "shape":
      return reshaping(fault);
    case "pages":
      return shifting(fault);
    case "limit":
      return limiting(fault).action;
  }
}

/** Returns the rule of a fault. A limit and shifting pages last until they are removed. By default, other faults happen once. */
export function ruleOf(fault: RequestFault): Rule<Exchange, ExchangeAction> {
  const pattern = fault.pathPattern === undefined ? undefined : new RegExp(fault.pathPattern);
  const isSameRequest = sameRequest(pattern ? { ...fault, path: pattern } : fault);
  let toSkip = fault.skip ?? 0;
  const isMatch = (exchange: Exchange) => isSameRequest(exchange) && toSkip-- <= 0;
  const lasting = fault.fault === "limit" || fault.fault === "pages";
  const times = fault.times ?? (lasting ? Infinity : 1);
  if (fault.fault !== "limit") return { match: isMatch, times, action: actionOf(fault) };
  const { isAbove, action } = limiting(fault);
  return { match: (exchange) => isMatch(exchange) && isAbove(exchange), times, action };
}
