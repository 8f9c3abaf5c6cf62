import * as z from "zod";
import { idPattern } from "../config";
import { FrontdoorError } from "../errors";

/** A text field the service may leave out, null or empty while it has no value: all three read as undefined. */
export const maybeText = z
  .string()
  .nullish()
  .transform((text) => (text === "" ? undefined : (text ?? undefined)));

export const wireId = z.string().regex(idPattern);

/** The answer with its known fields only. @throws FrontdoorError `unexpected-response` that names the wrong places. */
export function checked<T>(schema: z.ZodType<T>, body: unknown, label: string): T {
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

const leaving = z.object({ id: wireId, name: z.string().catch(""), status: z.enum(["DELETING", "DELETED"]) });

/** The status of what is going or gone counts before its shape: where it shows less than the service's fields, those are empty. */
export const orLeaving = <Wire>(schema: z.ZodType<Wire>, empty: object): z.ZodType<Wire> =>
  z.preprocess((entry) => {
    const bare = leaving.safeParse(entry);
    return bare.success && !schema.safeParse(entry).success ? { ...empty, ...bare.data } : entry;
  }, schema);

/** Whether it shows no more than that it is going or gone. */
export const isBare = (entry: { status: string }): boolean =>
  leaving.shape.status.safeParse(entry.status).success && Object.values(entry).includes("");
