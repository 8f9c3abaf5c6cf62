import { z } from "zod";
import { answering, garbage, htmlPage, redirecting } from "./answer";
import { bombing, committingLate, cutting, delaying, dropping, endless, trickling } from "./connection";
import { type Exchange, type ExchangeAction, type Rule, sameRequest, type Where } from "./exchange";
import { limiting } from "./rate";
import { reshaping, shapeNames, shifting } from "./shape";

const times = z.int().min(1).optional();
const work = { kind: z.enum(["tunnel", "share"]), op: z.enum(["create", "update", "delete"]), times };
const skip = z.int().min(0).optional();
const text = z.string().optional();
const where = { method: text, path: text, pathPattern: text, times, skip };
const when = z.enum(["before", "after"]).optional();
const delayMs = z.number().min(0);
const status = z.int().min(200).max(599);
const answer = { status, headers: z.record(z.string(), z.string()).optional(), body: z.unknown().optional() };

/** A fault of requests, as JSON: `fault` says which, `path` is a prefix, `pathPattern` a regular expression. */
export const requestFaultSchema = z.discriminatedUnion("fault", [
  z.strictObject({ fault: z.literal("answer"), ...where, when, ...answer }),
  z.strictObject({ fault: z.literal("html"), ...where, when, status: status.optional() }),
  z.strictObject({ fault: z.literal("garbage"), ...where, when }),
  z.strictObject({ fault: z.literal("redirect"), ...where, when, status, location: z.string().optional() }),
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
    retryAfter: z.string().nullable().optional(),
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
    ? Omit<Each, keyof Where> & Where
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
  const isLike = sameRequest(pattern ? { ...fault, path: pattern } : fault);
  let toSkip = fault.skip ?? 0;
  const isMeant = (exchange: Exchange) => isLike(exchange) && toSkip-- <= 0;
  const lasting = fault.fault === "limit" || fault.fault === "pages";
  const times = fault.times ?? (lasting ? Infinity : 1);
  if (fault.fault !== "limit") return { match: isMeant, times, action: actionOf(fault) };
  const { isAbove, action } = limiting(fault);
  return { match: (exchange) => isMeant(exchange) && isAbove(exchange), times, action };
}
