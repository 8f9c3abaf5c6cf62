import { z, ZodError } from "zod";
import type { Settings } from "./settings";

/** An answer that says no, thrown where it is decided. Spec: Errors. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly error: string,
    message: string,
  ) {
    super(message);
  }
}

/** 400, in the only message shape the spec shows. */
export function invalid(settings: Settings, property: string, type: string): Refusal {
  const quote = settings.messageQuote;
  return new Refusal(
    400,
    "invalid_request",
    `Value for ${quote}${property}${quote} must be of ${quote}${type}${quote}`,
  );
}

/** 401: token missing, invalid or expired. */
export function unauthorized(settings: Settings): Refusal {
  return new Refusal(401, "unauthorized", settings.tokenRejectedMessage);
}

/** 403: the spec tells a front door out of reach as not found. */
export function noSuchFrontdoor(frontdoorId: string): Refusal {
  return new Refusal(403, "not_found", `Front door with identifier ${frontdoorId} was not found`);
}

/** Unknown tunnel, share or path; status and code are not shown in the spec. */
export function notFound(settings: Settings, what: string): Refusal {
  return new Refusal(settings.notFoundStatus, settings.notFoundError, `${what} was not found`);
}

/** A write that clashes with what is there; not shown in the spec. */
export function conflict(settings: Settings, message: string): Refusal {
  const status = settings.conflictStatus;
  return new Refusal(status, status === 400 ? "invalid_request" : "conflict", message);
}

/** The answer to a refusal, or to a mistake of the emulator's own. */
export function refusalAnswer(error: unknown): Response {
  if (error instanceof Refusal) {
    return Response.json({ error: error.error, message: error.message }, { status: error.status });
  }
  if (error instanceof ZodError || error instanceof SyntaxError) {
    // Only the admin endpoints let these through: the service's own bodies have the spec's message.
    const message = error instanceof ZodError ? z.prettifyError(error) : error.message;
    return Response.json({ error: "invalid_request", message }, { status: 400 });
  }
  const message = error instanceof Error ? error.message : String(error);
  return Response.json({ error: "internal_error", message: `The emulator failed: ${message}` }, { status: 500 });
}

/** What a request's Accept header makes of JSON: the plain type or HAL's. */
export function jsonAnswer(accept: string | undefined, body: unknown, status = 200): Response {
  const hal = accept?.includes("application/hal+json") && !accept.includes("application/json");
  return Response.json(body, {
    status,
    headers: { "content-type": hal ? "application/hal+json" : "application/json" },
  });
}

/** The answer to an accepted write: the resource or nothing. */
export function acceptedAnswer(accept: string | undefined, body: unknown, status: number, withBody: boolean): Response {
  return withBody && status !== 204 ? jsonAnswer(accept, body, status) : new Response(null, { status });
}

/** 406 when the header rules `type` out and the setting asks for it. */
export function checkAccept(settings: Settings, accept: string | undefined, types: string[]): void {
  if (!settings.acceptChecked || accept === undefined) return;
  const wanted = accept.split(",").map((each) => each.split(";", 1).join("").trim().toLowerCase());
  const fits = (type: string) => wanted.includes(type) || wanted.includes(`${type.split("/", 1).join("")}/*`);
  if (wanted.includes("*/*") || types.some(fits)) return;
  throw new Refusal(406, "not_acceptable", `The answer is ${types.join(" or ")}`);
}
