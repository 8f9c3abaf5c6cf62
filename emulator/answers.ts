import { z, ZodError } from "zod";
import type { Settings } from "./settings";

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
  if (error instanceof ZodError || error instanceof SyntaxError) {
    // Only the admin endpoints let these through: the service's own bodies have the spec's message.
    const message = error instanceof ZodError ? z.prettifyError(error) : error.message;
    return Response.json({ error: "invalid_request", message }, { status: 400 });
  }
  const message = error instanceof Error ? error.message : String(error);
  return Response.json({ error: "internal_error", message: `The emulator failed: ${message}` }, { status: 500 });
}

/** Returns the content type that the Accept header asks for: JSON or HAL. */
export function jsonAnswer(accept: string | undefined, body: unknown, status = 200): Response {
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

/** Refuses with 406 if the header excludes `type` and the setting is on. */
export function checkAccept(settings: Settings, accept: string | undefined, types: string[]): void {
  if (!settings.acceptChecked || accept === undefined) return;
  const wanted = accept.split(",").map((each) => each.split(";", 1).join("").trim().toLowerCase());
  const fits = (type: string) => wanted.includes(type) || wanted.includes(`${type.split("/", 1).join("")}/*`);
  if (wanted.includes("*/*") || types.some(fits)) return;
  throw new Refusal(406, "not_acceptable", `The answer is ${types.join(" or ")}`);
}
