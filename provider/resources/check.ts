import type * as z from "zod";
import { type Failure, type Planned, UNKNOWN } from "./lifecycle";

/** A check for every key of a type. */
export type Shape<Args> = { [Key in keyof Required<Args>]: z.ZodType<Args[Key]> };

/**
 * Checks every given value by itself against the shape; unknown ones pass, null counts as not given.
 * Hidden inputs (`__…`) are the host's and are passed over.
 */
export function checkEach<Shape extends Record<string, z.ZodType>>(
  shape: Shape,
  given: Record<string, unknown>,
  what: string,
): { inputs: Partial<Planned<{ [Key in keyof Shape]: z.output<Shape[Key]> }>>; failures: Failure[] } {
  const failures: Failure[] = [];
  const inputs: Record<string, unknown> = {};
  for (const property of Object.keys(given)) {
    if (!Object.hasOwn(shape, property) && !property.startsWith("__")) {
      failures.push({ property, reason: `is not an input of ${what}; there are: ${Object.keys(shape).join(", ")}` });
    }
  }
  for (const [property, schema] of Object.entries(shape)) {
    const value = given[property] ?? undefined;
    if (value === UNKNOWN) {
      inputs[property] = value;
      continue;
    }
    const parsed = schema.safeParse(value);
    const reason = parsed.error?.issues[0]?.message;
    if (reason !== undefined) failures.push({ property, reason });
    else if (parsed.data !== undefined) inputs[property] = parsed.data;
  }
  return { inputs: inputs as Partial<Planned<{ [Key in keyof Shape]: z.output<Shape[Key]> }>>, failures };
}

/** Fills in the front door of the configuration where the resource names none. */
export function withFrontdoor<Inputs extends { frontdoorId?: unknown }>(
  { inputs, failures }: { inputs: Inputs; failures: Failure[] },
  configured: string | undefined,
): { inputs: Inputs; failures: Failure[] } {
  if (inputs.frontdoorId !== undefined || failures.some(({ property }) => property === "frontdoorId"))
    return { inputs, failures };
  if (configured !== undefined) return { inputs: { ...inputs, frontdoorId: configured }, failures };
  const reason = 'is required: set it here, with "pulumi config set frontdoor:frontdoorId <id>" or in FRONTDOOR_ID';
  return { inputs, failures: [...failures, { property: "frontdoorId", reason }] };
}
