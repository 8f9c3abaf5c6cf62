import * as z from "zod";
import { failed } from "../errors";
import { isVisible, namesOf } from "../fields/field";
import { shareFields } from "../fields/share";
import { tunnelFields } from "../fields/tunnel";
import * as fields from "../fields/values";

/** The properties by which a list can be filtered and sorted (spec: any property of the resource). */
export const tunnelProperties = ["id", ...namesOf(tunnelFields, isVisible)];
export const shareProperties = ["id", ...namesOf(shareFields, isVisible)];

const frontdoorId = fields.id("a front door id").optional();
const byId = { id: fields.id("an id"), frontdoorId };
const name = z.string("must be text").min(1, "must not be empty").optional();
const wanted = "must be text that is not empty, a number, or a list of such";
const value = z.union([z.string(wanted).min(1, wanted).max(1024, wanted), z.number(wanted)], wanted).transform(String);
const values = z.union([value.transform((one) => [one]), z.array(value, wanted)], wanted);

const list = (properties: readonly string[]) =>
  z.strictObject({
    ...Object.fromEntries(properties.map((property) => [property, values.optional()])),
    frontdoorId,
    sort: z
      .string()
      .transform((text) => text.split(","))
      .refine(
        ([property = "", direction = "", ...rest]) =>
          properties.includes(property) && ["asc", "desc"].includes(direction) && rest.length === 0,
        `must be "<property>,asc" or "<property>,desc" with one of ${properties.join(", ")}`,
      )
      .optional(),
  });

/** The schemas of the functions' arguments. */
export const argShapes = {
  one: z.strictObject({ id: byId.id.optional(), name, frontdoorId }),
  id: z.strictObject(byId),
  tunnels: list(tunnelProperties),
  shares: list(shareProperties),
  tunnelMetrics: z.strictObject({
    ...byId,
    window: z.enum(["30m", "1h", "1d", "7d"], "must be one of 30m, 1h, 1d, 7d").optional(),
  }),
  shareMetrics: z.strictObject({
    ...byId,
    duration: z
      .string("must be text such as 15m or 1h")
      .regex(/^[A-Za-z0-9][A-Za-z0-9.:_-]{0,31}$/, "must be a span of time such as 15m or 1h")
      .optional(),
  }),
};

/** Returns the checked arguments. Null counts as omitted. @throws FrontdoorError `failed` that names every problem. */
export function checkedArgs<Shape extends z.ZodObject>(what: string, shape: Shape, args: object): z.output<Shape> {
  const given = Object.fromEntries(Object.entries(args).filter(([, each]) => each != null));
  const parsed = shape.safeParse(given);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map((issue) =>
    issue.code === "unrecognized_keys"
      ? `${issue.keys.join(", ")} is no argument. Use one of: ${Object.keys(shape.shape).join(", ")}`
      : `${issue.path[0] === undefined ? "" : `${String(issue.path[0])} `}${issue.message}`,
  );
  throw failed(`${what}: ${[...new Set(problems)].join("; ")}. Nothing was sent. [invalid-input]`);
}
