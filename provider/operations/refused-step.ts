import { isConflict, isRefused, wordsOf } from "../errors";

/** What the service's answer to a write says. */
export type Says =
  /** Another 400; 409, 412, 423, 425: the write can be refused because of a resource's present state. */
  | "conflict"
  /** 400 `Value for … must be of …` about the tunnel, the location or the port. */
  | "wrong place"
  /** 404. */
  | "not found"
  /** 401, 403, 422, any other status, and 400 `Value for … must be of …` about another argument. */
  | "for good";

/** What this run knows about a refusal. The first of these facts that holds counts. */
export type Known =
  /** In the last 30 s, this run has seen the tunnel become DEPLOYED, or has deleted the tunnel at the location. */
  | "not shown yet"
  /** The resource itself or its own tunnel is busy, or another share on that tunnel. */
  | "busy"
  /** The tunnel at the location is being deleted, or this run moves or deletes the share that has the port. */
  | "holder leaves"
  /** Another resource has the location or the port. */
  | "holder stays"
  /** The tunnel of the share is missing, or is being deleted. */
  | "tunnel gone"
  | "nothing more";

export type RefusedStep =
  /** Send the write again after a pause: for 30 s if something may not show yet, else until the deadline. */
  | "retry"
  /** Wait until the holder is gone, then send the write again. */
  | "wait"
  /** Fail, and name the cause beside the words of the service. */
  | "explain"
  /** Fail with the words of the service. */
  | "fail";

/** Decides what follows a refused write: the table "Refused writes" of docs/how-it-works.md. */
export function refusedStep(says: Says, known: Known): RefusedStep {
  if (says === "for good") return "fail";
  switch (known) {
    case "not shown yet":
      return "retry";
    case "busy":
      return says === "conflict" ? "retry" : "fail";
    case "holder leaves":
      return says === "not found" ? "fail" : "wait";
    case "holder stays":
      return says === "not found" ? "fail" : "explain";
    case "tunnel gone":
      return "explain";
    case "nothing more":
      return "fail";
  }
}

/** The only form of a 400 that the specification shows, and the property that it names (spec: Errors). */
const form = /\bValue for \W?([\w.[\]-]+)\W? must be of\b/i;

/** Returns the property that a 400 of that form names. */
export const propertyIn = (error: unknown): string | undefined =>
  isRefused(error, 400) ? form.exec(wordsOf(error))?.[1] : undefined;

/** Returns what a refusal says. `place` matches the properties that say where the resource is to be. */
export function saysOf(error: unknown, place: RegExp): Says {
  if (isRefused(error, 404)) return "not found";
  if (!isConflict(error)) return "for good";
  const property = propertyIn(error);
  if (property === undefined) return "conflict";
  return place.test(property) ? "wrong place" : "for good";
}

/** Properties that say where a tunnel, or a share, is to be. */
export const tunnelPlace = /location/i;
export const sharePlace = /tunnel|port/i;
